// Reclamations, newest first: of one host or of all, and a single one by its number.
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { decodeCursor, encodeCursor } from "@/server/usecases/cursor";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { ReclamationList, ReclamationRow } from "@/server/contract/answers/reclamations";
import { tenantNames } from "@/server/usecases/tenant-names";

const columns = { ...reclamationColumns, hostId: true, hostSerial: true } as const;
type Head = Parameters<typeof toReclamationHead>[0];
type Row = Head & { readonly hostId: string; readonly hostSerial: string };

async function toRows({ database }: Backend, rows: readonly Row[]): Promise<readonly ReclamationRow[]> {
  const [tenants, hosts] = await Promise.all([
    tenantNames(database),
    database.host.findMany({
      where: { id: { in: [...new Set(rows.map(({ hostId }) => hostId))] } },
      select: { id: true, name: true },
    }),
  ]);
  const names = new Map(hosts.map(({ id, name }) => [id, name]));
  return rows.map(({ hostId, hostSerial, ...row }) => ({
    ...toReclamationHead(row, tenants),
    hostId,
    hostName: names.get(hostId) ?? hostSerial,
  }));
}

export interface ListReclamations {
  /** Name or id; defaults to all hosts. */
  readonly host?: string | undefined;
  readonly status: "open" | "ended" | "all";
  readonly cursor: string | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** Ordered by number, which increases over time. */
export async function listReclamations(
  backend: Backend,
  actor: Actor,
  query: ListReclamations,
): Promise<Outcome<ReclamationList>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const host = query.host === undefined ? null : await findReadableHost(backend, actor, query.host);
  if (host !== null && !host.ok) return host;
  const [before] = query.cursor === null ? [] : (decodeCursor(query.cursor, "reclamations") ?? []);
  if (query.cursor !== null && (before === undefined || !/^\d{1,18}$/.test(before)))
    return refused("invalid", "This cursor does not belong to this list.", "cursor");
  const limit = Math.min(200, Math.max(1, Math.trunc(query.limit)));
  const found = await backend.database.reclamation.findMany({
    where: {
      ...(host === null ? {} : { hostId: host.value.id }),
      ...(query.status === "open"
        ? { endedAt: null }
        : query.status === "ended"
          ? { endedAt: { not: null } }
          : {}),
      ...(before === undefined ? {} : { number: { lt: BigInt(before) } }),
    },
    orderBy: { number: "desc" },
    take: limit + 1,
    select: columns,
  });
  const last = found.length > limit ? found[limit - 1] : undefined;
  return done({
    rows: await toRows(backend, found.slice(0, limit)),
    nextCursor: last === undefined ? null : encodeCursor("reclamations", [String(last.number)]),
  });
}

/** @param query.number `R-42` or `42` */
export async function findReclamation(
  backend: Backend,
  actor: Actor,
  query: { readonly number: string },
): Promise<Outcome<ReclamationRow>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const digits = /^(?:r-)?(\d{1,18})$/i.exec(query.number)?.[1];
  const row =
    digits === undefined
      ? null
      : await backend.database.reclamation.findUnique({ where: { number: BigInt(digits) }, select: columns });
  const [found] = row === null ? [] : await toRows(backend, [row]);
  return found === undefined ? notFound("reclamation", query.number) : done(found);
}
