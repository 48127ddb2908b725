// JSON bodies: parsed once, and refused if they could harm later code (depth, prototypes, text that PostgreSQL cannot store).
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { holdsUnstorableText } from "@/server/domain/storable-text";
import { countedText } from "@/server/surfaces/machine/http/counted-text";

/** The protocol's deepest body has 8 levels. */
export const deepest = 32;

/** A body that is refused before it is read further. The message names the reason, never the content. */
export class MalformedBody extends Error {
  override readonly name = "MalformedBody";
}

/** The depth of arrays and objects in JSON text, counted without recursion; stops counting above `limit`. */
export function jsonDepth(text: string, limit: number): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let index = 0; index < text.length && most <= limit; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) most = Math.max(most, (depth += 1));
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return most;
}

/** Escapes for NUL or a lone surrogate, neither of which a `text` or `jsonb` column accepts. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}

/** Parses a body. `levels`: maximum depth. Throws MalformedBody. */
export function parseJson(text: string, levels = deepest): unknown {
  if (text.trim() === "") throw new MalformedBody("The body is empty.");
  if (jsonDepth(text, levels) > levels)
    throw new MalformedBody(`The body is nested deeper than ${levels} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MalformedBody("The body is not valid JSON.");
  }
  if (/__proto__|\\u005f/i.test(text) && hasPrototypeKey(value))
    throw new MalformedBody("The body has a member name that is not allowed.");
  if (suspicious.test(text) && holdsUnstorableText(value))
    throw new MalformedBody("A string in the body contains an invalid character.");
  return value;
}

/** Only `application/json` (and `+json`); anything else is 415. */
export function takeJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/,
    async (request: FastifyRequest, payload: IncomingMessage) =>
      parseJson(await countedText(request, payload)),
  );
}
