// Which SKU each host without one would get. A proposal is recomputed only if a row that it depends on was written: reading and parsing 2,000 inventories
// takes half a second, and every open SKUs page polls every few seconds.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { proposeSku } from "@/server/domain/hosts/inventory/sku-proposal";
import type { SkuProposal } from "@/server/domain/hosts/inventory/sku-proposal";
import { readFoundHosts, withoutSku } from "@/server/usecases/hosts/skus/read-inventory";
import { perDatabase } from "@/server/usecases/timed-cache";

export interface HostProposal {
  readonly id: string;
  readonly name: string;
  /** Null if no agent has taken an inventory. */
  readonly proposal: SkuProposal | null;
}

interface VersionedHost {
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

/** By host: the proposal, and the version of the rows that it was made from. */
export type KnownProposals = Map<string, Pick<VersionedHost, "version"> & Pick<HostProposal, "proposal">>;

const known = perDatabase<KnownProposals>("skuProposals", { ttlMs: 3_600_000, max: 1 });

/** By name. `xmin` is the transaction that last wrote a row, so it differs after each change. */
const readVersions = (database: Database, most: number): Promise<readonly VersionedHost[]> =>
  queryRows(
    database,
    sql<VersionedHost>`
    SELECT h.id::text, h.name, concat(s.id, ' ', s.policy_version, ' ', a.xmin, ' ', b.xmin, ' ', c.xmin) AS version
    FROM host h JOIN site s ON s.id = h.site_id
      LEFT JOIN host_inventory a ON a.host_id = h.id AND a.source = 'agent'
      LEFT JOIN host_inventory b ON b.host_id = h.id AND b.source = 'bmc'
      LEFT JOIN LATERAL (SELECT r.xmin FROM reclamation r WHERE r.host_id = h.id
        ORDER BY r.started_at DESC, r.number DESC LIMIT 1) c ON true
    WHERE ${withoutSku} ORDER BY h.name LIMIT ${most}`,
  );

/** By name. */
export async function proposalsWithoutSku(
  database: Database,
  most: number,
): Promise<readonly HostProposal[]> {
  const [hosts, proposals] = await Promise.all([
    readVersions(database, most),
    known(database).get("all", () => Promise.resolve<KnownProposals>(new Map())),
  ]);
  const changed = hosts.filter(({ id, version }) => proposals.get(id)?.version !== version);
  const versions = new Map(changed.map(({ id, version }) => [id, version]));
  // What is read here may be newer than its version; then the next call recomputes it.
  for (const { id, found } of await readFoundHosts(database, [...versions.keys()]))
    proposals.set(id, {
      version: versions.get(id) ?? "",
      proposal: found === null ? null : proposeSku(found),
    });
  const present = new Set(hosts.map(({ id }) => id));
  for (const id of proposals.keys()) if (!present.has(id)) proposals.delete(id);
  return hosts.map(({ id, name }) => ({ id, name, proposal: proposals.get(id)?.proposal ?? null }));
}
