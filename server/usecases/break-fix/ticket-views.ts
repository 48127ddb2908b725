// A ticket as each reader may see it: the provider all; a tenant its own, without names of people; a repair tenant those of the hosts that it repairs,
// without whose they are (docs/repair.md#tickets).
import { sql } from "kysely";
import type { TicketRow } from "@/server/contract/break-fix/answers";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { roleTable } from "@/server/domain/access/roles";
import {
  actionLabels,
  categoryLabels,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import {
  outcomeLabels,
  ticketOrigins,
  ticketOutcomes,
  ticketStates,
  ticketStateTable,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import type { Actor } from "@/server/usecases/actor";

export interface TicketRecord {
  readonly id: string;
  readonly ref: string;
  readonly host_id: string;
  readonly host_name: string;
  readonly host_serial: string | null;
  readonly rack: string | null;
  readonly site: string | null;
  readonly tenant_id: string | null;
  readonly tenant: string | null;
  readonly org: string | null;
  readonly instance_id: string | null;
  readonly instance: string | null;
  readonly handed_over_at: Date | null;
  readonly origin: string;
  readonly category: string;
  readonly summary: string;
  readonly details: string;
  readonly action: string;
  readonly parts: unknown;
  readonly state: string;
  readonly outcome: string | null;
  readonly external_ref: string | null;
  readonly replacement_wanted: boolean;
  readonly replacement_host_id: string | null;
  readonly replacement_instance_id: string | null;
  readonly opened_as: string;
  readonly opened_by: string;
  readonly opened_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
}

export const ticketColumns = sql`t.id::text, t.ref, t.host_id::text, t.host_name, t.host_serial, h.rack, s.name AS site, t.tenant_id::text, n.name AS tenant, n.org,
  t.instance_id::text, i.name AS instance, coalesce(t.handed_over_at, i.ready_at) AS handed_over_at, t.origin, t.category, t.summary, t.details, t.action, t.parts, t.state, t.outcome,
  t.external_ref, t.replacement_wanted, t.replacement_host_id::text, t.replacement_instance_id::text, t.opened_as, t.opened_by, t.opened_at, t.updated_at, t.closed_at`;
export const ticketFrom = sql`ticket t LEFT JOIN host h ON h.id = t.host_id LEFT JOIN site s ON s.id = t.site_id
  LEFT JOIN tenant n ON n.id = t.tenant_id LEFT JOIN instance i ON i.id = t.instance_id`;

/** The role in which a reader reads this ticket. */
export const readsAs = (actor: Actor, ticket: Pick<TicketRecord, "tenant_id">): TicketAuthor =>
  !roleTable[actor.role].ofTenant
    ? "provider"
    : ticket.tenant_id === actor.tenantId
      ? "tenant"
      : "repairTenant";

/** A stored word, if this version knows it. */
export const known = <Word extends string>(words: readonly Word[], word: string | null): Word | null =>
  words.find((each) => each === word) ?? null;

/** @param as the role whose words are used */
export function toRow(row: TicketRecord, as: TicketAuthor): TicketRow {
  const category = known(ticketCategories, row.category) ?? "other";
  const action = known(ticketActions, row.action) ?? "diagnosed";
  const state = known(ticketStates, row.state) ?? "inProgress";
  const outcome = known(ticketOutcomes, row.outcome);
  const provider = as === "provider";
  const tenants = as !== "repairTenant";
  const machine = as !== "tenant";
  return {
    id: row.id,
    ref: row.ref,
    hostId: row.host_id,
    host: machine ? row.host_name : null,
    serial: machine ? row.host_serial : null,
    rack: machine ? row.rack : null,
    site: row.site,
    tenant: tenants ? row.tenant : null,
    tenantOrg: tenants ? row.org : null,
    instanceId: tenants ? row.instance_id : null,
    instance: tenants ? row.instance : null,
    handedOverAt: tenants ? row.handed_over_at : null,
    origin: known(ticketOrigins, row.origin) ?? "operator",
    category,
    categoryWords: categoryLabels[category],
    summary: row.summary,
    action,
    actionWords: actionLabels[action],
    state,
    stateWords: ticketStateTable[state].words,
    tone: ticketStateTable[state].tone,
    outcome,
    outcomeWords: outcome === null ? null : outcomeLabels[outcome],
    externalRef: provider ? row.external_ref : null,
    replacementWanted: tenants && row.replacement_wanted,
    replacementHostId: tenants ? row.replacement_host_id : null,
    replacementInstanceId: tenants ? row.replacement_instance_id : null,
    openedBy: nameOf(as, row.opened_as, row.opened_by, row.opened_as === "tenant" && as === "tenant"),
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
  };
}

/** Tenants see only the names of their own people. */
export function nameOf(as: TicketAuthor, author: string, by: string, own: boolean): string {
  if (as === "provider" || own) return by;
  return author === "provider" ? "the provider" : author === "system" ? "Reclaim" : "its tenant";
}

/** A ticket as the provider and as its tenant read it; `tenant` is null if it belongs to none. */
export async function ticketViews(
  reader: SqlReader,
  id: string,
): Promise<{
  readonly provider: TicketRow;
  readonly tenant: TicketRow | null;
  readonly tenantId: string | null;
} | null> {
  const [row] = await queryRows(
    reader,
    sql<TicketRecord>`SELECT ${ticketColumns} FROM ${ticketFrom} WHERE t.id = ${id}::uuid`,
  );
  if (row === undefined) return null;
  return {
    provider: toRow(row, "provider"),
    tenant: row.tenant_id === null ? null : toRow(row, "tenant"),
    tenantId: row.tenant_id,
  };
}
