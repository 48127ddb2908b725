// Sets whether one host is cleaned automatically, or as its site says.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { tellWithin } from "@/server/db/hot/signal";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

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
    if (host.automated_clean === automatedClean) return done({ value: { automatedClean }, changes: [] });
    await tx.host.update({ where: { id: hostId }, data: { automatedClean } });
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return done({
      value: { automatedClean },
      changes: [
        {
          targetId: hostId,
          tenantId: null,
          before: { automatedClean: host.automated_clean },
          after: { automatedClean },
        },
      ],
    });
  },
});
