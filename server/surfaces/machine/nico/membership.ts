// Who calls, and for which org (docs/api.md#nico).
import type { FastifyRequest } from "fastify";
import type { Right } from "@/server/domain/access/access";
import { authenticateBearer, authenticateMember } from "@/server/usecases/access/authenticate-member";
import type { Backend } from "@/server/usecases/backend";
import type { Member } from "@/server/usecases/instances/tenant-instances";
import { serviceActor } from "@/server/usecases/sites/tenants/service-account";
import { scopeOf } from "@/server/usecases/read";
import { valueOf } from "@/server/surfaces/machine/nico/faults";

const notKnown = { unauthenticated: "Request does not carry a valid bearer token" };

/** The person behind the token, who must belong to the org in the path. Throws 401 and 403. */
export async function memberOf(backend: Backend, request: FastifyRequest, org: string): Promise<Member> {
  const actor = valueOf(await authenticateMember(backend, request.headers.authorization, org), {
    ...notKnown,
    forbidden: `Failed to validate membership for org: ${org}`,
  });
  return { actor, org };
}

/** Before the body is received: throws 401 unless the request carries a token of somebody. */
export async function knownCaller(backend: Backend, request: FastifyRequest): Promise<void> {
  valueOf(await authenticateBearer(backend, request.headers.authorization), notKnown);
}

/** The same for those who may read, create, edit or release instances. If the org is provider and tenant in one, the person acts as the tenant. */
export async function instanceMember(
  backend: Backend,
  request: FastifyRequest,
  org: string,
  right: Extract<Right, "instance.read" | "instance.create" | "instance.edit" | "instance.release">,
): Promise<Member> {
  const member = await memberOf(backend, request, org);
  const actor = (await serviceActor(backend, member.actor, org)) ?? member.actor;
  valueOf(scopeOf(actor, right), { forbidden: "User does not have Tenant Admin role with org" });
  return { actor, org };
}
