// What people do with an open rollout: pause, resume, next stage, abort (docs/adr/0148-firmware-rollouts.md).
import { sql } from "kysely";
import { rollouts as contract } from "@/server/contract/hosts/rollouts";
import type { Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import { stageText } from "@/server/domain/hosts/platform/rollout";
import type { RolloutState } from "@/server/domain/hosts/platform/rollout";
import { voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { readRollouts, rolloutState } from "@/server/usecases/hosts/rollouts/rollout-rows";
import type { StoredRollout } from "@/server/usecases/hosts/rollouts/rollout-rows";
import { refused } from "@/server/usecases/problem";

const names = ({ rollout }: { readonly rollout: string }) => ({ kind: "firmware rollout", id: rollout });

/** The rollout under its lock, which the job that lets hosts in takes as well. */
export async function lockedRollout(tx: Transaction, id: string): Promise<StoredRollout | null> {
  return (await readRollouts(tx, sql`x.id = ${id}::uuid`, { locked: true }))[0] ?? null;
}

async function find(
  { tx }: ActContext,
  { rollout }: { readonly rollout: string },
): Promise<Target<StoredRollout> | null> {
  const row = await lockedRollout(tx, rollout);
  return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
}

/** Why the act is not for a rollout in this state; null: it is. */
export const notNow = (row: StoredRollout, wanted: readonly RolloutState[]) => {
  const state = rolloutState(row);
  return wanted.includes(state)
    ? null
    : refused(
        "notAllowedNow",
        `The rollout of ${row.sku} ${state === "waits" ? "waits for another person's approval" : `is ${state}`}.`,
      );
};

const changed = (row: StoredRollout, words: string, reason: string) =>
  acted({
    value: { id: row.id },
    targetId: row.skuId,
    tenantId: null,
    before: null,
    after: { name: row.sku, rollout: row.id, reason, changes: [words] },
    tell: { wake: true, feed: [] },
  });

export const pauseRollout = defineAct({
  ...contract.pause,
  names,
  find,
  run: async ({ tx, actor }, row, { reason }) => {
    const no = notNow(row, ["running"]);
    if (no !== null) return no;
    await execute(
      tx,
      sql`UPDATE firmware_rollout SET paused_at = now(), paused_by = ${actor.name}, paused_reason = ${reason} WHERE id = ${row.id}::uuid`,
    );
    return changed(row, "rollout: paused", reason);
  },
});

export const resumeRollout = defineAct({
  ...contract.resume,
  names,
  find,
  run: async ({ tx }, row, { reason }) => {
    const no = notNow(row, ["paused"]);
    if (no !== null) return no;
    await execute(
      tx,
      sql`UPDATE firmware_rollout SET paused_at = NULL, paused_by = NULL, paused_reason = NULL, resumed_at = now() WHERE id = ${row.id}::uuid`,
    );
    return changed(row, "rollout: resumed", reason);
  },
});

export const advanceRollout = defineAct({
  ...contract.advance,
  names,
  find,
  run: async ({ tx }, row, { stage, reason }) => {
    const no = notNow(row, ["running"]);
    if (no !== null) return no;
    if (stage !== row.stage)
      return refused("conflict", "Another stage is open by now. Read the rollout again.", "stage");
    const next = row.stages[stage + 1];
    if (next === undefined)
      return refused("notAllowedNow", "The last stage is open: finish the rollout once its hosts are done.");
    await execute(tx, sql`UPDATE firmware_rollout SET stage = ${stage + 1} WHERE id = ${row.id}::uuid`);
    return changed(row, `rollout: next stage, ${stageText(next)}`, reason);
  },
});

export const abortRollout = defineAct({
  ...contract.abort,
  names,
  find,
  run: async ({ tx }, row, { reason }) => {
    const no = notNow(row, ["waits", "rejected", "running", "paused"]);
    if (no !== null) return no;
    // Of a host that stopped before it was Ready with the new firmware, the SKU's is wanted again.
    await execute(
      tx,
      sql`
      UPDATE firmware_rollout_host t SET takes = false FROM host_run r
      WHERE t.rollout_id = ${row.id}::uuid AND t.takes AND t.done_at IS NULL AND r.host_id = t.host_id AND r.state LIKE 'Failed/%'`,
    );
    await execute(
      tx,
      sql`UPDATE firmware_rollout SET ended_at = now(), outcome = 'aborted' WHERE id = ${row.id}::uuid`,
    );
    if (row.decision === null) await voidApprovals(tx, [row.approvalId], "the rollout was aborted");
    return changed(row, "rollout: aborted", reason);
  },
});
