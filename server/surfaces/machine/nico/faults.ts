// NICo's own form of an error, and what it calls things that go wrong (docs/api.md#nico).
import type { FastifyReply } from "fastify";
import { problems } from "@/server/domain/problems";
import type { ProblemCode } from "@/server/domain/problems";
import type { Outcome } from "@/server/usecases/problem";

/** May be thrown by whatever a handler calls: the error handler of `/v2` answers with it. */
export class NicoFault extends Error {
  override readonly name = "NicoFault";

  constructor(
    readonly status: number,
    message: string,
    /** By field, what is wrong with it. */
    readonly data: Readonly<Record<string, string>> | null = null,
  ) {
    super(message);
  }
}

/** Answers in the form of NICo. */
export function sendNicoFault(
  reply: FastifyReply,
  { status, message, data }: Pick<NicoFault, "status" | "message" | "data">,
): FastifyReply {
  if (status === 401) reply.header("www-authenticate", "Bearer");
  return reply
    .code(status)
    .type("application/json")
    .send(JSON.stringify({ source: "nico", message, data }));
}

/** What a use case answers. Throws what it refuses, in NICo's words where it has some for the code. */
export function valueOf<T>(outcome: Outcome<T>, words: Partial<Record<ProblemCode, string>> = {}): T {
  if (outcome.ok) return outcome.value;
  const { code, detail } = outcome.problem;
  throw new NicoFault(problems[code].status, words[code] ?? detail);
}
