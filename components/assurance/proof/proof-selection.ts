// The selection of the proof desk as it is in the address, and as the server takes it.
import { standings } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";
import { monthForm } from "@/server/domain/assurance/proof/month";
import { returnKinds } from "@/server/domain/assurance/proof/kinds";
import type { ReturnKind } from "@/server/domain/assurance/proof/kinds";
import type { ProofQuery } from "@/server/domain/console/routes";

export interface ProofSelection extends ProofQuery {
  readonly text: string;
  readonly standing?: Standing | undefined;
  readonly kind?: ReturnKind | undefined;
}

const given = (text: string | null): string | undefined => (text === null || text === "" ? undefined : text);

/** Values that this page does not know are ignored, as in an address that somebody typed. */
export function readSelection(search: { readonly get: (name: string) => string | null }): ProofSelection {
  const month = given(search.get("month"));
  const standing = standings.find((each) => each === search.get("standing"));
  const kind = returnKinds.find((each) => each === search.get("kind"));
  const exception = search.get("exception");
  return {
    text: search.get("text") ?? "",
    tenant: given(search.get("tenant")),
    month: month !== undefined && monthForm.test(month) ? month : undefined,
    site: given(search.get("site")),
    sku: given(search.get("sku")),
    standing,
    kind,
    exception: exception === "true" ? true : exception === "false" ? false : undefined,
  };
}

/** The months up to now, the newest first. */
export function recentMonths(nowMs: number, count = 24): readonly string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** Options of the command line that select the same. */
export const selectionOptions = ({
  text,
  tenant,
  month,
  site,
  sku,
  standing,
  kind,
  exception,
}: ProofSelection): string =>
  [
    text === "" ? "" : `'${text.replaceAll("'", "")}'`,
    ...(
      [
        ["tenant", tenant],
        ["month", month],
        ["site", site],
        ["sku", sku],
        ["standing", standing],
        ["kind", kind],
        ["exception", exception === undefined ? undefined : exception ? "yes" : "no"],
      ] as const
    ).map(([name, value]) =>
      value === undefined
        ? ""
        : `--${name} ${/^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", "")}'`}`,
    ),
  ]
    .filter((part) => part !== "")
    .join(" ");
