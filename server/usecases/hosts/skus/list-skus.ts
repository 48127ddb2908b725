// SKUs with their hosts, and groups of similar hosts without a SKU.
import { sql } from "kysely";
import { readStoredSku } from "@/server/domain/hosts/inventory/sku";
import { clusterHosts, proposeName } from "@/server/domain/hosts/inventory/sku-proposal";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import { readSku } from "@/server/usecases/hosts/skus/sku-record";
import type { SkuList, SkuRow, UnreadableSkuLine } from "@/server/contract/hosts/skus-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { proposalsWithoutSku } from "@/server/usecases/hosts/skus/proposals";
import type { HostProposal } from "@/server/usecases/hosts/skus/proposals";
import { countHostsWithoutSku } from "@/server/usecases/hosts/skus/read-inventory";

/** An inventory has some kB: hosts without a SKU beyond this number are only counted, and grouped once the first of them have one. */
const maxRead = 2_000;
const hostsShown = 5;

type StoredRow = Omit<SkuRow, "components"> & { readonly components: unknown };

interface ReadSkus {
  readonly skus: readonly SkuRow[];
  readonly unreadable: readonly Pick<SkuRow, "name" | "hosts">[];
}

async function readSkus(reader: SqlReader): Promise<ReadSkus> {
  const rows = await queryRows(
    reader,
    sql<StoredRow>`
    SELECT k.id::text, k.name, k.components, k.created_at AS "createdAt",
      (SELECT count(*)::int FROM step_override o WHERE o.scope = 'sku' AND o.scope_id = k.id) AS priorities,
      coalesce(u.hosts, 0) AS hosts, coalesce(u.ready, 0) AS ready
    FROM sku k LEFT JOIN (
      SELECT h.sku_id, count(*)::int AS hosts, count(*) FILTER (WHERE r.state = 'Ready')::int AS ready
      FROM host h JOIN host_run r ON r.host_id = h.id WHERE h.sku_id IS NOT NULL GROUP BY h.sku_id) u ON u.sku_id = k.id
    ORDER BY k.name`,
  );
  const read = rows.map((row) => ({ row, sku: readStoredSku(row.components) }));
  return {
    skus: read.flatMap(({ row, sku }) => (sku.ok ? [{ ...row, components: sku.components }] : [])),
    unreadable: read.flatMap(({ row, sku }) => (sku.ok ? [] : [row])),
  };
}

/** Rare, so each is read individually, in the same way as its repair reads it. */
async function readUnreadable(
  database: Database,
  rows: ReadSkus["unreadable"],
): Promise<SkuList["unreadable"]> {
  const lines: UnreadableSkuLine[] = [];
  for (const { name, hosts } of rows) {
    const sku = await readSku(database, name);
    if (sku === null || sku.entry !== null) continue;
    const { id, faults, stored, priorities, revision } = sku;
    lines.push({ id, name, faults, stored, priorities, hosts, revision });
  }
  return lines;
}

const nameOf = ({ id, name }: Pick<HostProposal, "id" | "name">) => ({ id, name });
const hasInventory = (
  host: HostProposal,
): host is HostProposal & { readonly proposal: NonNullable<HostProposal["proposal"]> } =>
  host.proposal !== null;

export async function listSkus({ database }: Backend, actor: Actor): Promise<Outcome<SkuList>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const [{ skus, unreadable }, hosts, all] = await Promise.all([
    readSkus(database),
    proposalsWithoutSku(database, maxRead),
    countHostsWithoutSku(database),
  ]);
  const known = hosts.filter(hasInventory);
  const { clusters, left } = clusterHosts(known);
  const taken = new Set([...skus, ...unreadable].map(({ name }) => name));
  return done({
    skus,
    unreadable: await readUnreadable(database, unreadable),
    clusters: clusters.map(({ components, hosts: alike }) => {
      const name = proposeName(components, taken);
      taken.add(name);
      return { name, components, count: alike.length, hosts: alike.slice(0, hostsShown).map(nameOf) };
    }),
    left: left.map(({ host, reason }) => ({ host: nameOf(host), reason })),
    withoutInventory: hosts.length - known.length,
    notRead: Math.max(0, all - hosts.length),
  });
}
