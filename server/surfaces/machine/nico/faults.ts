// NICo's error format, and its messages for problems (docs/api.md#nico).
import type { FastifyReply } from "fastify";
import { problems } from "@/server/domain/problems";
import type { ProblemCode } from "@/server/domain/problems";
import type { Outcome } from "@/server/usecases/problem";

/** May be thrown by anything that a handler calls. The error handler of `/v2` turns it into the answer. */
export class NicoFault extends Error {
  override readonly name = "NicoFault";

  constructor(
    readonly status: number,
    message: string,
    /** What is wrong, by field. */
    readonly data: Readonly<Record<string, string>> | null = null,
  ) {
    super(message);
  }
}

/** Answers in NICo's format. */
export function sendNicoFault(
  reply: FastifyReply,
  { status, message, data }: Pick<NicoFault, "status" | "message" | "data">,
): FastifyReply {
  if (status === 429 || status === 503) reply.header("retry-after", "1");
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply
    .code(status)
    .type("application/json")
    .send(JSON.stringify({ source: "nico", message, data }));
}

/** The value of a use case's outcome. Throws its problem, with NICo's message if it has one for the code. */
export function valueOf<T>(outcome: Outcome<T>, words: Partial<Record<ProblemCode, string>> = {}): T {
  if (outcome.ok) return outcome.value;
  const { code, detail } = outcome.problem;
  throw new NicoFault(problems[code].status, words[code] ?? detail);
}
