// Removes a runbook. Cleanings that were started from it keep its name and their steps.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { acted, defineAct } from "@/server/usecases/define-act";
import { refused } from "@/server/usecases/problem";

export const removeRunbook = defineAct({
  ...cleaning.removeRunbook,
  names: ({ id }) => ({ kind: "runbook", id }),
  find: async ({ tx }, { id }) => {
    const [found] = await queryRows(
      tx,
      sql<{
        name: string;
        traits: string[];
        version: number;
      }>`SELECT name, traits, version FROM runbook WHERE id = ${id}::uuid FOR UPDATE`,
    );
    return found === undefined ? null : { id, belongs: { tenantId: null }, value: found };
  },
  run: async ({ tx }, found, { id, version }) => {
    if (found.version !== version)
      return refused(
        "conflict",
        `Somebody else has changed the runbook; it is now at version ${found.version}. Reload and try again.`,
        "version",
      );
    await tx.runbook.delete({ where: { id } });
    return acted({
      value: { removed: true as const },
      targetId: id,
      tenantId: null,
      before: { name: found.name, traits: found.traits, version },
      after: null,
    });
  },
});
