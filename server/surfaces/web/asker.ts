// Who calls: the holder of a bearer token, or the person behind the session cookie; never both, and never one in place of the other.
import { bearerToken } from "@/server/domain/access/tokens";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import type { Actor } from "@/server/usecases/actor";
import { isSameOrigin, requestFacts } from "@/server/surfaces/web/request";
import { sessionActor } from "@/server/surfaces/web/session";
import type { WebBackend } from "@/server/surfaces/web/web-backend";

type AskerBackend = Pick<WebBackend, "database" | "config">;

/** Other schemes belong to somebody else, such as a proxy's own sign-in, which browsers repeat. They say nothing about our caller. */
const isBearer = (headers: Headers): boolean =>
  /^bearer(\s|,|$)/i.test(headers.get("authorization")?.trim() ?? "");

/**
 * Null for nobody. A request with a bearer token is its holder's, or nobody's if the token is wrong. Its cookie is ignored, so that a program
 * learns that its token is bad instead of acting as whoever is signed in.
 */
export function readAsker(backend: AskerBackend, headers: Headers): Promise<Actor | null> {
  // safety: asker: a bearer token is not looked past (always)
  if (!isBearer(headers)) return sessionActor(backend, headers);
  const token = bearerToken(headers.get("authorization"));
  const { address } = requestFacts(headers);
  return token === null ? Promise.resolve(null) : authenticateToken(backend.database, token, address);
}

/**
 * Whether the caller intends the request. Browsers add cookies to requests that other pages make, so those must come from our own pages. No
 * browser adds a bearer token by itself, and none lets another page add one without asking us first, which we refuse.
 */
export const isDeliberate = (headers: Headers, baseUrl: string): boolean =>
  isBearer(headers) || isSameOrigin(headers, baseUrl);
