// The versions of a procedure, as `reclaim procedures history` shows them.
import { procedureChanges } from "@/server/domain/assurance/procedures/text";
import type { ProcedureVersion } from "@/server/surfaces/trpc/types";
import type { Column } from "@/cli/output/printer";

type VersionRow = ProcedureVersion & { readonly changes: string };

/** The columns of `reclaim procedures history`. */
export const versionColumns: readonly Column<VersionRow>[] = [
  { name: "version", value: (row) => row.procedure?.version ?? "taken out" },
  { name: "policy", value: (row) => row.policyVersion },
  { name: "since", value: (row) => row.at },
  { name: "by", value: (row) => row.byName },
  { name: "changes", value: (row) => row.changes, long: true },
];

/** Adds each version's difference from the previous one; the oldest has none to compare with. */
export const withChanges = (versions: readonly ProcedureVersion[]): readonly VersionRow[] =>
  versions.map((each, index) => {
    const before = versions[index + 1]?.procedure ?? null;
    const changed = procedureChanges(before, each.procedure).map(({ what }) => what);
    return { ...each, changes: before === null || each.procedure === null ? "" : changed.join("; ") };
  });
