// A ticket as each reader may see it: the provider all; a tenant its own, without names of people; a repair tenant those of the hosts that it repairs,
// without whose they are (docs/repair.md#tickets).
import { sql } from "kysely";
import { ticketFields } from "@/server/contract/break-fix/answers";
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
  hiddenFrom,
  outcomeLabels,
  ticketOrigins,
  ticketOutcomes,
  ticketStates,
  ticketStateTable,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import { snakeCase } from "@/server/domain/hosts/record/column";
import type { Actor } from "@/server/usecases/actor";

/** Fields that are made when a ticket is read. */
type Made = "categoryWords" | "actionWords" | "stateWords" | "tone" | "outcomeWords";
/** Fields whose words a later release may have added to. */
type Worded = "category" | "action" | "state" | "origin";

export interface TicketRecord extends Omit<TicketRow, Made | Worded | "outcome">, Record<Worded, string> {
  readonly outcome: string | null;
  readonly details: string;
  readonly parts: unknown;
  readonly tenantId: string | null;
  readonly openedAs: string;
}

const made: ReadonlySet<string> = new Set<Made>([
  "categoryWords",
  "actionWords",
  "stateWords",
  "tone",
  "outcomeWords",
]);
/** Fields that are not the ticket's own column of that name. */
const elsewhere: Readonly<Record<string, string>> = {
  ...{ host: "t.host_name", serial: "t.host_serial", rack: "h.rack", site: "s.name" },
  ...{ tenant: "n.name", tenantOrg: "n.org", instance: "i.name" },
  handedOverAt: "coalesce(t.handed_over_at, i.ready_at)",
};

export const ticketColumns = sql.raw(
  [...Object.keys(ticketFields), "details", "parts", "tenantId", "openedAs"]
    .filter((field) => !made.has(field))
    .map((field) => `${elsewhere[field] ?? `t.${snakeCase(field)}`} AS "${field}"`)
    .join(", "),
);
export const ticketFrom = sql`ticket t LEFT JOIN host h ON h.id = t.host_id LEFT JOIN site s ON s.id = t.site_id
  LEFT JOIN tenant n ON n.id = t.tenant_id LEFT JOIN instance i ON i.id = t.instance_id`;

/** The role in which a reader reads this ticket. */
export const readsAs = (actor: Actor, ticket: Pick<TicketRecord, "tenantId">): TicketAuthor =>
  !roleTable[actor.role].ofTenant
    ? "provider"
    : ticket.tenantId === actor.tenantId
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
  const { details: _, parts: _parts, tenantId: _tenantId, openedAs, openedBy, ...fields } = row;
  return {
    ...fields,
    origin: known(ticketOrigins, row.origin) ?? "operator",
    category,
    categoryWords: categoryLabels[category],
    action,
    actionWords: actionLabels[action],
    state,
    stateWords: ticketStateTable[state].words,
    tone: ticketStateTable[state].tone,
    outcome,
    outcomeWords: outcome === null ? null : outcomeLabels[outcome],
    openedBy: nameOf(as, openedAs, openedBy, openedAs === "tenant" && as === "tenant"),
    ...hiddenFrom[as],
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
    tenant: row.tenantId === null ? null : toRow(row, "tenant"),
    tenantId: row.tenantId,
  };
}
