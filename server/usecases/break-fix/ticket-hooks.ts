// Records what happens to a host in its tickets, in the same transaction (docs/repair.md#tickets): a reported issue opens a ticket, a repair updates it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { categoryOfIssue } from "@/server/domain/break-fix/categories";
import { newWish, noWish } from "@/server/domain/break-fix/ticket";
import type { ReplacementWish, TicketChange } from "@/server/domain/break-fix/ticket";
import type { HealthIssue } from "@/server/domain/repair/health-issue";
import { lastHolding } from "@/server/usecases/repair/queue-rows";
import { insertTicket, lockReported, writeUpdate } from "@/server/usecases/break-fix/stored-tickets";
import type { Actor } from "@/server/usecases/actor";
import type { TicketWriter } from "@/server/usecases/break-fix/stored-tickets";

interface Reported {
  readonly hostId: string;
  readonly instanceId: string;
  /** Of the instance. */
  readonly tenantId: string | null;
  readonly issue: HealthIssue;
  /** Left out: no replacement is wished for. */
  readonly wish?: ReplacementWish;
  readonly origin: "release" | "onlineRepair";
  readonly writer: TicketWriter;
}

/**
 * A tenant reports an issue of a machine that it has. Reports about the same instance share a ticket: an open one from a release or an online repair is
 * continued, and reporting the same issue again adds nothing.
 */
export async function ticketOfIssue(tx: SqlReader, reported: Reported): Promise<void> {
  const { hostId, instanceId, tenantId, issue, wish = noWish, origin, writer } = reported;
  const category = categoryOfIssue[issue.category];
  const open = await lockReported(tx, instanceId);
  if (open === undefined) {
    await insertTicket(
      tx,
      {
        hostId,
        tenantId,
        instanceId,
        origin,
        category,
        summary: issue.summary,
        details: issue.details,
        parts: [],
        externalRef: null,
        ...wish,
      },
      writer,
    );
    return;
  }
  const known =
    open.notes.includes(noteOf(issue)) || (open.summary === issue.summary && open.details === issue.details);
  const note = known ? escalated[origin] : noteOf(issue);
  const news = !(known && open.origin === origin) && !open.notes.includes(note);
  const asked = newWish(wish, open);
  if (!news && Object.keys(asked).length === 0) return;
  await writeUpdate(
    tx,
    open.id,
    {
      // An online repair that had ended did not help.
      ...(news ? { state: "open" } : {}),
      ...asked,
    },
    { writer, audience: "shared", note: news ? note : "" },
  );
}

/** Who reports the issue: the tenant, or the provider on its behalf. */
export const reporterOf = ({ tenantId, name }: Pick<Actor, "tenantId" | "name">): TicketWriter => ({
  author: tenantId === null ? "provider" : "tenant",
  tenantId,
  name,
});

/** An online repair has ended, whoever ended it: records that in the tenant's ticket. */
export async function ticketOfEndedRepair(tx: SqlReader, instanceId: string): Promise<void> {
  const open = await queryRows(
    tx,
    sql<{ id: string }>`
    SELECT id::text FROM ticket WHERE instance_id = ${instanceId}::uuid AND closed_at IS NULL AND origin = 'onlineRepair' ORDER BY id FOR UPDATE`,
  );
  for (const { id } of open)
    await writeUpdate(
      tx,
      id,
      { state: "repaired" },
      {
        writer: reclaim,
        audience: "shared",
        note: "The online repair has ended; the instance is ready for use.",
      },
    );
}

const escalated = {
  release: "The machine was released for repair.",
  onlineRepair: "An online repair was requested.",
} satisfies Record<Reported["origin"], string>;

const noteOf = ({ summary, details }: HealthIssue): string =>
  details === "" ? summary : `${summary}\n\n${details}`;

const reclaim: TicketWriter = { author: "system", tenantId: null, name: "Reclaim" };

const moments = {
  begun: { note: "A repair has begun.", state: "inProgress" },
  completed: {
    note: "The repair is completed. The machine is being cleaned and checked before it is allocated.",
    state: "repaired",
  },
  failed: { note: "The repair ended without being completed.", state: "waiting" },
} as const satisfies Record<
  string,
  { readonly note: string; readonly state: NonNullable<TicketChange["state"]> }
>;

/**
 * A repair of a host begins or ends: records that in the tickets of the tenant that had the host last, and in those that belong to no tenant. The tenant
 * does not learn who repairs, and earlier tenants of the host learn nothing.
 */
export async function ticketsOfRepair(
  tx: SqlReader,
  hostId: string,
  moment: keyof typeof moments,
): Promise<void> {
  const { note, state } = moments[moment];
  const open = await queryRows(
    tx,
    sql<{ id: string; state: string; shared: boolean }>`
    SELECT id::text, state, tenant_id IS NOT NULL AS shared FROM ticket WHERE host_id = ${hostId}::uuid AND closed_at IS NULL
      AND (tenant_id IS NULL OR instance_id = ${lastHolding(sql`${hostId}::uuid`)}) -- safety: tickets: a repair is told to who had the host last
    ORDER BY id FOR UPDATE`,
  );
  for (const ticket of open)
    await writeUpdate(
      tx,
      ticket.id,
      { state },
      { writer: reclaim, audience: ticket.shared ? "shared" : "internal", note },
    );
}

/**
 * Closes tickets of completed repairs: nobody holds the machine for a repair any more, and either it has passed its cleaning or check since, or its tenant
 * has kept it for an hour after an online repair without another request. A host that was repaired outside has no reclamation of the kind `repairRelease`:
 * it comes back with whichever was in progress, or with the check that follows (docs/adr/0094-one-owner.md). Has a single caller, which is the only writer.
 */
export async function closeReturned(tx: SqlReader): Promise<void> {
  const back = await queryRows(
    tx,
    sql<{ id: string; shared: boolean }>`
    SELECT t.id::text, t.tenant_id IS NOT NULL AS shared FROM ticket t LEFT JOIN host_run r ON r.host_id = t.host_id
      LEFT JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN instance i ON i.id = t.instance_id
    WHERE t.closed_at IS NULL AND t.state = 'repaired'
      AND NOT EXISTS (SELECT 1 FROM repair p JOIN instance o ON o.id = p.instance_id WHERE p.host_id = t.host_id AND p.released_at IS NULL AND o.ended_at IS NULL AND o.release_requested_at IS NULL) AND (
      (c.outcome = 'ready' AND c.ended_at > CASE c.kind WHEN 'repairRelease' THEN t.opened_at
        ELSE (SELECT max(u.at) FROM ticket_update u WHERE u.ticket_id = t.id AND u.changes ->> 'state' = 'repaired') END)
      OR (t.origin = 'onlineRepair' AND i.release_requested_at IS NULL AND t.updated_at < now() - interval '1 hour'))
    ORDER BY t.id FOR UPDATE OF t`,
  );
  for (const { id, shared } of back)
    await writeUpdate(
      tx,
      id,
      { outcome: "returned" },
      {
        writer: reclaim,
        audience: shared ? "shared" : "internal",
        note: "The machine is back in service.",
      },
    );
}
