// One audit event for each completed reclamation, with the digest of its transitions and step runs (server/domain/reclamations/history-digest.ts).
import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { writeAudit } from "@/server/db/audit";
import { withTransaction } from "@/server/db/connection";
import { sqlOn } from "@/server/db/sql";
import { historyDigest, reclamationHistory } from "@/server/domain/reclamations/history-digest";
import type { HistoryDigest, ReclamationHistory } from "@/server/domain/reclamations/history-digest";

/** Per round. */
const batch = 32;

const utc = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const history = `
  SELECT c.id::text AS id, json_build_object(
    'reclamation', json_build_object('id', c.id, 'number', c.number::text, 'hostId', c.host_id, 'hostSerial', c.host_serial, 'kind', c.kind,
      'instanceId', c.instance_id, 'startedAt', ${utc("c.started_at")}, 'endedAt', ${utc("c.ended_at")}, 'outcome', c.outcome),
    'transitions', coalesce((SELECT json_agg(json_build_object('version', t.version::text, 'state', t.state, 'reason', t.reason, 'causes', t.causes,
      'generation', t.generation::text, 'at', ${utc("t.at")}) ORDER BY t.version) FROM state_history t WHERE t.reclamation_id = c.id AND t.at <= c.ended_at), '[]'),
    'stepRuns', coalesce((SELECT json_agg(json_build_object('planEpoch', s.plan_epoch, 'position', s.position, 'interface', s.interface, 'step', s.step,
      'where', s.where, 'priority', s.priority, 'args', s.args, 'proves', s.proves, 'status', s.status, 'attempt', s.attempt,
      'startedAt', ${utc("s.started_at")}, 'endedAt', ${utc("s.ended_at")}, 'message', s.message) ORDER BY s.plan_epoch, s.position)
      FROM step_run s WHERE s.reclamation_id = c.id), '[]')) AS history
  FROM reclamation c WHERE c.id = ANY($1::uuid[])`;

/** The histories of reclamations until their end, by id, as the database has them now. Later rows of a host still carry the reclamation's id. */
export async function readHistories(
  database: Pick<Pool | PoolClient, "query">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await database.query<{ id: string; history: unknown }>(history, [ids]);
  return new Map(rows.map((row) => [row.id, row.history]));
}

type Digested = { readonly id: string } & ({ readonly digest: HistoryDigest } | { readonly why: string });

function digested(id: string, found: unknown): Digested {
  const parsed = reclamationHistory.safeParse(found);
  if (parsed.success) return { id, digest: historyDigest(parsed.data satisfies ReclamationHistory) };
  const [issue] = parsed.error.issues;
  return { id, why: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`.slice(0, 2000) };
}

/** Any number of processes may run it concurrently. If a history cannot be read, stores the reason and retries in a minute. Returns how many were processed. */
export async function logHistoryDigests(pool: Pool): Promise<number> {
  return withTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT reclamation_id::text AS id FROM history_digest_due
       WHERE trouble IS NULL OR at < now() - interval '1 minute' ORDER BY at, reclamation_id LIMIT ${batch} FOR UPDATE SKIP LOCKED`,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    const histories = await readHistories(client, ids);
    // If the reclamation is gone, for example with a deleted host, there is nothing to digest.
    const all = ids.flatMap((id) => (histories.has(id) ? [digested(id, histories.get(id))] : []));
    await writeAudit(
      sqlOn(client),
      ...all.flatMap((one) => {
        if ("why" in one) return [];
        const eventId = randomUUID();
        return {
          id: eventId,
          actor: { kind: "system" as const, id: null, name: null },
          action: "reclamation.end" as const,
          targetId: one.id,
          tenantId: null,
          requestId: eventId,
          address: null,
          outcome: "done" as const,
          before: null,
          after: { ...one.digest },
        };
      }),
    );
    const wrong = all.flatMap((one) => ("why" in one ? [one] : []));
    await client.query(
      "UPDATE history_digest_due d SET at = now(), trouble = w.why FROM unnest($1::uuid[], $2::text[]) AS w(id, why) WHERE d.reclamation_id = w.id",
      [wrong.map(({ id }) => id), wrong.map(({ why }) => why)],
    );
    await client.query("DELETE FROM history_digest_due WHERE reclamation_id = ANY($1::uuid[])", [
      ids.filter((id) => !wrong.some((one) => one.id === id)),
    ]);
    return rows.length;
  });
}
