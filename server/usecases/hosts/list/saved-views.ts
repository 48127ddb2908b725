// The saved views of the hosts list. Each person has their own, whoever else uses the same name.
import { hosts } from "@/server/contract/hosts/hosts";
import type { SavedView } from "@/server/contract/hosts/host-views";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { parseStoredFilter } from "@/server/usecases/hosts/list/host-filter-sql";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { reachOf } from "@/server/domain/access/access";

/** As many as a row of tabs can usefully show. */
const most = 30;

export async function listSavedViews(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly SavedView[]>> {
  if (reachOf(actor.role, "account.views") === "none")
    return refused("forbidden", `The role ${actor.role} may not do account.views.`);
  const rows = await database.savedView.findMany({
    where: { personId: actor.personId },
    orderBy: { name: "asc" },
  });
  return done(
    rows.map(({ id, name, filter, sort, hidden, groupBy }) => ({
      id,
      name,
      filter,
      sort,
      hide: hidden,
      group: groupBy === "cause" ? groupBy : null,
    })),
  );
}

export const saveView = defineAct({
  ...hosts.saveView,
  names: ({ name }) => ({ kind: "view", id: name }),
  find: async ({ tx, actor: { personId } }, { name }) => ({
    id: name,
    belongs: { tenantId: null, personId },
    value: {
      before: await tx.savedView.findUnique({ where: { personId_name: { personId, name } } }),
      others: await tx.savedView.count({ where: { personId, name: { not: name } } }),
    },
  }),
  run: async ({ tx, actor: { personId } }, { before, others }, { name, filter, sort, hide, group }) => {
    const { parsed } = await parseStoredFilter(tx, filter);
    if (!parsed.ok) return refused("invalid", parsed.message, "filter");
    if (before === null && others >= most)
      return refused("conflict", `You have ${most} saved views; delete one first.`, "name");
    const view = { filter, sort, hidden: hide, groupBy: group };
    const { id } = await tx.savedView.upsert({
      where: { personId_name: { personId, name } },
      create: { personId, name, ...view },
      update: { ...view, savedAt: new Date() },
      select: { id: true },
    });
    return acted({
      value: { id },
      targetId: id,
      tenantId: null,
      before: before === null ? null : { name, filter: before.filter },
      after: { name, filter },
    });
  },
});

export const removeView = defineAct({
  ...hosts.removeView,
  names: ({ id }) => ({ kind: "view", id }),
  find: async ({ tx }, { id }) => {
    const view = await tx.savedView.findUnique({ where: { id } });
    return view === null ? null : { id, belongs: { tenantId: null, personId: view.personId }, value: view };
  },
  run: async ({ tx }, { id, name, filter }) => {
    await tx.savedView.delete({ where: { id } });
    return acted({ value: { id }, targetId: id, tenantId: null, before: { name, filter }, after: null });
  },
});
