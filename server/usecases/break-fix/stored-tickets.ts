// How tickets are written: an insert with its first update, and every later update, each in the transaction that caused it (docs/adr/0095-break-fix.md).
import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { TicketCategory } from "@/server/domain/break-fix/categories";
import { publicRef } from "@/server/domain/break-fix/ticket";
import { announceTicket } from "@/server/usecases/break-fix/announce";
import type {
  ReplacementWish,
  TicketAudience,
  TicketAuthor,
  TicketChange,
  TicketOrigin,
  TicketOutcome,
  TicketPart,
  TicketState,
} from "@/server/domain/break-fix/ticket";

/** The author, as shown to readers. */
export interface TicketWriter {
  readonly author: TicketAuthor;
  /** Null for the provider's people and Reclaim. */
  readonly tenantId: string | null;
  readonly name: string;
}

export interface NewTicket extends ReplacementWish {
  readonly hostId: string;
  /** The tenant that it belongs to; null for the provider alone. */
  readonly tenantId: string | null;
  readonly instanceId: string | null;
  readonly origin: TicketOrigin;
  readonly category: TicketCategory;
  readonly summary: string;
  readonly details: string;
  readonly parts: readonly TicketPart[];
  readonly externalRef: string | null;
}

export interface TicketName {
  readonly id: string;
  readonly ref: string;
}

interface OpenTicket extends ReplacementWish {
  readonly id: string;
  readonly origin: string;
  readonly summary: string;
  readonly details: string;
  readonly notes: readonly string[];
}

/** The open ticket of an instance that a release or an online repair opened, locked. */
export async function lockReported(tx: SqlReader, instanceId: string): Promise<OpenTicket | undefined> {
  const [open] = await queryRows(
    tx,
    sql<OpenTicket>`
    SELECT id::text, origin, summary, details, replacement_wanted AS "replacementWanted", ARRAY(SELECT u.note FROM ticket_update u WHERE u.ticket_id = t.id) AS notes
    FROM ticket t WHERE instance_id = ${instanceId}::uuid AND closed_at IS NULL AND origin IN ('release', 'onlineRepair')
    ORDER BY opened_at DESC, t.id DESC LIMIT 1 FOR UPDATE OF t`,
  );
  return open;
}

/** Null if there is no such host. */
export async function insertTicket(
  tx: SqlReader,
  ticket: NewTicket,
  writer: TicketWriter,
): Promise<TicketName | null> {
  const id = randomUUID();
  const ref = publicRef("BF", randomBytes(10));
  const rows = await queryRows(
    tx,
    sql<{ id: string }>`
    INSERT INTO ticket (id, ref, host_id, host_name, host_serial, site_id, tenant_id, instance_id, handed_over_at, origin, category, summary, details,
      parts, external_ref, replacement_wanted, opened_as, opened_by)
    SELECT ${id}::uuid, ${ref}, h.id, h.name, h.serial, h.site_id, ${ticket.tenantId}::uuid, ${ticket.instanceId}::uuid,
      (SELECT i.ready_at FROM instance i WHERE i.id = ${ticket.instanceId}::uuid), ${ticket.origin}, ${ticket.category}, ${ticket.summary}, ${ticket.details},
      ${JSON.stringify(ticket.parts)}::jsonb, ${ticket.externalRef}, ${ticket.replacementWanted}, ${writer.author}, ${writer.name}
    FROM host h WHERE h.id = ${ticket.hostId}::uuid
    RETURNING id::text`,
  );
  if (rows.length === 0) return null;
  await insertUpdate(tx, id, {
    writer,
    audience: ticket.tenantId === null ? "internal" : "shared",
    note: "",
    changes: { state: "open", category: ticket.category },
  });
  await announceTicket(tx, id, "ticket.opened", { note: "", shared: true, news: true });
  return { id, ref };
}

interface NewUpdate {
  readonly writer: TicketWriter;
  readonly audience: TicketAudience;
  readonly note: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

async function insertUpdate(tx: SqlReader, ticketId: string, update: NewUpdate): Promise<void> {
  const { writer, audience, note, changes } = update;
  await queryRows(
    tx,
    sql`
    INSERT INTO ticket_update (ticket_id, author, author_tenant_id, by, audience, note, changes)
    VALUES (${ticketId}::uuid, ${writer.author}, ${writer.tenantId}::uuid, ${writer.name}, ${audience}, ${note}, ${JSON.stringify(changes)}::jsonb)
    RETURNING id`,
  );
}

/** What can change when a ticket closes, in addition to the fields of an update. */
export interface TicketEnd {
  readonly outcome?: TicketOutcome;
  readonly replacementHostId?: string | null;
  readonly replacementInstanceId?: string | null;
}

/** The caller has locked the row. An internal note without changes is no news for the tenant, so `updated_at` stays. */
export async function writeUpdate(
  tx: SqlReader,
  ticketId: string,
  change: TicketChange & TicketEnd,
  said: Omit<NewUpdate, "changes">,
): Promise<void> {
  const closes = change.outcome !== undefined;
  const state: TicketState | null = closes ? "closed" : (change.state ?? null);
  const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const news = Object.keys(changes).length > 0 || said.audience === "shared";
  await queryRows(
    tx,
    sql`
    UPDATE ticket SET
      state = coalesce(${state}::text, state),
      outcome = coalesce(${change.outcome ?? null}::text, outcome),
      closed_at = CASE WHEN ${closes}::boolean THEN now() ELSE closed_at END,
      category = coalesce(${change.category ?? null}::text, category),
      action = coalesce(${change.action ?? null}::text, action),
      parts = coalesce(${change.parts === undefined ? null : JSON.stringify(change.parts)}::jsonb, parts),
      external_ref = CASE WHEN ${change.externalRef !== undefined}::boolean THEN ${change.externalRef ?? null}::text ELSE external_ref END,
      replacement_wanted = coalesce(${change.replacementWanted ?? null}::boolean, replacement_wanted),
      replacement_host_id = coalesce(${change.replacementHostId ?? null}::uuid, replacement_host_id),
      replacement_instance_id = coalesce(${change.replacementInstanceId ?? null}::uuid, replacement_instance_id),
      updated_at = CASE WHEN ${news}::boolean THEN now() ELSE updated_at END
    WHERE id = ${ticketId}::uuid RETURNING id`,
  );
  await insertUpdate(tx, ticketId, { ...said, changes });
  await announceTicket(tx, ticketId, closes ? "ticket.closed" : "ticket.updated", {
    note: said.note,
    shared: said.audience === "shared",
    news,
  });
}
