// Translates database errors for the caller: the database is down, a value does not fit a column, or stored data cannot be read. Any other error is a bug.
import { ZodError } from "zod";
import { outageOf } from "@/server/db/outage";
import type { ProblemCode } from "@/server/domain/problems";

/** A problem with exactly this code. */
interface ProblemOf<Code extends ProblemCode> {
  readonly code: Code;
  readonly detail: string;
}

/** The problem for a request if the database does not answer now; null for any other error. */
export function outageProblem(error: unknown): ProblemOf<"unavailable"> | null {
  const outage = outageOf(error);
  return outage === null
    ? null
    : {
        code: "unavailable",
        detail: `The request could not be carried out: ${outage}. Retry later.`,
      };
}

/** SQLSTATE class 22, data exception (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const notStorable = /^22\w{3}$/;

/** @param code of the error. A value that PostgreSQL cannot store is the caller's fault, whichever schema let it pass. Null for any other error. */
export const unstorableProblem = (code: string): ProblemOf<"invalid"> | null =>
  notStorable.test(code) ? { code: "invalid", detail: "A value in the request cannot be stored." } : null;

/** Stored data does not have the form that this version reads, such as what a newer one wrote; the input is not at fault. Null for any other error. */
export const unreadableProblem = (error: unknown): ProblemOf<"internal"> | null =>
  error instanceof ZodError
    ? {
        code: "internal",
        detail:
          "This version of Reclaim cannot read a stored record; as far as known, nothing was changed. Look up the request id in the server's log.",
      }
    : null;
