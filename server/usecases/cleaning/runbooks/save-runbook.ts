// Creates a runbook, or changes one if nobody else has changed it meanwhile.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { randomUUID } from "node:crypto";
import { manualFaults } from "@/server/domain/cleaning/plan/manual";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { AuditFacts } from "@/server/db/audit";
import type { Transaction } from "@/server/db/prisma";
import { isUniqueViolation } from "@/server/db/transaction";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { acted, defineAct } from "@/server/usecases/define-act";
import { offeredBy } from "@/server/usecases/cleaning/known-host";
import { storedManagers } from "@/server/domain/agents/protocol";
import { faultProblem } from "@/server/usecases/cleaning/step-faults";
import { storedSteps } from "@/server/usecases/cleaning/runbooks/runbooks";
import { refused } from "@/server/usecases/problem";

/** A runbook belongs to no host, so it may name steps that any agent offers; the host's own agent decides when it runs. */
async function offeredAnywhere(tx: Transaction) {
  const rows = await queryRows(
    tx,
    sql<{ hardware_managers: unknown }>`SELECT DISTINCT hardware_managers FROM agent_session`,
  );
  return rows.flatMap(({ hardware_managers }) =>
    offeredBy(storedManagers.catch([]).parse(hardware_managers)),
  );
}

const facts = (row: {
  readonly name: string;
  readonly traits: readonly string[];
  readonly steps: readonly ManualStep[];
  readonly version: number;
}): AuditFacts => ({
  name: row.name,
  traits: row.traits,
  version: row.version,
  steps: row.steps.map((step) =>
    Object.keys(step.args).length === 0 ? stepName(step) : `${stepName(step)} ${JSON.stringify(step.args)}`,
  ),
});

export const saveRunbook = defineAct({
  ...cleaning.saveRunbook,
  names: ({ id, name }) => ({ kind: "runbook", id: id ?? name }),
  find: async ({ tx }, { id }) => {
    if (id === null) return { id: "", belongs: { tenantId: null }, value: null };
    await queryRows(tx, sql`SELECT id::text FROM runbook WHERE id = ${id}::uuid FOR UPDATE`);
    const found = await tx.runbook.findUnique({ where: { id } });
    return found === null ? null : { id, belongs: { tenantId: null }, value: found };
  },
  run: async ({ tx, actor }, before, { id, version, ...wanted }) => {
    if (before !== null && version !== before.version)
      return refused(
        "conflict",
        `Somebody else has changed the runbook; it is now at version ${before.version}. Reload and try again.`,
        "version",
      );
    const declaredFaults = manualFaults(wanted.steps);
    const faults = faultProblem(
      declaredFaults.length === 0 ? [] : manualFaults(wanted.steps, await offeredAnywhere(tx)),
    );
    if (faults !== null) return { ok: false, problem: faults };
    const row = {
      ...wanted,
      steps: wanted.steps.map((step) => ({ ...step })),
      version: (before?.version ?? 0) + 1,
      updatedAt: new Date(),
      updatedBy: actor.personId,
    };
    const runbookId = id ?? randomUUID();
    // Checked before the write, because a failed statement aborts the transaction.
    if ((await tx.runbook.count({ where: { name: row.name, id: { not: runbookId } } })) > 0)
      return refused("conflict", `A runbook ${row.name} already exists.`, "name");
    try {
      await tx.runbook.upsert({ where: { id: runbookId }, create: { id: runbookId, ...row }, update: row });
    } catch (error) {
      if (isUniqueViolation(error))
        return refused(
          "conflict",
          `A runbook ${row.name} was saved at the same time. Reload and try again.`,
          "name",
        );
      throw error;
    }
    return acted({
      value: { id: runbookId, version: row.version },
      targetId: runbookId,
      tenantId: null,
      before: before === null ? null : facts({ ...before, steps: storedSteps(before.steps) }),
      after: facts({ ...row, steps: wanted.steps }),
    });
  },
});
