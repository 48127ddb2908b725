// Faults of a site document as the answer of a use case.
import type { DocumentFault } from "@/server/domain/sites/parse-document";
import type { Problem } from "@/server/usecases/problem";

const formatFault = ({ line, column, path, message }: DocumentFault): string =>
  `line ${line}, column ${column}${path === "" ? "" : `, ${path}`}: ${message}`;

/** @param faults at least one */
export const documentProblem = (
  code: "invalid" | "notAllowedNow",
  faults: readonly DocumentFault[],
  field = "document",
): { readonly ok: false; readonly problem: Problem } => ({
  ok: false,
  problem: {
    code,
    detail: `${faults.slice(0, 3).map(formatFault).join("; ")}${faults.length > 3 ? `; and ${faults.length - 3} more` : ""}`,
    field,
    faults,
  },
});
