// One SKU: components, baseline, priorities, hosts, and the history of acts on it.
import { sql } from "kysely";
import { z } from "zod";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { storedState } from "@/server/domain/lifecycle/states";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { SkuDetail } from "@/server/contract/hosts/skus-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readSku } from "@/server/usecases/hosts/skus/sku-record";

const hostsShown = 200;
const actsShown = 50;

interface HostOf {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly inMaintenance: boolean;
  readonly all: number;
  readonly differing: number;
}

const readHosts = (reader: SqlReader, skuId: string): Promise<HostOf[]> =>
  queryRows(
    reader,
    sql<HostOf>`
    SELECT h.id::text, h.name, r.state, r.maintenance AS "inMaintenance", count(*) OVER ()::int AS all,
      count(*) FILTER (WHERE r.state = 'BomValidating/SkuVerificationFailed') OVER ()::int AS differing
    FROM host h JOIN host_run r ON r.host_id = h.id WHERE h.sku_id = ${skuId}::uuid ORDER BY h.name LIMIT ${hostsShown}`,
  );

const logged = z.looseObject({ changes: z.array(z.string()).default([]), reason: z.string().optional() });

async function readActs({ database }: Backend, skuId: string): Promise<SkuDetail["history"]> {
  const events = await database.auditEvent.findMany({
    where: { targetKind: "sku", targetId: skuId, outcome: "done" },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: actsShown,
    select: { at: true, actorName: true, action: true, after: true },
  });
  return events.map(({ at, actorName, action, after }) => {
    const { changes, reason } = logged.catch({ changes: [] }).parse(after);
    return {
      at,
      byName: actorName,
      action,
      words: [...(reason === undefined ? [] : [reason]), ...changes],
    };
  });
}

export async function getSku(
  backend: Backend,
  actor: Actor,
  { sku: name }: { readonly sku: string },
): Promise<Outcome<SkuDetail>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const sku = await readSku(backend.database, name);
  if (sku === null) return notFound("SKU", name);
  const { entry } = sku;
  if (entry === null) return refused("notAllowedNow", unreadableText(sku));
  const [hosts, history] = await Promise.all([
    readHosts(backend.database, sku.id),
    readActs(backend, sku.id),
  ]);
  return done({
    id: sku.id,
    ...entry,
    revision: sku.revision,
    createdAt: sku.createdAt,
    hostCount: hosts[0]?.all ?? 0,
    differing: hosts[0]?.differing ?? 0,
    hosts: hosts.map(({ all: _, differing: _differing, state, ...host }) => ({
      ...host,
      state: storedState(state),
    })),
    history,
  });
}
