// Firmware rollouts with their hosts, for the *Firmware* page (docs/platform.md#firmware-rollouts).
import { sql } from "kysely";
import type { RolloutDetail, RolloutLine, RolloutList } from "@/server/contract/hosts/rollouts";
import { placesAt, stageText } from "@/server/domain/hosts/platform/rollout";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import {
  countHostsOf,
  listHostsOf,
  readRollouts,
  rolloutState,
} from "@/server/usecases/hosts/rollouts/rollout-rows";
import type { HostsOfRollout, StoredRollout } from "@/server/usecases/hosts/rollouts/rollout-rows";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** More hosts than anybody reads. */
const hostsShown = 1000;

function lineOf(row: StoredRollout, counted: readonly HostsOfRollout[]): RolloutLine {
  const own = counted.filter(({ rolloutId }) => rolloutId === row.id);
  const hosts = (state: HostsOfRollout["state"]) => own.find((one) => one.state === state)?.hosts ?? 0;
  const counts = {
    pending: hosts("pending"),
    running: hosts("running"),
    failed: hosts("failed"),
    done: hosts("done"),
  };
  const all = own.reduce((sum, one) => sum + one.hosts, 0);
  return {
    id: row.id,
    sku: row.sku,
    state: rolloutState(row),
    components: row.images.map(({ component, version, url, checksum }) => ({
      component,
      from: row.over.find((one) => one.component === component)?.version ?? "",
      to: version,
      url,
      checksum,
    })),
    stages: row.stages.map(stageText),
    stage: row.stage,
    taken: own.reduce((sum, one) => sum + one.taken, 0),
    places: placesAt(row.stages, row.stage, all),
    maxFailures: row.maxFailures,
    hosts: counts,
    startedBy: row.askedBy,
    startedAt: row.createdAt,
    reason: row.reason,
    approvedBy: row.decision === "approved" ? row.decidedBy : null,
    approvalId: row.approvalId,
    pausedReason: row.pausedReason,
    pausedBy: row.pausedBy,
    endedAt: row.endedAt,
  };
}

export async function listRollouts({ database }: Backend, actor: Actor): Promise<Outcome<RolloutList>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const rows = await readRollouts(database, sql`true`);
  const counted = await countHostsOf(
    database,
    rows.map(({ id }) => id),
  );
  const rollouts = rows.map((row) => lineOf(row, counted));
  const open = rollouts.filter(({ state }) => state === "running" || state === "paused");
  const sum = (state: "pending" | "running" | "failed") =>
    open.reduce((total, { hosts }) => total + hosts[state], 0);
  return done({
    rollouts,
    updates: {
      hosts: { pending: sum("pending"), running: sum("running"), failed: sum("failed") },
      dpus: null,
    },
  });
}

export async function getRollout(
  { database }: Backend,
  actor: Actor,
  { rollout }: { readonly rollout: string },
): Promise<Outcome<RolloutDetail>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const [row] = await readRollouts(database, sql`x.id = ${rollout}::uuid`);
  if (row === undefined) return notFound("firmware rollout", rollout);
  const [counted, list] = await Promise.all([
    countHostsOf(database, [row.id]),
    listHostsOf(database, row.id, hostsShown),
  ]);
  return done({ ...lineOf(row, counted), list: [...list] });
}
