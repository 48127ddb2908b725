// What an external repair system reads of the tickets of a host that it has, and what it writes to them (docs/repair.md#tickets).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { audienceOf, changeRefusal, ticketOrigins, ticketStates } from "@/server/domain/break-fix/ticket";
import type { TicketAudience, TicketChange } from "@/server/domain/break-fix/ticket";
import { writeUpdate } from "@/server/usecases/break-fix/stored-tickets";
import { known } from "@/server/usecases/break-fix/ticket-views";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Does not say which tenant it belongs to. */
interface OutsideTicket {
  readonly ref: string;
  readonly state: string;
  readonly category: string;
  readonly summary: string;
  readonly details: string;
  readonly action: string;
  readonly parts: unknown;
  readonly externalRef: string | null;
  readonly openedAt: Date;
}

/** Open tickets, newest first. */
export const ticketsOutside = (reader: SqlReader, hostId: string): Promise<readonly OutsideTicket[]> =>
  queryRows(
    reader,
    sql<OutsideTicket>`
    SELECT ref, state, category, summary, details, action, parts, external_ref AS "externalRef", opened_at AS "openedAt"
    FROM ticket WHERE host_id = ${hostId}::uuid AND closed_at IS NULL ORDER BY opened_at DESC, id DESC LIMIT 100`,
  );

export interface OutsideUpdate {
  readonly note: string;
  /** Defaults to internal. */
  readonly audience: TicketAudience | undefined;
  readonly change: TicketChange;
}

/** The system writes as the provider, because tenants do not learn who has their machine. The caller holds the host's lock and has checked the lease. */
export async function updateOutside(
  tx: SqlReader,
  name: string,
  { hostId, ticket }: { readonly hostId: string; readonly ticket: string },
  update: OutsideUpdate,
): Promise<Outcome<{ readonly ref: string; readonly changed: readonly string[] }>> {
  const { note, audience: asked, change } = update;
  // A ticket of another host gets the same answer as one that does not exist.
  const [found] = await queryRows(
    tx,
    sql<{ id: string; ref: string; state: string; origin: string; shared: boolean }>`
    SELECT id::text, ref, state, origin, tenant_id IS NOT NULL AS shared FROM ticket
    WHERE ref = ${ticket.toUpperCase()} AND host_id = ${hostId}::uuid FOR UPDATE`,
  );
  if (found === undefined) return notFound("ticket", ticket);
  const changed = Object.entries(change).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  if (note === "" && changed.length === 0)
    return refused("invalid", "Enter a note, or change a field.", "note");
  const facts = {
    state: known(ticketStates, found.state) ?? ("closed" as const),
    origin: known(ticketOrigins, found.origin) ?? ("operator" as const),
  };
  const refusal =
    facts.state === "closed" ? "The ticket is closed." : changeRefusal(facts, "provider", change);
  if (refusal !== null) return refused("notAllowedNow", refusal);
  const audience = audienceOf("provider", asked);
  if (audience === "shared" && !found.shared)
    return refused("invalid", "The ticket belongs to no tenant, so no tenant can see a note.", "audience");
  const writer = { author: "provider", tenantId: null, name } as const;
  await writeUpdate(tx, found.id, change, { writer, audience, note });
  return done({ ref: found.ref, changed });
}
