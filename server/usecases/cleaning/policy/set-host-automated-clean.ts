// Sets whether one host is cleaned automatically, or as its site says.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";

export const setHostAutomatedClean = defineAct({
  ...cleaning.setHostAutomatedClean,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await queryRows(
      tx,
      sql<{
        automated_clean: boolean | null;
      }>`SELECT automated_clean FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    return host === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: host };
  },
  run: async ({ tx }, host, { hostId, automatedClean }) => {
    if (host.automated_clean === automatedClean) return unchanged({ automatedClean });
    await tx.host.update({ where: { id: hostId }, data: { automatedClean } });
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return acted({
      value: { automatedClean },
      targetId: hostId,
      tenantId: null,
      before: { automatedClean: host.automated_clean },
      after: { automatedClean },
    });
  },
});
