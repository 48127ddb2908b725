// Problem documents (RFC 9457) of our own machine surfaces.
import type { FastifyReply } from "fastify";
import { describeProblem, problems } from "@/server/domain/problems";
import type { AnyProblemCode } from "@/server/domain/problems";

export interface MachineProblem {
  readonly code: AnyProblemCode;
  readonly detail?: string;
  /** The wrong member of body, query or path. */
  readonly field?: string;
}

export const problemDocument = ({ code, detail, field }: MachineProblem, requestId: string) => ({
  ...describeProblem(code, detail),
  requestId,
  ...(field === undefined ? {} : { field }),
});

export function sendProblem(reply: FastifyReply, problem: MachineProblem): FastifyReply {
  const { status } = problems[problem.code];
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (status === 503) reply.header("retry-after", "1");
  return reply
    .code(status)
    .type("application/problem+json")
    .send(JSON.stringify(problemDocument(problem, reply.request.id)));
}
