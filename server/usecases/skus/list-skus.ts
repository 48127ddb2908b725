// SKUs with their hosts, and groups of like hosts without a SKU.
import { sql } from "kysely";
import { storedComponents } from "@/server/domain/inventory/sku";
import { clusterHosts, proposeName } from "@/server/domain/inventory/sku-proposal";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { SkuList, SkuRow } from "@/server/contract/answers/skus";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { countHostsWithoutSku, readHostsWithoutSku } from "@/server/usecases/skus/read-found";
import type { HostFound } from "@/server/usecases/skus/read-found";

/** An inventory is some kB: more hosts without a SKU than these are counted, and grouped when the first of them have one. */
const mostRead = 2_000;
const hostsShown = 5;

type StoredRow = Omit<SkuRow, "components"> & { readonly components: unknown };

async function readSkus(reader: SqlReader): Promise<readonly SkuRow[]> {
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
  return rows.map((row) => ({ ...row, components: storedComponents.parse(row.components) }));
}

const nameOf = ({ id, name }: Pick<HostFound, "id" | "name">) => ({ id, name });
const hasInventory = (
  host: HostFound,
): host is HostFound & { readonly found: NonNullable<HostFound["found"]> } => host.found !== null;

export async function listSkus({ database }: Backend, actor: Actor): Promise<Outcome<SkuList>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const [skus, hosts, all] = await Promise.all([
    readSkus(database),
    readHostsWithoutSku(database, mostRead),
    countHostsWithoutSku(database),
  ]);
  const known = hosts.filter(hasInventory);
  const { clusters, left } = clusterHosts(known);
  const taken = new Set(skus.map(({ name }) => name));
  return done({
    skus,
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
