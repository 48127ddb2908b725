// Finds a node's host by what a path names it by, and reads the few facts of it that other queries have no column for.
import { named } from "@/server/db/hot/pool";
import type { HotPool } from "@/server/usecases/backend";
import type { FleetScope } from "@/server/domain/access/access";

export interface FoundNode {
  /** The host's id, which is the node's UUID. */
  readonly hostId: string;
  readonly name: string;
}

/** How a path names a node. */
export interface NodeIdent {
  readonly kind: "uuid" | "name";
  readonly text: string;
  /** The caller may read every host. */
  readonly scope: FleetScope;
}

const byId = named<FoundNode, [string]>(
  "ironic_node_by_id",
  `SELECT id::text AS "hostId", name FROM host WHERE id = $1`,
);
const byName = named<FoundNode, [string]>(
  "ironic_node_by_name",
  `SELECT id::text AS "hostId", name FROM host WHERE name = $1`,
);
const traits = named<{ readonly traits: readonly string[] }, [string]>(
  "ironic_node_traits",
  "SELECT traits FROM host WHERE id = $1::uuid",
);
const shards = named<{ readonly name: string; readonly count: number }, []>(
  "ironic_shards",
  "SELECT shard AS name, count(*)::int AS count FROM node_record WHERE shard IS NOT NULL GROUP BY shard ORDER BY shard",
);

/** Null if there is none with this id or name. */
export async function findNodeHost(pool: HotPool, { kind, text }: NodeIdent): Promise<FoundNode | null> {
  const [found] = kind === "uuid" ? await byId(pool, text) : await byName(pool, text);
  return found ?? null;
}

/** Whether a host still exists. */
export const hasNode = async (pool: HotPool, hostId: string): Promise<boolean> =>
  (await byId(pool, hostId)).length > 0;

/** The host's traits for runbooks. */
export const readTraits = async (pool: HotPool, hostId: string): Promise<readonly string[]> =>
  (await traits(pool, hostId))[0]?.traits ?? [];

/** Number of nodes in each shard, by name. */
export const countShards = (pool: HotPool, _scope: FleetScope) => shards(pool);
