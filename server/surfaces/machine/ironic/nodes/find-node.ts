// A node by what stands in an address: its UUID or its name (docs/api-ironic.md#nodes-reading).
import { z } from "zod";
import { named } from "@/server/db/hot/pool";
import type { Actor } from "@/server/usecases/actor";
import { demand, type IronicDeps } from "@/server/surfaces/machine/ironic/deps";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

export interface FoundNode {
  /** The host's id, which is the node's UUID. */
  readonly hostId: string;
  readonly name: string;
}

const byId = named<FoundNode, [string]>(
  "ironic_node_by_id",
  `SELECT id::text AS "hostId", name FROM host WHERE id = $1`,
);
const byName = named<FoundNode, [string]>(
  "ironic_node_by_name",
  `SELECT id::text AS "hostId", name FROM host WHERE name = $1`,
);

const uuid = z.uuid();

/** The version that brought names. */
const namesSince: Microversion = 5;

export const noNode = (ident: string) => fault(404, `Node ${ident.slice(0, 255)} could not be found.`);

export interface NodeIdent {
  readonly kind: "uuid" | "name";
  readonly text: string;
}

/** What an address names a node by. Throws 403 for a role that may read no hosts, and 404 for a name before 1.5 and for what is none. */
export function identOf(actor: Actor, ident: string, version: Microversion): NodeIdent {
  demand(actor, "host.read");
  if (uuid.safeParse(ident).success) return { kind: "uuid", text: ident };
  if (version < namesSince || ident.includes("\u0000")) throw noNode(ident);
  return { kind: "name", text: ident };
}

/** Throws 403 for a role that may read no hosts, and 404 where there is none of that UUID or name; a name is none before 1.5. */
export async function findNode(
  { pool }: Pick<IronicDeps, "pool">,
  actor: Actor,
  ident: string,
  version: Microversion,
): Promise<FoundNode> {
  const { kind, text } = identOf(actor, ident, version);
  const [found] = kind === "uuid" ? await byId(pool, text) : await byName(pool, text);
  if (found === undefined) throw noNode(ident);
  return found;
}
