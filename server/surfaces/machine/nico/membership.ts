// Who asks under which org (docs/api.md#nico).
import type { FastifyRequest } from "fastify";
import { bearerToken } from "@/server/domain/access/tokens";
import type { Right } from "@/server/domain/access/access";
import { reachOf } from "@/server/domain/access/access";
import { authenticateToken } from "@/server/usecases/access/authenticate-token";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { nicoOk, nicoRefused, type NicoResult } from "@/server/surfaces/machine/nico/errors";

export interface Member {
  readonly actor: Actor;
  readonly org: string;
}

/** The person behind the token, who belongs to the org in the path. The provider's people may name any of their tenants' orgs. */
export async function memberOf(
  backend: Backend,
  request: FastifyRequest,
  org: string,
): Promise<NicoResult<Member>> {
  const token = bearerToken(request.headers.authorization);
  const actor = token === null ? null : await authenticateToken(backend.database, token);
  if (actor === null) return nicoRefused(401, "Request does not carry a valid bearer token");
  if (actor.org !== null && actor.org !== org)
    return nicoRefused(403, `Failed to validate membership for org: ${org}`);
  return nicoOk({ actor, org });
}

/** Instances are for those who may read or release them; the words are NICo's. */
export function mayWithInstances(
  member: Member,
  right: Extract<Right, "instance.read" | "instance.release">,
): NicoResult<null> {
  return reachOf(member.actor.role, right) === "none"
    ? nicoRefused(403, "User does not have Tenant Admin role with org")
    : nicoOk(null);
}
