// Authenticates the person behind a bearer token as a member of an organisation.
import { bearerToken } from "@/server/domain/access/tokens";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The person behind the token in a header, of any organisation. */
export async function authenticateBearer(
  { database }: Backend,
  authorization: string | undefined,
): Promise<Outcome<Actor>> {
  const token = bearerToken(authorization);
  const actor = token === null ? null : await authenticateToken(database, token);
  return actor === null
    ? refused("unauthenticated", "The bearer token is missing, wrong or has expired.")
    : done(actor);
}

/** The provider's people may act for any tenant organisation. @param authorization the header */
export async function authenticateMember(
  backend: Backend,
  authorization: string | undefined,
  org: string,
): Promise<Outcome<Actor>> {
  const known = await authenticateBearer(backend, authorization);
  if (!known.ok) return known;
  const actor = known.value;
  return actor.org === null || actor.org === org
    ? done(actor)
    : refused("forbidden", `${actor.name} does not belong to ${org}.`);
}
