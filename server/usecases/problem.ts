// Why a use case refused a request: one union with stable codes, and its form on the wire (RFC 9457).
import type { ZodError } from "zod";
import type { ManualFault } from "@/server/domain/cleaning/plan/manual";
import { describeProblem } from "@/server/domain/problems";
import type { DocumentFault } from "@/server/domain/sites/parse-document";
import type { ProblemCode } from "@/server/domain/problems";
import type { Result } from "@/server/db/transaction";

export interface Problem {
  readonly code: ProblemCode;
  /** A sentence that says what would help; never reveals a secret, or whether a hidden thing exists. */
  readonly detail: string;
  /** The faulty member of the input. */
  readonly field?: string;
  /** All faults, if there are several at once. */
  readonly faults?: readonly ProblemFault[];
}

/** One fault in a list of clean steps, or in a site document. */
export type ProblemFault = ManualFault | DocumentFault;

export type Outcome<T> = Result<T, Problem>;

/** RFC 9457. `type` is stable; `code` repeats its last part for programs that switch on it. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  readonly field?: string;
  readonly faults?: readonly ProblemFault[];
}

export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  return {
    ...describeProblem(problem.code, problem.detail),
    requestId,
    ...(problem.field === undefined ? {} : { field: problem.field }),
    ...(problem.faults === undefined ? {} : { faults: problem.faults }),
  };
}

export const done = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export function refused(
  code: ProblemCode,
  detail: string,
  field?: string,
): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: { code, detail, ...(field === undefined ? {} : { field }) } };
}

/** The problem of an input that does not fit the schema: its first faulty member. */
export function inputProblem({ issues: [issue] }: ZodError): Problem {
  if (issue === undefined) return { code: "invalid", detail: "The input is not valid." };
  const field = issue.path.join(".");
  return field === ""
    ? { code: "invalid", detail: `The input: ${issue.message}` }
    : { code: "invalid", detail: `${field}: ${issue.message}`, field };
}

/** The same answer for what does not exist and for what belongs to another. */
export const notFound = (kind: string, id: string) => refused("notFound", `There is no ${kind} ${id}.`);

/** A reason as a sentence: with a capital and a full stop. */
export const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
