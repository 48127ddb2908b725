// The priorities that people set, with names and who set them.
import { findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import type { OverrideLine } from "@/server/contract/cleaning/cleaning-answers";
import { personNames } from "@/server/usecases/person-names";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const maxShown = 1_000;

/** All overrides, or those of one site, SKU or host. Newest first, at most 1,000. */
export async function listOverrides(
  { database }: Backend,
  actor: Actor,
  query: { readonly scopeId?: string | undefined },
): Promise<Outcome<readonly OverrideLine[]>> {
  const scope = scopeOf(actor, "cleaning.read");
  if (!scope.ok) return scope;
  const rows = await database.stepOverride.findMany({
    where: query.scopeId === undefined ? {} : { scopeId: query.scopeId },
    orderBy: [{ changedAt: "desc" }, { interface: "asc" }, { step: "asc" }, { scopeId: "asc" }],
    take: maxShown,
  });
  const ids = [...new Set(rows.map(({ scopeId }) => scopeId))];
  const named = { where: { id: { in: ids } }, select: { id: true, name: true } } as const;
  const [sites, skus, hosts, people] = await Promise.all([
    database.site.findMany(named),
    database.sku.findMany(named),
    database.host.findMany(named),
    personNames(
      database,
      rows.map(({ changedBy }) => changedBy),
    ),
  ]);
  const names = new Map([...sites, ...skus, ...hosts].map(({ id, name }) => [id, name]));
  return done(
    rows.flatMap((row) =>
      overrideScopes.flatMap((known): OverrideLine[] =>
        known !== row.scope
          ? []
          : [
              {
                scope: known,
                scopeId: row.scopeId,
                scopeName: names.get(row.scopeId) ?? null,
                interface: row.interface,
                step: row.step,
                priority: row.priority,
                defaultPriority: findCleanStep(row.interface, row.step)?.priority ?? null,
                changedAt: row.changedAt,
                changedByName: row.changedBy === null ? null : (people.get(row.changedBy) ?? null),
              },
            ],
      ),
    ),
  );
}
