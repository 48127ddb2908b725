// One call to the server, retried with exponential backoff until there is an answer (docs/design/agent.md#protocol).
import type { z } from "zod";
import { longestPauseMs } from "@/server/domain/agents/signs-of-life";
import { parseJson } from "@/server/domain/json";
import { SessionOver, Stopped } from "@/agent/protocol/ends";
import type { HttpRequest, Surroundings } from "@/agent/surroundings";

const firstPauseMs = 250;

export type Reply<Value> =
  | { readonly kind: "answer"; readonly value: Value }
  | { readonly kind: "refused"; readonly status: number; readonly text: string };

/** Transient errors: the server is busy or restarting, or something in between is broken. */
const passing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429;

/**
 * Returns the parsed answer, or `refused` for a 4xx that a retry would not change. Throws SessionOver on 401, and Stopped if the program is to
 * stop or `request.signal` fires.
 */
export async function call<Value>(
  around: Surroundings,
  request: HttpRequest,
  schema: z.ZodType<Value> | null,
  nothing: Value,
): Promise<Reply<Value>> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (request.signal.aborted) throw new Stopped(`${request.method} ${request.path} was given up`);
    try {
      const { status, text } = await around.http(request);
      if (status === 401)
        throw new SessionOver(`${request.method} ${request.path}: 401 ${text.slice(0, 1000)}`);
      if (status >= 200 && status < 300) {
        if (schema === null) return { kind: "answer", value: nothing };
        const value = parseJson(schema, text);
        if (value !== null) return { kind: "answer", value };
        around.log("warn", `${request.method} ${request.path}: an answer that is not one of the protocol`);
      } else if (!passing(status)) {
        return { kind: "refused", status, text: text.slice(0, 1000) };
      }
    } catch (error) {
      if (error instanceof SessionOver) throw error;
      if (request.signal.aborted) throw new Stopped(`${request.method} ${request.path} was given up`);
      around.log(
        "warn",
        `${request.method} ${request.path}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    const jitter = (around.chance.bytes(1)[0] ?? 0) / 256;
    await around.clock.sleep(pauseMs * (0.5 + jitter / 2), request.signal);
  }
}
