// Gone hosts: the list, one record, and the records of a serial number (docs/decommission.md#the-record).
import { z } from "zod";
import type { Database } from "@/server/db/prisma";
import type { GoneDetail, GoneHost, GoneList } from "@/server/contract/hosts/gone";
import { goneWays } from "@/server/contract/hosts/leftovers";
import { leftover } from "@/server/domain/hosts/decommission/leftovers";
import { isFake } from "@/server/domain/hosts/fake/fake-type";
import type { HostDetail } from "@/server/contract/hosts/hosts-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { leftoverLines } from "@/server/usecases/hosts/decommission/leaving-of";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";
import { tenantNames } from "@/server/usecases/tenant-names";
import { isUuid } from "@/server/domain/uuid";

const way = z.enum(goneWays);

/** How it left, as shown: for a host without a machine, nothing was proven. */
const shownWay = (row: { readonly how: string; readonly hardwareType: string }): GoneHost["how"] =>
  isFake(row) ? "fake" : way.parse(row.how);

const storedLeftovers = z.array(leftover);

const rowColumns = {
  id: true,
  hostId: true,
  name: true,
  serial: true,
  manufacturer: true,
  model: true,
  site: true,
  rack: true,
  slot: true,
  how: true,
  hardwareType: true,
  reason: true,
  byName: true,
  goneAt: true,
} as const;

const newestFirst = [{ goneAt: "desc" }, { id: "desc" }] as const;
const pages = pagesByTime("gone");
const after = ([goneAt, id]: Place) => ({ OR: [{ goneAt: { lt: goneAt } }, { goneAt, id: { lt: id } }] });

export async function listGone(
  { database }: Backend,
  actor: Actor,
  query: { readonly text: string; readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<GoneList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const { text, cursor, limit } = query;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const contains = { contains: text, mode: "insensitive" } as const;
  const where = text === "" ? {} : { OR: [{ name: contains }, { serial: contains }, { reason: contains }] };
  const beyond = start.value === null ? {} : after(start.value);
  const [rows, total] = await Promise.all([
    database.goneHost.findMany({
      where: { AND: [where, beyond] },
      orderBy: [...newestFirst],
      take: limit + 1,
      select: rowColumns,
    }),
    database.goneHost.count({ where }),
  ]);
  const { page, nextCursor } = pages.page(rows, limit, (row) => [row.goneAt, row.id]);
  return done({
    rows: page.map(({ hardwareType, ...row }): GoneHost => ({
      ...row,
      how: shownWay({ ...row, hardwareType }),
    })),
    total,
    nextCursor,
  });
}

/** By the id of the record or the host, else by name or serial number; if several match, the newest. */
async function findGone(database: Database, host: string) {
  return database.goneHost.findFirst({
    where: { OR: isUuid(host) ? [{ id: host }, { hostId: host }] : [{ name: host }, { serial: host }] },
    orderBy: [...newestFirst],
    omit: { byId: true },
  });
}

export async function getGone(
  { database }: Backend,
  actor: Actor,
  { host }: { readonly host: string },
): Promise<Outcome<GoneDetail>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const record = await findGone(database, host);
  if (record === null) return notFound("gone host", host);
  const { hostId, serial } = record;
  const [reclamations, tenants, debts, returned] = await Promise.all([
    database.reclamation.findMany({
      where: { hostId },
      orderBy: [{ startedAt: "desc" }, { number: "desc" }],
      take: 50,
      select: reclamationColumns,
    }),
    tenantNames(database),
    serial === null ? 0 : database.debt.count({ where: { chassisSerial: serial, clearedAt: null } }),
    serial === null ? null : database.host.findUnique({ where: { serial }, select: { name: true } }),
  ]);
  return done({
    ...record,
    how: shownWay(record),
    leftovers: leftoverLines(storedLeftovers.parse(record.leftovers)),
    reclamations: reclamations.map((row) => toReclamationHead(row, tenants)),
    debts,
    returnedAs: returned?.name ?? null,
  });
}

/** Records with this serial number, newest first: the machine was in the fleet before. */
export async function readEarlier(database: Database, serial: string): Promise<HostDetail["earlier"]> {
  const rows = await database.goneHost.findMany({
    where: { serial },
    orderBy: [...newestFirst],
    take: 10,
    select: { id: true, name: true, how: true, hardwareType: true, goneAt: true },
  });
  return rows.map(({ hardwareType, ...row }) => ({ ...row, how: shownWay({ ...row, hardwareType }) }));
}
