// Runs a stored preview: exactly its hosts, each only if its state has not changed since. Asks the first batch; the job `bulk-runner` asks the others.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { askPortion, closeWhenAsked, toStarted } from "@/server/usecases/hosts/bulk/ask-portion";
import { bulk } from "@/server/contract/hosts/bulk";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

export const startBulk = defineAct({
  ...bulk.start,
  names: ({ id }) => ({ kind: "preview", id }),
  find: async ({ tx }, { id }) => {
    await queryRows(tx, sql`SELECT id::text FROM bulk_act WHERE id = ${id}::uuid FOR UPDATE`);
    const row = await tx.bulkAct.findUnique({ where: { id } });
    if (row === null) return null;
    const started = toStarted(row);
    return {
      id,
      belongs: { tenantId: null },
      value: { ...started, startedAt: row.startedAt, total: row.total, filter: row.filter },
      right: hostActions[started.intent].right,
    };
  },
  run: async ({ tx, actor, request }, bulk, { id }) => {
    // Idempotent: a second start has no effect.
    if (bulk.startedAt !== null) return unchanged({ id, startedAt: bulk.startedAt });
    if (bulk.personId !== actor.personId)
      return refused("forbidden", `Only ${bulk.personName}, who created this preview, can start it.`);
    const can = await tx.bulkActHost.count({ where: { bulkId: id, status: "can" } });
    if (can === 0) return refused("notAllowedNow", "None of the hosts qualifies.");
    const startedAt = new Date();
    await tx.bulkAct.update({ where: { id }, data: { startedAt, requestId: request.requestId } });
    await askPortion(tx, { ...bulk, requestId: request.requestId });
    await closeWhenAsked(tx, id);
    const { steps, runbook, reason } = bulk.args;
    return acted({
      value: { id, startedAt },
      targetId: id,
      tenantId: null,
      before: null,
      after: {
        intent: bulk.intent,
        hosts: can,
        of: bulk.total,
        filter: bulk.filter,
        reason,
        runbook: runbook?.name ?? null,
        steps:
          steps?.map((step) =>
            Object.keys(step.args).length === 0
              ? stepName(step)
              : `${stepName(step)} ${JSON.stringify(step.args)}`,
          ) ?? null,
      },
    });
  },
});
