// What an error of the database means to whoever asked: it is down for now, a value does not fit a column, or what is stored cannot be read. Any other error is a bug.
import { ZodError } from "zod";
import { outageOf } from "@/server/db/outage";
import type { ProblemCode } from "@/server/domain/problems";

/** A problem of this code alone. */
interface Told<Code extends ProblemCode> {
  readonly code: Code;
  readonly detail: string;
}

/** Why the database does not answer for now, as the problem of a request; null: the error is of another kind. */
export function outageProblem(error: unknown): Told<"unavailable"> | null {
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

/** @param code of the error. A value that PostgreSQL cannot store is the caller's, whichever schema let it pass; null: another error. */
export const unstorableProblem = (code: string): Told<"invalid"> | null =>
  notStorable.test(code) ? { code: "invalid", detail: "A value in the request cannot be stored." } : null;

/** What is stored does not have the form that this version reads, such as what a newer one wrote: nobody's input is wrong. Null: another error. */
export const unreadableProblem = (error: unknown): Told<"internal"> | null =>
  error instanceof ZodError
    ? {
        code: "internal",
        detail:
          "This version of Reclaim cannot read a stored record; as far as known, nothing was changed. Look up the request id in the server's log.",
      }
    : null;
