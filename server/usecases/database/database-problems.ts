// What an error of the database means to whoever asked: it is down for now, or a value does not fit a column. Any other error is a bug.
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
        detail: `The request could not be carried out: ${outage}. Repeat it later.`,
      };
}

/** SQLSTATE class 22, data exception (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const notStorable = /^22\w{3}$/;

/** @param code of the error. A value that PostgreSQL cannot store is the caller's, whichever schema let it pass; null: another error. */
export const unstorableProblem = (code: string): Told<"invalid"> | null =>
  notStorable.test(code) ? { code: "invalid", detail: "A value in the request cannot be stored." } : null;
