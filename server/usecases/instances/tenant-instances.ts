// Instances as an organisation asks for them: a page, a single one, and its history. Another tenant's instance is answered as not found.
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import {
  findInstanceOwner,
  readInstances,
  readRecentStatus,
  readStatusHistory,
} from "@/server/usecases/instances/instance-pages";
import type {
  HistoryOrder,
  InstanceFilter,
  InstanceOrder,
  InstanceRecord,
  StatusLine,
} from "@/server/usecases/instances/instance-pages";
import type { Page } from "@/server/usecases/page";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The caller, and the organisation on whose behalf it asks. */
export interface Member {
  readonly actor: Actor;
  readonly org: string;
}

/** An instance with the newest lines of its history. */
export interface InstanceWithHistory extends InstanceRecord {
  readonly history: readonly StatusLine[];
}

const historyWithInstance = 20;

async function withHistory(
  database: Database,
  rows: readonly InstanceRecord[],
): Promise<readonly InstanceWithHistory[]> {
  const ids = rows.map(({ id }) => id);
  const lines = await readRecentStatus(database, ids, historyWithInstance);
  return rows.map((row) => ({ ...row, history: lines.filter(({ instanceId }) => instanceId === row.id) }));
}

/** The tenant that a request is about. The provider's people name it by its organisation. */
async function tenantOf(database: Database, { actor, org }: Member): Promise<string | null> {
  if (actor.tenantId !== null) return actor.tenantId;
  return (await database.tenant.findUnique({ where: { org }, select: { id: true } }))?.id ?? null;
}

/** @param filter null matches no instance. `forbidden` if there is no such organisation. */
export async function listTenantInstances(
  database: Database,
  member: Member,
  filter: Omit<InstanceFilter, "tenantId"> | null,
  page: Page<InstanceOrder>,
): Promise<Outcome<{ readonly rows: readonly InstanceWithHistory[]; readonly total: number }>> {
  const tenantId = await tenantOf(database, member);
  if (tenantId === null) return refused("forbidden", `There is no organisation ${member.org}.`);
  if (filter === null) return done({ rows: [], total: 0 });
  const { rows, total } = await readInstances(database, { ...filter, tenantId }, page);
  return done({ rows: await withHistory(database, rows), total });
}

/** The tenant of an instance. `notFound` for another tenant's; `forbidden` if the organisation is not its tenant's. */
async function findTenantInstance(
  database: Database,
  { actor, org }: Member,
  instanceId: string,
  { ended }: { readonly ended: boolean },
): Promise<Outcome<{ readonly tenantId: string }>> {
  const owner = await findInstanceOwner(database, instanceId);
  if (owner === null || (owner.ended && !ended)) return notFound("instance", instanceId);
  if (actor.tenantId !== null && actor.tenantId !== owner.tenantId) return notFound("instance", instanceId);
  return owner.tenantOrg === org
    ? done({ tenantId: owner.tenantId })
    : refused("forbidden", `The instance ${instanceId} does not belong to ${org}.`);
}

/** One instance that has not ended. */
export async function getTenantInstance(
  database: Database,
  member: Member,
  instanceId: string,
): Promise<Outcome<InstanceWithHistory>> {
  const found = await findTenantInstance(database, member, instanceId, { ended: false });
  if (!found.ok) return found;
  const { rows } = await readInstances(
    database,
    { tenantId: found.value.tenantId, id: instanceId },
    { pageNumber: 1, pageSize: 1, orderBy: "CREATED_DESC" },
  );
  const [row] = await withHistory(database, rows);
  return row === undefined ? notFound("instance", instanceId) : done(row);
}

/** The status history of an instance, even after its end. */
export async function getInstanceHistory(
  database: Database,
  member: Member,
  instanceId: string,
  page: Page<HistoryOrder>,
): Promise<Outcome<{ readonly rows: readonly StatusLine[]; readonly total: number }>> {
  const found = await findTenantInstance(database, member, instanceId, { ended: true });
  return found.ok ? done(await readStatusHistory(database, instanceId, page)) : found;
}
