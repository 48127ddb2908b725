// Finds the node that a path names, by UUID or name (docs/api-ironic.md#nodes-reading).
import { z } from "zod";
import type { Actor } from "@/server/usecases/actor";
import {
  findNodeHost,
  type FoundNode,
  type NodeIdent,
} from "@/server/usecases/hosts/nodes/reading/find-node";
import { readNodeState, type NodeState } from "@/server/usecases/hosts/nodes/reading/node-state";
import { readNode } from "@/server/usecases/hosts/nodes/reading/read-nodes";
import { demand, type IronicDeps, type IronicRequest } from "@/server/surfaces/machine/ironic/deps";
import { selectFields, type FieldSelection } from "@/server/surfaces/machine/ironic/nodes/node-selection";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const uuid = z.guid();

/** The version that introduced names. */
const namesSince: Microversion = 5;

export const noNode = (ident: string) => fault(404, `Node ${ident.slice(0, 255)} could not be found.`);

/** How a path names a node. Throws 403 for a role that may not read hosts, and 404 for a name before 1.5 or an invalid one. */
export function identOf(actor: Actor, ident: string, version: Microversion): NodeIdent {
  const scope = demand(actor, "host.read");
  if (uuid.safeParse(ident).success) return { kind: "uuid", text: ident, scope };
  if (version < namesSince || ident.includes("\u0000")) throw noNode(ident);
  return { kind: "name", text: ident, scope };
}

/** Throws 403 for a role that may not read hosts, and 404 if there is no node with that UUID or name. Before 1.5 names do not count. */
export async function findNode(
  { pool }: Pick<IronicDeps, "pool">,
  actor: Actor,
  ident: string,
  version: Microversion,
): Promise<FoundNode> {
  const found = await findNodeHost(pool, identOf(actor, ident, version));
  if (found === null) throw noNode(ident);
  return found;
}

/** The same, with everything that decides about verbs. */
export async function findStanding(
  { backend }: Pick<IronicDeps, "backend">,
  { actor, version }: IronicRequest,
  ident: string,
): Promise<NodeState> {
  const found = await readNodeState(backend.database, identOf(actor, ident, version));
  if (found === null) throw noNode(ident);
  return found;
}

/** The JSON text of one node, as every route that returns one sends it. Throws 404. */
export async function nodeText(
  { pool, baseUrl }: Pick<IronicDeps, "pool" | "baseUrl">,
  ident: NodeIdent,
  version: Microversion,
  wanted: FieldSelection = "all",
): Promise<string> {
  const { parts, write } = selectFields(wanted, version, baseUrl);
  const row = await readNode(pool, parts, ident);
  if (row === null) throw noNode(ident.text);
  return write(row);
}
