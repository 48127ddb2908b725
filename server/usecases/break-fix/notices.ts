// Notices as each reader may see them: the provider all, a tenant those for machines that it has, or had at that time (docs/repair.md#notices).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { NoticeRow, notices as contract } from "@/server/contract/break-fix/notices";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import { isUuid } from "@/server/domain/uuid";
import { noticeEnds, noticeKinds, noticeStatus, standingTable } from "@/server/domain/break-fix/notice";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

interface NoticeRecord {
  readonly id: string;
  readonly ref: string;
  readonly kind: string;
  readonly site: string | null;
  readonly rack: string | null;
  readonly host_id: string | null;
  readonly host: string | null;
  readonly immediate: boolean;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
  readonly message: string;
  readonly note: string;
  readonly ended: string | null;
  readonly ended_at: Date | null;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly concerned: number;
  /** The first of the affected instances. */
  readonly instances: readonly { readonly id: string; readonly name: string; readonly hostId: string }[];
  readonly acks: readonly { readonly tenant: string; readonly by: string; readonly at: string }[];
}

/** Condition on a notice `n` and a host `h`. */
export const concerns = sql`h.site_id = n.site_id AND (n.rack IS NULL OR h.rack = n.rack) AND (n.host_id IS NULL OR h.id = n.host_id)`;

/** Instances `i` that had an affected machine while the notice was open. */
const touched = sql`instance i JOIN host h ON h.id = i.host_id WHERE ${concerns}
  AND i.created_at < coalesce(n.ended_at, 'infinity') AND coalesce(i.ended_at, 'infinity') > n.created_at`;

/** A notice for a site may affect thousands of instances, and is polled every few seconds. */
const maxInstances = 20;

const ofTenant = (tenantId: string): RawBuilder<unknown> => sql`i.tenant_id = ${tenantId}::uuid`;

interface Portion {
  readonly limit: number;
  readonly allInstances?: boolean | undefined;
}

/** The notices that match `where` and that the actor may see. */
async function readNotices(
  reader: SqlReader,
  actor: Actor,
  where: RawBuilder<unknown>,
  { limit, allInstances = false }: Portion,
): Promise<Outcome<readonly NoticeRecord[]>> {
  const scope = scopeOf(actor, "notice.read");
  if (!scope.ok) return scope;
  const own = scope.value.kind === "tenant" ? ofTenant(scope.value.tenantId) : null;
  // A tenant sees no notice for a rack or site where it has nothing: it would reveal who has what.
  const visible = own === null ? sql`true` : sql`EXISTS (SELECT 1 FROM ${touched} AND ${own})`;
  const most = allInstances ? sql`true` : sql`t.place <= ${maxInstances}`;
  const acks = scope.value.kind === "tenant" ? sql`a.tenant_id = ${scope.value.tenantId}::uuid` : sql`true`;
  return done(
    await queryRows(
      reader,
      sql<NoticeRecord>`
      SELECT n.id::text, n.ref, n.kind, s.name AS site, n.rack, n.host_id::text, g.name AS host, n.immediate, n.starts_at, n.ends_at, n.message, n.note, n.ended, n.ended_at,
        n.created_by, n.created_at, n.updated_at, c.concerned, c.instances,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('tenant', t.name, 'by', a.by, 'at', a.at) ORDER BY a.at), '[]') FROM notice_ack a JOIN tenant t ON t.id = a.tenant_id
          WHERE a.notice_id = n.id AND ${acks}) AS acks
      FROM notice n LEFT JOIN site s ON s.id = n.site_id LEFT JOIN host g ON g.id = n.host_id
        CROSS JOIN LATERAL (SELECT count(*)::int AS concerned,
            coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'hostId', t.host_id) ORDER BY t.place) FILTER (WHERE ${most}), '[]') AS instances
          FROM (SELECT i.id, i.name, i.host_id, row_number() OVER (ORDER BY i.name, i.id) AS place FROM ${touched}
            AND (i.ended_at IS NULL OR n.ended_at IS NOT NULL) AND ${own ?? sql`true`}) t) c
      WHERE ${where} AND ${visible} ORDER BY n.ended_at IS NOT NULL, n.starts_at DESC, n.id LIMIT ${limit}`,
    ),
  );
}

/** The notice as the actor sees it. */
export function noticeView(row: NoticeRecord, actor: Actor): NoticeRow {
  const provider = !roleTable[actor.role].ofTenant;
  const ended = noticeEnds.find((each) => each === row.ended) ?? null;
  const standing = noticeStatus({ startsAt: row.starts_at, endsAt: row.ends_at, ended }, new Date());
  return {
    id: row.id,
    ref: row.ref,
    kind: noticeKinds.find((each) => each === row.kind) ?? "maintenance",
    scope: row.host_id !== null ? "host" : row.rack !== null ? "rack" : "site",
    site: row.site,
    rack: provider ? row.rack : null,
    host: provider ? row.host : null,
    immediate: row.immediate,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    standing,
    standingWords: standingTable[standing].words,
    tone: standingTable[standing].tone,
    message: row.message,
    note: provider ? row.note : "",
    endedAt: row.ended_at,
    createdBy: provider ? row.created_by : "the provider",
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    concerned: row.concerned,
    instances: row.instances,
    acknowledged: row.acks.map(({ tenant, by, at }) => ({ tenant, by, at: new Date(at) })),
    mayAcknowledge: !provider && actor.readOnly !== true && ended === null && row.acks.length === 0,
  };
}

/** By id or reference; null if the actor may see none. */
export async function findNotice(
  reader: SqlReader,
  actor: Actor,
  notice: string,
): Promise<Outcome<NoticeRecord | null>> {
  const where = isUuid(notice) ? sql`n.id = ${notice}::uuid` : sql`n.ref = ${notice.toUpperCase()}`;
  const found = await readNotices(reader, actor, where, { limit: 1 });
  return found.ok ? done(found.value[0] ?? null) : found;
}

/** Notices after this one in list order. */
const follows = ({ ended_at: endedAt, starts_at: startsAt, id }: NoticeRecord): RawBuilder<unknown> =>
  sql`(n.ended_at IS NOT NULL, ${startsAt}::timestamptz, n.id) > (${endedAt !== null}::boolean, n.starts_at, ${id}::uuid)`;

/** Open notices first, each group newest first. A page starts after the notice `after`, which the actor must be allowed to see. */
export async function listNotices(
  { database }: Backend,
  actor: Actor,
  { status, hostId, after, ...portion }: z.output<typeof contract.list.input>,
): Promise<Outcome<readonly NoticeRow[]>> {
  const last = after === undefined ? null : await findNotice(database, actor, after);
  if (last?.ok === false) return last;
  if (last?.value === null) return notFound("notice", after ?? "");
  const where = sql.join(
    [
      status === "open"
        ? sql`n.ended_at IS NULL`
        : status === "ended"
          ? sql`n.ended_at IS NOT NULL`
          : sql`true`,
      ...(last === null ? [] : [follows(last.value)]),
      ...(hostId === undefined
        ? []
        : [sql`EXISTS (SELECT 1 FROM host h WHERE h.id = ${hostId}::uuid AND ${concerns})`]),
    ],
    sql` AND `,
  );
  const found = await readNotices(database, actor, where, portion);
  return found.ok ? done(found.value.map((row) => noticeView(row, actor))) : found;
}
