// Tickets as each reader may see them: the provider all; a tenant its own, without internal notes and names of people; a repair tenant those of the
// hosts that it repairs, without whose they are (docs/repair.md#tickets).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { TicketDetail, TicketList, TicketUpdateLine } from "@/server/contract/break-fix/answers";
import type { tickets as contract } from "@/server/contract/break-fix/tickets";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import { changeLines, ticketAuthors, ticketParts } from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import { isObject } from "@/server/domain/json";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import {
  known,
  nameOf,
  readsAs,
  ticketColumns,
  ticketFrom,
  toRow,
} from "@/server/usecases/break-fix/ticket-views";
import type { TicketRecord } from "@/server/usecases/break-fix/ticket-views";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { holdsForRepair } from "@/server/usecases/repair/queue-rows";
import { isUuid } from "@/server/domain/uuid";

/** Open tickets of the hosts that a repair tenant holds for a repair, at the sites where it may repair. Hosts that it holds for other reasons do not count. */
const inHands = (tenantId: string, siteIds: readonly string[]): RawBuilder<unknown> =>
  sql`(t.closed_at IS NULL AND t.site_id = ANY(${[...siteIds]}::uuid[]) AND EXISTS (SELECT 1 FROM instance i WHERE i.host_id = t.host_id AND i.ended_at IS NULL AND i.tenant_id = ${tenantId}::uuid
        AND ${holdsForRepair} -- safety: tickets: a repair tenant reads those of hosts that it repairs
      ))`;

/** Which tickets an actor may read; a problem if none. */
function visibleTo(actor: Actor): Outcome<RawBuilder<unknown>> {
  const scope = scopeOf(actor, "ticket.read");
  if (!scope.ok) return scope;
  if (scope.value.kind === "all") return done(sql`true`);
  const own = sql`t.tenant_id = ${scope.value.tenantId}::uuid`;
  // Another tenant's tickets are hidden.
  return done(sql`(${own} OR ${inHands(scope.value.tenantId, actor.targetedAt)})`);
}

type ListRequest = z.output<typeof contract.list.input>;

function conditions(
  visible: RawBuilder<unknown>,
  asked: ListRequest,
  provider: boolean,
): RawBuilder<unknown> {
  const pattern = containing(asked.filter);
  return sql.join(
    [
      visible,
      ...(asked.status === "open" ? [sql`t.closed_at IS NULL`] : []),
      ...(asked.status === "closed" ? [sql`t.closed_at IS NOT NULL`] : []),
      ...(asked.category === undefined ? [] : [sql`t.category = ${asked.category}`]),
      ...(asked.hostId === undefined ? [] : [sql`t.host_id = ${asked.hostId}::uuid`]),
      ...(asked.filter === ""
        ? []
        : provider
          ? [
              sql`(t.ref ILIKE ${pattern} OR t.summary ILIKE ${pattern} OR t.host_name ILIKE ${pattern} OR t.external_ref ILIKE ${pattern})`,
            ]
          : [sql`(t.ref ILIKE ${pattern} OR t.summary ILIKE ${pattern})`]),
    ],
    sql` AND `,
  );
}

const pages = pagesByTime("tickets");

/** Newest first. */
export async function listTickets(
  { database }: Backend,
  actor: Actor,
  asked: ListRequest,
): Promise<Outcome<TicketList>> {
  const visible = visibleTo(actor);
  if (!visible.ok) return visible;
  const wanted = conditions(visible.value, asked, !roleTable[actor.role].ofTenant);
  const start = pages.start(asked.cursor);
  if (!start.ok) return start;
  const [records, counted] = await Promise.all([
    queryRows(
      database,
      sql<TicketRecord>`SELECT ${ticketColumns} FROM ${ticketFrom} WHERE ${wanted} AND ${beyond(sql`(t.opened_at, t.id)`, "<", start.value)} ORDER BY t.opened_at DESC, t.id DESC LIMIT ${asked.limit + 1}`,
    ),
    asked.cursor === null
      ? queryRows(
          database,
          sql<{ total: number }>`SELECT count(*)::int AS total FROM ticket t WHERE ${wanted}`,
        )
      : null,
  ]);
  const { page, nextCursor } = pages.page(records, asked.limit, ({ openedAt, id }) => [openedAt, id]);
  return done({
    rows: page.map((row) => toRow(row, readsAs(actor, row))),
    nextCursor,
    total: counted?.[0]?.total ?? null,
  });
}

/** By id or reference; null if there is none that the actor may see. `lock` keeps others from changing it until the transaction ends. */
export async function findTicket(
  reader: SqlReader,
  actor: Actor,
  ticket: string,
  lock: boolean,
): Promise<Outcome<TicketRecord | null>> {
  const visible = visibleTo(actor);
  if (!visible.ok) return visible;
  const named = isUuid(ticket) ? sql`t.id = ${ticket}::uuid` : sql`t.ref = ${ticket.toUpperCase()}`;
  const rows = await queryRows(
    reader,
    sql<TicketRecord>`SELECT ${ticketColumns} FROM ${ticketFrom} WHERE ${named} AND ${visible.value} ${lock ? sql`FOR UPDATE OF t` : sql``}`,
  );
  return done(rows[0] ?? null);
}

interface UpdateRecord {
  readonly id: string;
  readonly at: Date;
  readonly author: string;
  readonly author_tenant_id: string | null;
  readonly by: string;
  readonly audience: string;
  readonly note: string;
  readonly changes: unknown;
}

function toLine(row: UpdateRecord, as: TicketAuthor, actor: Actor): TicketUpdateLine {
  const own = row.author_tenant_id !== null && row.author_tenant_id === actor.tenantId;
  return {
    id: row.id,
    at: row.at,
    author: known(ticketAuthors, row.author) ?? "system",
    by: nameOf(as, row.author, row.by, own),
    audience: row.audience === "shared" ? "shared" : "internal",
    note: row.note,
    changes: changeLines(isObject(row.changes) ? row.changes : {}),
  };
}

/** Which updates a reader sees: a tenant the shared ones, a repair tenant those that it wrote itself. */
function updatesFor(as: TicketAuthor, actor: Actor): RawBuilder<unknown> {
  switch (as) {
    case "provider":
    case "system":
      return sql`true`;
    case "tenant":
      // Internal notes are for the provider only.
      return sql`audience = 'shared'`;
    case "repairTenant":
      return sql`author_tenant_id = ${actor.tenantId}::uuid`;
  }
}

export async function getTicket(
  { database }: Backend,
  actor: Actor,
  { ticket }: { readonly ticket: string },
): Promise<Outcome<TicketDetail>> {
  const found = await findTicket(database, actor, ticket, false);
  if (!found.ok) return found;
  const record = found.value;
  if (record === null) return notFound("ticket", ticket);
  const as = readsAs(actor, record);
  const updates = await queryRows(
    database,
    sql<UpdateRecord>`
    SELECT id::text, at, author, author_tenant_id::text, by, audience, note, changes FROM ticket_update
    WHERE ticket_id = ${record.id}::uuid AND ${updatesFor(as, actor)} ORDER BY seq`,
  );
  return done({
    ...toRow(record, as),
    details: record.details,
    parts: ticketParts.catch([]).parse(record.parts),
    updates: updates.map((row) => toLine(row, as, actor)),
    mayWriteAs: actor.role === "auditor" || actor.readOnly === true ? null : as,
  });
}
