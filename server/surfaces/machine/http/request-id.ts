// The id that identifies a request in logs, records and answers.
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The caller's `X-Request-Id` if it is safe to log; otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
