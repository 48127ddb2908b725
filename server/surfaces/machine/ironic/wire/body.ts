// Bodies: JSON of limited size and depth, checked against a schema by the handler, after the caller is known.
import type { IncomingMessage } from "node:http";
import { errorCodes } from "fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { countedText } from "@/server/surfaces/machine/http/counted-text";
import { parseJson } from "@/server/surfaces/machine/http/json-body";
import { formatIssue } from "@/server/domain/schema-text";
import { schemaFault } from "@/server/surfaces/machine/ironic/wire/schema";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";

/** Ironic's own limit since 2026 (docs/api-ironic.md#versions-and-errors); that of the length is the same as ours. */
export const deepest = 25;

/**
 * Keeps bodies as text until `readBody`. A type that is not JSON is 415: a page in a browser can send others without asking.
 * Without a body the type does not matter: Ironic's client deletes as `application/octet-stream`.
 */
export function takeText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) => {
    if ((await countedText(request, payload)) !== "") throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE();
    return undefined;
  });
  app.addContentTypeParser(/^application\/(?:[\w.-]+\+)?json(?:;|$)/, countedText);
}

/** The body's value, not validated yet; undefined if there is no body. Throws 400. */
export function bodyOf(request: FastifyRequest): unknown {
  const text = request.body;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  return parseJson(text, deepest);
}

/** The body, validated by its schema. Throws 400 with the name of the field. */
export function readBody<Schema extends z.ZodType>(
  request: FastifyRequest,
  schema: Schema,
): z.output<Schema> {
  const value = bodyOf(request);
  if (value === undefined) throw fault(400, "Missing mandatory parameter: body");
  const result = schema.safeParse(value, { error: formatIssue });
  if (result.success) return result.data;
  throw schemaFault("body", result.error);
}
