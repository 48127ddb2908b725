// Procedures as text, for pages and the command line: when one is due, what it requires, and the differences between two versions.
import type { Procedure } from "@/server/domain/assurance/procedures/procedure";

/** When it is due; empty: never. Pure. */
export const formatWhen = ({
  always,
  skus,
  tenants,
  afterRepair,
  afterFailures,
}: Procedure["when"]): string =>
  [
    always ? "always" : "",
    skus.length > 0 ? `SKU ${skus.join(", ")}` : "",
    tenants.length > 0 ? `tenant ${tenants.join(", ")}` : "",
    afterRepair ? "after a repair tenant" : "",
    afterFailures.length > 0 ? `after ${afterFailures.join(", ")}` : "",
  ]
    .filter((words) => words !== "")
    .join("; ");

/** How long a record counts. Pure. */
export const formatValidity = ({ reusableDays }: Pick<Procedure, "reusableDays">): string =>
  reusableDays === null
    ? "its own reclamation"
    : reusableDays === 1
      ? "1 day, for later reclamations too"
      : `${reusableDays} days, for later reclamations too`;

export interface ProcedureChange {
  readonly what: string;
  /** Null: the part did not exist before, or does not exist any more. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Labelled parts in the order of the form. */
const parts = (text: Procedure | null): ReadonlyMap<string, string> =>
  new Map(
    text === null
      ? []
      : [
          ["Title", text.title],
          ...text.checklist.map((point, index): readonly [string, string] => [
            `Checklist, point ${index + 1}`,
            point.answer === "text" ? `${point.text} (a value)` : point.text,
          ]),
          ["Evidence", text.evidence.toSorted().join(", ") || "none"],
          ["A record counts for", formatValidity(text)],
          ["Due", formatWhen(text.when) || "never"],
        ],
  );

/** The differences; null stands for a policy without the procedure. Pure. */
export function procedureChanges(
  before: Procedure | null,
  after: Procedure | null,
): readonly ProcedureChange[] {
  const [was, is] = [parts(before), parts(after)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .map((what) => ({ what, before: was.get(what) ?? null, after: is.get(what) ?? null }))
    .filter((change) => change.before !== change.after);
}
