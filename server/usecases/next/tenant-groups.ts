// What a tenant can act on: notices for its machines, its webhooks, and, where it repairs hosts, those that it may claim or holds.
import { sql } from "kysely";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { heldGroup, noticeGroup, repairGroup, webhookGroup } from "@/server/domain/next/repair-lines";
import type { HeldFact } from "@/server/domain/next/repair-lines";
import { readWebhookFact } from "@/server/usecases/next/read-facts";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { listNotices } from "@/server/usecases/break-fix/notices";
import type { SeenGroup } from "@/server/usecases/next/provider-groups";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { readClaimable } from "@/server/usecases/repair/queue-rows";
import { heldRepairs, isHeld } from "@/server/usecases/repair/list-held";
import { atSites, mayRepair, ownRepairs, repairScope } from "@/server/usecases/repair/repair-scope";
import type { RepairScope } from "@/server/usecases/repair/repair-scope";

/** More than anybody reads; the line says how many there are up to it. */
const mostNotices = 100;

async function noticeGroups(backend: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  const read = await listNotices(backend, actor, { status: "open", allInstances: false, limit: mostNotices });
  if (!read.ok) return read;
  const open = read.value
    .filter(({ mayAcknowledge }) => mayAcknowledge)
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  const [first] = open;
  if (first === undefined) return done([]);
  const since = open.reduce(
    (oldest, { createdAt }) => (createdAt < oldest ? createdAt : oldest),
    first.createdAt,
  );
  return done([{ ...noticeGroup({ ...first, notices: open.length, since }), mayAct: true }]);
}

/** Hosts that the tenant has claimed for a repair, until it releases them. */
async function readHeld(database: Database, scope: RepairScope): Promise<HeldFact | null> {
  const [row] = await queryRows(
    database,
    sql<HeldFact>`
    SELECT count(*)::int AS hosts, (array_agg(h.name ORDER BY p.claimed_at, p.id))[1] AS host, min(p.claimed_at) AS since
    FROM ${heldRepairs} JOIN host h ON h.id = p.host_id WHERE ${isHeld} AND ${ownRepairs(scope)} HAVING count(*) > 0`,
  );
  return row ?? null;
}

async function repairGroups({ database }: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  if (!mayRepair(actor)) return done([]);
  const scope = repairScope(actor);
  if (!scope.ok) return scope;
  const [claimable, held] = await Promise.all([
    readClaimable(database, atSites(scope.value)),
    readHeld(database, scope.value),
  ]);
  return done([
    ...(held === null ? [] : [{ ...heldGroup(held), mayAct: true }]),
    ...(claimable === null ? [] : [{ ...repairGroup({ ...claimable, own: true }), mayAct: true }]),
  ]);
}

async function webhookGroups(
  { database }: Backend,
  { role, tenantId }: Actor,
): Promise<readonly SeenGroup[]> {
  if (tenantId === null || reachOf(role, "webhook.write") === "none") return [];
  const failing = await readWebhookFact(database, tenantId);
  return failing === null ? [] : [{ ...webhookGroup(failing), mayAct: true }];
}

export async function tenantGroups(backend: Backend, actor: Actor): Promise<Outcome<readonly SeenGroup[]>> {
  const [notices, repairs, webhooks] = await Promise.all([
    noticeGroups(backend, actor),
    repairGroups(backend, actor),
    webhookGroups(backend, actor),
  ]);
  if (!notices.ok) return notices;
  if (!repairs.ok) return repairs;
  return done([...notices.value, ...repairs.value, ...webhooks]);
}
