// The traits of a host: which runbooks may run on it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { z } from "zod";
import { maxTraits, trait, traits } from "@/server/domain/cleaning/plan/traits";
import { tellWithin } from "@/server/db/hot/signal";
import { cleaning } from "@/server/contract/cleaning/cleaning";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { notFound, refused } from "@/server/usecases/problem";

export const setTraits = defineAct({
  ...cleaning.setTraits,
  input: z.strictObject({
    hostId: cleaning.setTraits.input.shape.hostId,
    /** `all` replaces the traits; `add` and `remove` change one. */
    change: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("all"), traits }),
      z.strictObject({ kind: z.enum(["add", "remove"]), trait }),
    ]),
  }),
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const [host] = await queryRows(
      tx,
      sql<{ traits: string[] }>`SELECT traits FROM host WHERE id = ${hostId}::uuid FOR UPDATE`,
    );
    return host === undefined ? null : { id: hostId, belongs: { tenantId: null }, value: host };
  },
  run: async ({ tx }, host, { hostId, change }) => {
    if (change.kind === "remove" && !host.traits.includes(change.trait))
      return notFound("trait", change.trait);
    const wanted =
      change.kind === "all"
        ? change.traits
        : change.kind === "add"
          ? [...new Set([...host.traits, change.trait])]
          : host.traits.filter((other) => other !== change.trait);
    if (wanted.length > maxTraits)
      return refused("invalid", `A host has at most ${maxTraits} traits.`, "traits");
    const sorted = [...wanted].sort();
    if (JSON.stringify([...host.traits].sort()) === JSON.stringify(sorted))
      return unchanged({ traits: sorted });
    await tx.host.update({ where: { id: hostId }, data: { traits: sorted } });
    await tellWithin(tx, { feed: [{ hostId, tenantId: null, what: "settings" }] });
    return acted({
      value: { traits: sorted },
      targetId: hostId,
      tenantId: null,
      before: { traits: host.traits },
      after: { traits: sorted },
    });
  },
});
