// Decides which hosts take the firmware of open rollouts, right before their plans are made, and pauses rollouts with too many failures (docs/adr/0148-firmware-rollouts.md).
import { formatCounted } from "@/server/domain/numbers";
import { sql } from "kysely";
import { wakeChannel } from "@/server/db/hot/signal";
import type { Database, Transaction } from "@/server/db/prisma";
import { execute, queryRows } from "@/server/db/sql";
import { inTransaction } from "@/server/db/transaction";
import { decideRollout } from "@/server/domain/hosts/platform/rollout";
import { countHostsOf, inForce, readRollouts } from "@/server/usecases/hosts/rollouts/rollout-rows";
import type { StoredRollout } from "@/server/usecases/hosts/rollouts/rollout-rows";
import { done } from "@/server/usecases/problem";

interface Waiting {
  readonly hostId: string;
  readonly reclamationId: string;
  readonly planEpoch: number;
  readonly taken: boolean;
  readonly canUpdate: boolean;
}

/** Hosts whose next plan waits for the rollout, the earliest return first. */
const readWaiting = (tx: Transaction, { id, skuId }: StoredRollout): Promise<readonly Waiting[]> =>
  queryRows(
    tx,
    sql<Waiting>`
    SELECT r.host_id::text AS "hostId", c.id::text AS "reclamationId", c.plan_epoch AS "planEpoch", coalesce(t.takes, false) AS taken,
      coalesce((v.body #>> '{platform,firmwareUpdate}')::boolean, false) AS "canUpdate"
    FROM host h JOIN host_run r ON r.host_id = h.id JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL
      LEFT JOIN host_inventory v ON v.host_id = h.id AND v.source = 'bmc'
      LEFT JOIN firmware_rollout_host t ON t.rollout_id = ${id}::uuid AND t.host_id = h.id
    WHERE h.sku_id = ${skuId}::uuid AND r.context #>> '{cleaning,waitsForRollout}' = ${id}
      AND (t.reclamation_id, t.plan_epoch) IS DISTINCT FROM (c.id, c.plan_epoch)
    ORDER BY c.started_at, r.host_id`,
  );

/** Hosts that were let in and have been Ready since are done. */
const noteDone = (tx: Transaction, { id }: StoredRollout): Promise<unknown> =>
  execute(
    tx,
    sql`
    UPDATE firmware_rollout_host t SET done_at = now() FROM reclamation c
    WHERE t.rollout_id = ${id}::uuid AND t.takes AND t.done_at IS NULL AND c.id = t.reclamation_id AND c.outcome = 'ready'`,
  );

async function decideOne(tx: Transaction, id: string): Promise<number> {
  const [row] = await readRollouts(tx, sql`x.id = ${id}::uuid AND ${inForce}`, { locked: true });
  if (row === undefined) return 0;
  await noteDone(tx, row);
  const counted = await countHostsOf(tx, [row.id]);
  const sum = (of: (one: (typeof counted)[number]) => number) =>
    counted.reduce((total, one) => total + of(one), 0);
  const failed = sum(({ newlyFailed }) => newlyFailed);
  const waiting = await readWaiting(tx, row);
  const decision = decideRollout(
    {
      ...{
        stages: row.stages,
        stage: row.stage,
        paused: row.pausedAt !== null,
        maxFailures: row.maxFailures,
      },
      ...{ hosts: sum(({ hosts }) => hosts), taken: sum(({ taken }) => taken), failed },
    },
    waiting,
  );
  if (decision.pauses)
    await execute(
      tx,
      sql`
      UPDATE firmware_rollout SET paused_at = now(), paused_by = NULL, paused_reason = ${`${formatCounted(failed, "host")} failed with the new firmware`}
      WHERE id = ${row.id}::uuid`,
    );
  if (waiting.length === 0) return 0;
  const takes = new Map(decision.hosts.map((host) => [host.hostId, host.takes]));
  const rows = waiting.map((host) => ({ ...host, takes: takes.get(host.hostId) === true }));
  await execute(
    tx,
    sql`
    INSERT INTO firmware_rollout_host AS t (rollout_id, host_id, takes, reclamation_id, plan_epoch)
    SELECT ${row.id}::uuid, i."hostId", i.takes, i."reclamationId", i."planEpoch"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS i("hostId" uuid, takes boolean, "reclamationId" uuid, "planEpoch" int)
    ON CONFLICT (rollout_id, host_id) DO UPDATE SET takes = excluded.takes, reclamation_id = excluded.reclamation_id,
      plan_epoch = excluded.plan_epoch, decided_at = now()`,
  );
  await queryRows(
    tx,
    sql`
    WITH woken AS (
      UPDATE host_run r SET due_at = least(coalesce(r.due_at, 'infinity'), now()), wake_seq = r.wake_seq + 1
      FROM (SELECT host_id FROM host_run WHERE host_id = ANY(${rows.map(({ hostId }) => hostId)}::uuid[]) ORDER BY host_id FOR UPDATE) i
      WHERE r.host_id = i.host_id RETURNING r.host_id)
    SELECT pg_notify(${wakeChannel}, '')::text FROM (SELECT count(*) FROM woken) c`,
  );
  return rows.length;
}

/** One look at every open rollout. Returns how many hosts were decided about. Any number of processes may look at the same time. */
export async function decideRollouts(database: Database, failed: (error: unknown) => void): Promise<number> {
  let decided = 0;
  for (const { id } of await queryRows(
    database,
    sql<{ id: string }>`
    SELECT x.id::text FROM firmware_rollout x JOIN approval a ON a.id = x.approval_id WHERE ${inForce}`,
  )) {
    try {
      const result = await inTransaction(database, async (tx) => done(await decideOne(tx, id)));
      decided += result.ok ? result.value : 0;
    } catch (error) {
      failed(error);
    }
  }
  return decided;
}
