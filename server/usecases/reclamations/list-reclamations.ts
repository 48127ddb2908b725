// Reclamations, newest first: of one host or of all, and a single one by its number.
import { sql } from "kysely";
import { z } from "zod";
import type { reclamations } from "@/server/contract/reclamations/reclamations";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { atSite, ofSku } from "@/server/usecases/assurance/proof/returns-sql";
import { tenantIdOf } from "@/server/usecases/assurance/proof/search-returns";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { numberPart, pagesOf } from "@/server/usecases/cursor";
import { findReadableHost } from "@/server/usecases/hosts/list/find-readable-host";
import { reclamationColumns, toReclamationHead } from "@/server/usecases/reclamations/reclamation-head";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { ReclamationList, ReclamationRow } from "@/server/contract/reclamations/reclamations-answers";
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

type ListRequest = z.output<typeof reclamations.list.input>;
/** `host`: name or id; defaults to all hosts. */
export type ListReclamations = Pick<ListRequest, "status" | "cursor" | "limit"> & Partial<ListRequest>;

/** Ids in order. */
interface Selected extends Omit<ListReclamations, "host" | "tenant" | "cursor"> {
  readonly hostId: string | null;
  readonly tenantId: string | null;
  /** Number of the last one of the page before. */
  readonly before: number | undefined;
}
async function selectIds(
  database: Database,
  { hostId, tenantId, before, status, standing, site, sku, since, until, limit }: Selected,
): Promise<readonly string[]> {
  const all = [
    hostId === null ? null : sql`r.host_id = ${hostId}::uuid`,
    tenantId === null ? null : sql`r.tenant_id = ${tenantId}::uuid`,
    status === "open" ? sql`r.ended_at IS NULL` : null,
    status === "ended" ? sql`r.ended_at IS NOT NULL` : null,
    standing === undefined
      ? null
      : sql`r.ended_at IS NOT NULL AND coalesce(r.standing, 'notProven') = ${standing}::text`,
    site === undefined ? null : atSite(site),
    sku === undefined ? null : ofSku(sku),
    since === undefined ? null : sql`r.started_at >= ${since}::timestamptz`,
    until === undefined ? null : sql`r.started_at < ${until}::timestamptz`,
    before === undefined ? null : sql`r.number < ${before}::bigint`,
  ].filter((each) => each !== null);
  const rows = await queryRows(
    database,
    sql<{ id: string }>`
    SELECT r.id::text FROM reclamation r WHERE ${sql.join([sql`true`, ...all], sql` AND `)} ORDER BY r.number DESC LIMIT ${limit}`,
  );
  return rows.map(({ id }) => id);
}

/** Its number. */
const pages = pagesOf<[number]>("reclamations", z.tuple([numberPart]));

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
  const tenantId = await tenantIdOf(backend.database, scope.value, query.tenant);
  if (!tenantId.ok) return tenantId;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const [before] = start.value ?? [];
  const limit = Math.min(200, Math.max(1, Math.trunc(query.limit)));
  const ids = await selectIds(backend.database, {
    ...query,
    ...{ hostId: host?.value.id ?? null, tenantId: tenantId.value, before, limit: limit + 1 },
  });
  const found = await backend.database.reclamation.findMany({
    where: { id: { in: ids.slice(0, limit) } },
    orderBy: { number: "desc" },
    select: columns,
  });
  const last = ids.length > limit ? found.at(-1) : undefined;
  return done({
    rows: await toRows(backend, found),
    nextCursor: last === undefined ? null : pages.cursorOf([Number(last.number)]),
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
