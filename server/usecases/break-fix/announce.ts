// Webhook events, written in the transaction of the change that they report: an event exists exactly if its change does (docs/repair.md#webhooks).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { jsonText } from "@/server/db/hot/json-text";
import type { EventKind } from "@/server/domain/break-fix/event-kinds";
import { concerns } from "@/server/usecases/break-fix/notices";
import { ticketViews } from "@/server/usecases/break-fix/ticket-views";

/** Separate contents for the provider's webhooks and each tenant's, so that no data of one is sent to another. */
interface Event {
  readonly kind: EventKind;
  readonly provider: Readonly<Record<string, unknown>>;
  readonly tenants: readonly {
    readonly tenantId: string;
    readonly data: Readonly<Record<string, unknown>>;
  }[];
}

const bodyOf = (kind: string, data: Readonly<Record<string, unknown>>): string =>
  jsonText({ type: kind, timestamp: new Date().toISOString(), data });

/** Whether any webhook exists: without one, this query is the whole cost of an event. */
async function isListened(tx: SqlReader): Promise<boolean> {
  return (await queryRows(tx, sql`SELECT 1 FROM webhook LIMIT 1`)).length > 0;
}

export async function announce(tx: SqlReader, { kind, provider, tenants }: Event): Promise<void> {
  const readers = [
    { tenant_id: null, body: bodyOf(kind, provider) },
    ...tenants.map(({ tenantId, data }) => ({ tenant_id: tenantId, body: bodyOf(kind, data) })),
  ];
  await queryRows(
    tx,
    sql`
    INSERT INTO webhook_delivery (webhook_id, kind, body)
    SELECT w.id, ${kind}, r.body FROM jsonb_to_recordset(${jsonText(readers)}::jsonb) AS r (tenant_id uuid, body text)
      JOIN webhook w ON w.tenant_id IS NOT DISTINCT FROM r.tenant_id
    WHERE cardinality(w.kinds) = 0 OR ${kind} = ANY(w.kinds)
    RETURNING id`,
  );
}

interface NoticeEvent {
  readonly ref: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly site: string | null;
  readonly rack: string | null;
  readonly host_id: string | null;
  readonly tenants: readonly {
    readonly tenantId: string;
    readonly instanceIds: readonly string[];
    readonly hostIds: readonly string[];
  }[];
}

/** Sent to those who currently have an affected machine. */
export async function announceNotice(
  tx: SqlReader,
  id: string,
  kind: Extract<EventKind, `notice.${string}`>,
): Promise<void> {
  if (!(await isListened(tx))) return;
  const [notice] = await queryRows(
    tx,
    sql<NoticeEvent>`
    SELECT n.ref, s.name AS site, n.rack, n.host_id::text,
      jsonb_build_object('id', n.id, 'ref', n.ref, 'kind', n.kind, 'immediate', n.immediate, 'startsAt', n.starts_at, 'endsAt', n.ends_at,
        'message', left(n.message, 1024), 'ended', n.ended, 'site', s.name) AS facts,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('tenantId', x.tenant_id, 'instanceIds', x.instances, 'hostIds', x.hosts)), '[]') FROM (
        SELECT i.tenant_id, jsonb_agg(i.id) AS instances, jsonb_agg(i.host_id) AS hosts FROM instance i JOIN host h ON h.id = i.host_id
        WHERE i.ended_at IS NULL AND ${concerns}
        GROUP BY i.tenant_id) x) AS tenants
    FROM notice n LEFT JOIN site s ON s.id = n.site_id WHERE n.id = ${id}::uuid`,
  );
  if (notice === undefined) return;
  const { facts, rack, host_id: hostId, tenants } = notice;
  await announce(tx, {
    kind,
    provider: { ...facts, rack, hostId },
    tenants: tenants.map(({ tenantId, ...machines }) => ({ tenantId, data: { ...facts, ...machines } })),
  });
}

/** How much of a note is included in an event, which only says that there is something to read. */
const longestNote = 1024;

/** `note` is the text of the update. An internal note goes to the provider only, and an update that adds nothing else is not sent to tenants at all. */
export async function announceTicket(
  tx: SqlReader,
  id: string,
  kind: Extract<EventKind, `ticket.${string}`>,
  said: { readonly note: string; readonly shared: boolean; readonly news: boolean },
): Promise<void> {
  if (!(await isListened(tx))) return;
  const views = await ticketViews(tx, id);
  if (views === null) return;
  const note = said.note.slice(0, longestNote);
  const { provider, tenant, tenantId } = views;
  await announce(tx, {
    kind,
    provider: { ticket: provider, note },
    tenants:
      tenant === null || tenantId === null || !said.news
        ? []
        : [{ tenantId, data: { ticket: tenant, note: said.shared ? note : "" } }],
  });
}
