// Reads the bodies of machines' requests: counted as they arrive, together with those of the console (server/surfaces/http/counted-body.ts).
import { errorCodes } from "fastify";
import type { FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { addressGroup } from "@/server/domain/access/sign-in-limits";
import { bodyLimitBytes } from "@/server/domain/agents/protocol";
import { bodyTimeMs, readWhole, type ReceivedBytes } from "@/server/surfaces/http/counted-body";

declare module "fastify" {
  interface FastifyInstance {
    /** Of this process, shared with the console. */
    readonly receivedBytes: ReceivedBytes;
  }
}

/** A body that was not received. The codes are those of failures.ts. */
class UnreceivedBody extends Error {
  override readonly name = "UnreceivedBody";
  constructor(readonly code: "BODY_TOO_SLOW" | "BODY_NO_ROOM" | "BODY_GONE") {
    super(code);
  }
}

/** The body as text, up to the limit of its route. A content type parser: it runs after the route's `onRequest` hooks, which look at the token. */
export async function countedText(request: FastifyRequest, payload: IncomingMessage): Promise<string> {
  const bytes = request.routeOptions.bodyLimit ?? bodyLimitBytes;
  if (Number(request.headers["content-length"] ?? 0) > bytes)
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const body = await readWhole(payload, {
    bytes,
    withinMs: bodyTimeMs,
    received: request.server.receivedBytes,
    caller: addressGroup(request.clientAddress),
  });
  if (body === "tooLong") throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  if (body === "tooSlow") throw new UnreceivedBody("BODY_TOO_SLOW");
  if (body === "noRoom") throw new UnreceivedBody("BODY_NO_ROOM");
  if (body === "gone") throw new UnreceivedBody("BODY_GONE");
  return body.toString("utf8");
}
