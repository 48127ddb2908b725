// What the routes of the Ironic API depend on, and what each handler knows about its request.
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
  /** For hot reads. */
  readonly pool: HotPool;
  readonly backend: Backend;
  readonly logger: Logger;
  /** The public address that links begin with, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether programs on this machine need no sign-in. */
  readonly noauth: boolean;
  /** The site's BMC networks: CIDRs, or `loopback`. */
  readonly bmcNetworks: readonly string[];
  /** Called after a signal was stored, so that a controller looks for it. Must not throw. */
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

/** The caller and its version. Known to every handler of `/v1` except at its public addresses. */
export function ironicRequest(request: FastifyRequest): IronicRequest {
  const facts = known.get(request.raw);
  if (facts === undefined || facts.caller === null)
    throw new Error("a public address of the Ironic API, or none of it");
  return { ...facts.caller, version: facts.version };
}

/** Throws 403 for a role without the right. Reading hosts is for the provider: no right in the access table gives a tenant its own hosts here. */
export function demand(actor: Actor, right: Right): FleetScope {
  const scope = fleetScope(actor, right);
  if (scope === null) throw fault(403, `Access was denied to the following resource: ${right}`);
  return scope;
}

/** The answer to a request that the controller carries out: 202 without a body, because the client fails on one. Its Location is the node's states. */
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
    /** The version that introduced the address. Before it, the address does not exist. */
    readonly ironicSince?: Microversion;
    /** Needs no sign-in. */
    readonly ironicPublic?: boolean;
    /** The methods of an address, for the answer to any other method. */
    readonly ironicMethods?: readonly string[];
  }
}

/** Handles one route. */
export type IronicHandler = (
  deps: IronicDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** Binds handlers to their dependencies when their routes are registered. */
export const handlersOn =
  (deps: IronicDeps) =>
  (handler: IronicHandler) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    handler(deps, request, reply);

/** Options of a route that older versions do not have. */
export const since = (version: Microversion) => ({ config: { ironicSince: version } });
