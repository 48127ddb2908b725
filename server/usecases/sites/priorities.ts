// The priorities of clean steps in a site document: what changes, and whether the order of steps remains defined.
import type { SiteDocument } from "@/server/domain/sites/document";
import type { DocumentFault, FaultAt } from "@/server/domain/sites/parse-document";
import type { Transaction } from "@/server/db/prisma";
import type { SqlReader } from "@/server/db/sql";
import { checkedLevels, readOverrides, tiesOf } from "@/server/usecases/cleaning/overrides/override-levels";
import type { StoredOverride } from "@/server/usecases/cleaning/overrides/override-levels";
import { tieRefusal } from "@/server/usecases/cleaning/tie-refusal";

interface ChangedPriority {
  readonly interface: string;
  readonly step: string;
  /** Null if it no longer has one of its own. */
  readonly priority: number | null;
}

/** Pure. */
export function changedPriorities(
  before: SiteDocument["priorities"],
  after: SiteDocument["priorities"],
): readonly ChangedPriority[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const dot = name.indexOf(".");
    const priority = after[name] ?? null;
    return (before[name] ?? null) === priority
      ? []
      : [{ interface: name.slice(0, dot), step: name.slice(dot + 1), priority }];
  });
}

interface PriorityFault extends ChangedPriority {
  readonly message: string;
}

/** Unknown steps, and steps of one interface with an undefined order, after the priorities of a scope were written. @param stored the current overrides */
export async function priorityFaults(
  tx: SqlReader,
  scope: { readonly scope: "site" | "sku"; readonly scopeId: string },
  changes: readonly ChangedPriority[],
  stored: readonly StoredOverride[],
): Promise<readonly PriorityFault[]> {
  const faults: PriorityFault[] = [];
  for (const change of changes) {
    const levels = await checkedLevels(tx, { ...scope, ...change }, stored);
    if (!levels.ok) {
      faults.push({ ...change, message: levels.problem.detail });
      continue;
    }
    const ties = tiesOf(levels.value, { ...scope, ...change });
    // safety: override: a document makes no tie
    if (ties.length > 0) faults.push({ ...change, message: tieRefusal(ties).problem.detail });
  }
  return faults;
}

interface Scoped {
  readonly scope: "site" | "sku";
  readonly scopeId: string;
  readonly path: readonly (string | number)[];
  readonly changes: readonly ChangedPriority[];
}

/**
 * Unknown steps, and steps of one interface with an undefined order. Checked after all writes, because two changes together may make a tie that neither
 * makes alone.
 */
export async function orderFaults(
  tx: Transaction,
  siteId: string,
  before: SiteDocument,
  after: SiteDocument,
  { given, faultAt }: { readonly given: SiteDocument; readonly faultAt: FaultAt },
): Promise<readonly DocumentFault[]> {
  const ids = new Map(
    (await tx.sku.findMany({ select: { id: true, name: true } })).map((sku) => [sku.name, sku.id]),
  );
  const known = new Map(before.skus?.map((sku) => [sku.name, sku.priorities]));
  const scopes: readonly Scoped[] = [
    {
      scope: "site",
      scopeId: siteId,
      path: ["priorities"],
      changes: changedPriorities(before.priorities, after.priorities),
    },
    ...(after.skus ?? []).flatMap(({ name, priorities }): readonly Scoped[] => {
      const scopeId = ids.get(name);
      const index = given.skus?.findIndex((sku) => sku.name === name) ?? -1;
      return scopeId === undefined
        ? []
        : [
            {
              scope: "sku",
              scopeId,
              path: ["skus", index, "priorities"],
              changes: changedPriorities(known.get(name) ?? {}, priorities),
            },
          ];
    }),
  ];
  const faults: DocumentFault[] = [];
  const stored = await readOverrides(tx, { scope: "site", scopeId: siteId });
  for (const { scope, scopeId, path, changes } of scopes)
    for (const { interface: of, step, message } of await priorityFaults(
      tx,
      { scope, scopeId },
      changes,
      stored,
    ))
      faults.push(faultAt([...path, `${of}.${step}`], message));
  return faults;
}
