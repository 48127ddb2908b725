// What the rooms of the Ironic API stand on, and what each handler knows of its request.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { GuestServer } from "@/server/agents/guest/guest-server";
import { fleetScope } from "@/server/domain/access/access";
import type { FleetScope, Right } from "@/server/domain/access/access";
import type { Actor, Request } from "@/server/usecases/actor";
import type { Backend, HotPool } from "@/server/usecases/backend";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface IronicDeps {
  /** For the statements of hot reads. */
  readonly pool: HotPool;
  readonly backend: Backend;
  readonly logger: Logger;
  /** The public address that links begin with, without a slash at the end. */
  readonly baseUrl: string;
  /** Whether programs on this machine need no sign-in. */
  readonly noauth: boolean;
  /** Where BMCs may be: CIDRs, or `loopback`. */
  readonly bmcNetworks: readonly string[];
  /** Called after a signal was stored: a controller is to look. Must not throw. */
  readonly wake: () => void;
  /** For Ironic's own agent. */
  readonly guests: Pick<GuestServer, "lookup" | "heartbeat" | "inspected">;
}

export interface IronicRequest {
  readonly actor: Actor;
  readonly version: Microversion;
  /** For use cases. */
  readonly facts: Request;
}

interface Known {
  readonly version: Microversion;
  readonly caller: { readonly actor: Actor; readonly facts: Request } | null;
}

const known = new WeakMap<FastifyRequest["raw"], Known>();

/** `actor` null: the address is public. */
export function setIronicRequest(request: FastifyRequest, actor: Actor | null, version: Microversion): void {
  known.set(request.raw, {
    version,
    caller:
      actor === null ? null : { actor, facts: { requestId: request.id, address: request.clientAddress } },
  });
}

export function versionOf(request: FastifyRequest): Microversion {
  const facts = known.get(request.raw);
  if (facts === undefined) throw new Error("not a request of the Ironic API");
  return facts.version;
}

/** Who asks, and in which version: known to every handler of `/v1` but those of its public addresses. */
export function ironicRequest(request: FastifyRequest): IronicRequest {
  const facts = known.get(request.raw);
  if (facts === undefined || facts.caller === null)
    throw new Error("a public address of the Ironic API, or none of it");
  return { ...facts.caller, version: facts.version };
}

/** Throws 403 for a role that may not. Reads of hosts are the provider's: no right of the access table reaches a tenant's own hosts. */
export function demand(actor: Actor, right: Right): FleetScope {
  const scope = fleetScope(actor, right);
  if (scope === null) throw fault(403, `Access was denied to the following resource: ${right}`);
  return scope;
}

/** The answer to a request that the controller carries out: 202 without a body, for the client fails on one with a body. The states are where to look. */
export const sendAccepted = (
  reply: FastifyReply,
  { baseUrl }: Pick<IronicDeps, "baseUrl">,
  ident: string,
): FastifyReply =>
  reply
    .code(202)
    .header("location", `${baseUrl}/v1/nodes/${encodeURIComponent(ident)}/states`)
    .send();

declare module "fastify" {
  interface FastifyContextConfig {
    /** The version that brought the address: below it, it is not there. */
    readonly ironicSince?: Microversion;
    /** Answers without a sign-in. */
    readonly ironicPublic?: boolean;
    /** The methods of an address, for a method that it does not have. */
    readonly ironicMethods?: readonly string[];
  }
}

/** Answers one route. */
export type IronicHandler = (
  deps: IronicDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Gives handlers what they stand on, where their routes are registered. */
export const handlersOn =
  (deps: IronicDeps) =>
  (handler: IronicHandler) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    handler(deps, request, reply);

/** Options of a route that older versions do not have. */
export const since = (version: Microversion) => ({ config: { ironicSince: version } });
