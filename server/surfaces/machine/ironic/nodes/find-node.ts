// A node by what stands in an address: its UUID or its name (docs/api-ironic.md#nodes-reading).
import { z } from "zod";
import type { Actor } from "@/server/usecases/actor";
import { findNodeHost, type FoundNode, type NodeIdent } from "@/server/usecases/nodes/reading/find-node";
import { readStanding, type Standing } from "@/server/usecases/nodes/reading/node-standing";
import { readNode } from "@/server/usecases/nodes/reading/read-nodes";
import { demand, type IronicDeps, type IronicRequest } from "@/server/surfaces/machine/ironic/deps";
import { selectFields, type Wanted } from "@/server/surfaces/machine/ironic/nodes/node-selection";
import { fault } from "@/server/surfaces/machine/ironic/wire/errors";
import type { Microversion } from "@/server/surfaces/machine/ironic/wire/version";

const uuid = z.guid();

/** The version that brought names. */
const namesSince: Microversion = 5;

export const noNode = (ident: string) => fault(404, `Node ${ident.slice(0, 255)} could not be found.`);

/** What an address names a node by. Throws 403 for a role that may read no hosts, and 404 for a name before 1.5 and for what is none. */
export function identOf(actor: Actor, ident: string, version: Microversion): NodeIdent {
  const scope = demand(actor, "host.read");
  if (uuid.safeParse(ident).success) return { kind: "uuid", text: ident, scope };
  if (version < namesSince || ident.includes("\u0000")) throw noNode(ident);
  return { kind: "name", text: ident, scope };
}

/** Throws 403 for a role that may read no hosts, and 404 where there is none of that UUID or name; a name is none before 1.5. */
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

/** The same, with all that verbs are decided by. */
export async function findStanding(
  { backend }: Pick<IronicDeps, "backend">,
  { actor, version }: IronicRequest,
  ident: string,
): Promise<Standing> {
  const found = await readStanding(backend.database, identOf(actor, ident, version));
  if (found === null) throw noNode(ident);
  return found;
}

/** The JSON text of one node, as every address that gives one back answers. Throws 404. */
export async function nodeText(
  { pool, baseUrl }: Pick<IronicDeps, "pool" | "baseUrl">,
  ident: NodeIdent,
  version: Microversion,
  wanted: Wanted = "all",
): Promise<string> {
  const { parts, write } = selectFields(wanted, version, baseUrl);
  const row = await readNode(pool, parts, ident);
  if (row === null) throw noNode(ident.text);
  return write(row);
}
