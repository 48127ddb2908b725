// What a web request tells of itself: its id, its address, whether it comes from our own pages.
import { randomUUID } from "node:crypto";
import { clientAddressHeader } from "@/server/surfaces/http/client-address";
import type { Request as RequestFacts } from "@/server/usecases/actor";

/** An id that a proxy gave is kept, so that its log and ours can be joined; anything else is not let into logs. */
const usableId = /^[\w.-]{8,128}$/;

export function requestFacts(headers: Headers): RequestFacts {
  const given = headers.get("x-request-id");
  // Set by the HTTP server for every request (server/surfaces/http/front.ts); a caller's own is overwritten there.
  const address = headers.get(clientAddressHeader);
  return {
    requestId: given !== null && usableId.test(given) ? given : randomUUID(),
    address: address === null || address === "" ? null : address,
  };
}

/**
 * Whether a request that changes something comes from our own pages. Browsers send `Origin` with every POST; a request without it is
 * taken only where the browser itself says that it is same-origin.
 */
export function isSameOrigin(headers: Headers, baseUrl: string): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (origin === new URL(baseUrl).origin) return true;
  const host = headers.get("host");
  return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}
