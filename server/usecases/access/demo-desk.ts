// Who may use the demo desk, and the log of its orders. Passing an order on is up to the caller (docs/adr/0009-the-seed-onboards-by-the-real-path.md).
import { z } from "zod";
import { reachOf } from "@/server/domain/access/access";
import type { Right } from "@/server/domain/access/access";
import type { Transaction } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The right for the demo menu, whose orders affect hosts. */
export const demoRight = "host.maintenance" satisfies Right;

const named = { kind: "demo", id: "desk" };

const demoSite = (tx: Pick<Transaction, "site">) =>
  tx.site.findFirst({
    where: { demo: true },
    select: { id: true },
    orderBy: { name: "asc" },
  });

/** Whether the actor may see what the desk offers. */
export async function mayReadDesk({ database }: Backend, actor: Actor): Promise<Outcome<null>> {
  // safety: demo: the desk is for who may work on hosts
  if (reachOf(actor.role, demoRight) !== "any")
    return refused("forbidden", `The role ${actor.role} may not use the demo menu.`);
  return (await demoSite(database)) === null ? notFound(named.kind, named.id) : done(null);
}

/** Logs an order before it is passed on, so that no unlogged order goes out. */
export const orderDemo = defineAct({
  action: "demo.order",
  right: demoRight,
  input: z.strictObject({ order: z.string().max(4_096, "The order is too long.") }),
  names: () => named,
  find: async ({ tx }) => {
    const site = await demoSite(tx);
    return site === null ? null : { id: site.id, belongs: { tenantId: null }, value: site };
  },
  run: (_context, { id }, { order }) =>
    acted({ value: null, targetId: id, tenantId: null, before: null, after: { order } }),
});
