// Facts about a web request: its id, its address, and whether it comes from our own pages.
import { randomUUID } from "node:crypto";
import { clientAddressHeader } from "@/server/surfaces/http/client-address";
import type { Request as RequestFacts } from "@/server/usecases/actor";

/** A proxy's id is kept, so that its log and ours can be joined. Anything else must not get into logs. */
const usableId = /^[\w.-]{8,128}$/;

export function requestFacts(headers: Headers): RequestFacts {
  const given = headers.get("x-request-id");
  // Set by the HTTP server for every request (server/surfaces/http/front.ts), which overwrites a caller's own.
  const address = headers.get(clientAddressHeader);
  return {
    requestId: given !== null && usableId.test(given) ? given : randomUUID(),
    address: address === null || address === "" ? null : address,
  };
}

/**
 * Whether a request that changes something comes from our own pages. Browsers send `Origin` with every POST. A request without it is accepted
 * only if the browser itself says that it is same-origin.
 */
export function isSameOrigin(headers: Headers, baseUrl: string): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (origin === new URL(baseUrl).origin) return true;
  const host = headers.get("host");
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}
