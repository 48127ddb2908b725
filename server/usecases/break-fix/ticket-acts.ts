// What people do with tickets: open, update, close (docs/repair.md#tickets).
import { sql } from "kysely";
import { tickets as contract } from "@/server/contract/break-fix/tickets";
import { queryRows } from "@/server/db/sql";
import type { Transaction } from "@/server/db/prisma";
import { roleTable } from "@/server/domain/access/roles";
import {
  audienceOf,
  changeByNote,
  changeRefusal,
  closeRefusal,
  openRefusal,
  ticketOrigins,
  ticketStates,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor, TicketChange } from "@/server/domain/break-fix/ticket";
import type { Actor } from "@/server/usecases/actor";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { findTicket } from "@/server/usecases/break-fix/read-tickets";
import { readsAs } from "@/server/usecases/break-fix/ticket-views";
import type { TicketRecord } from "@/server/usecases/break-fix/ticket-views";
import { insertTicket, writeUpdate } from "@/server/usecases/break-fix/stored-tickets";
import type { TicketWriter } from "@/server/usecases/break-fix/stored-tickets";
import { notFound, refused } from "@/server/usecases/problem";

interface Machine {
  readonly hostId: string;
  /** The open instance on it. */
  readonly instanceId: string | null;
  readonly tenantId: string | null;
}

/** A host and who has it now, by its id or by its instance's id. A tenant finds only hosts that it has. */
async function findMachine(
  tx: Transaction,
  hostId: string | undefined,
  instanceId: string | undefined,
): Promise<Target<Machine> | null> {
  const [row] = await queryRows(
    tx,
    sql<Machine>`
    SELECT h.id::text AS "hostId", i.id::text AS "instanceId", i.tenant_id::text AS "tenantId"
    FROM host h LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL
    WHERE ${hostId === undefined ? sql`true` : sql`h.id = ${hostId}::uuid`} AND ${instanceId === undefined ? sql`true` : sql`i.id = ${instanceId}::uuid`}
    LIMIT 1`,
  );
  return row === undefined
    ? null
    : { id: instanceId ?? row.hostId, belongs: { tenantId: row.tenantId }, value: row };
}

const writerOf = (actor: Actor, author: TicketAuthor): TicketWriter => ({
  author,
  tenantId: actor.tenantId,
  name: actor.name,
});

export const openTicket = defineAct({
  ...contract.open,
  names: ({ hostId, instanceId }) =>
    instanceId === undefined ? { kind: "host", id: hostId ?? "" } : { kind: "instance", id: instanceId },
  find: ({ tx }, { hostId, instanceId }) =>
    hostId === undefined && instanceId === undefined
      ? Promise.resolve(null)
      : findMachine(tx, hostId, instanceId),
  run: async ({ tx, actor }, machine, { internal, hostId: _host, instanceId: _instance, ...said }) => {
    const { hostId } = machine;
    const provider = !roleTable[actor.role].ofTenant;
    const shown = internal ? { tenantId: null, instanceId: null } : machine;
    const refusal = openRefusal({ ...said, internal }, { provider, held: shown.instanceId !== null });
    if (refusal !== null) return refused("invalid", refusal.reason, refusal.field);
    const made = await insertTicket(
      tx,
      {
        ...said,
        hostId,
        tenantId: shown.tenantId,
        instanceId: shown.instanceId,
        origin: provider ? "operator" : "tenant",
      },
      writerOf(actor, provider ? "provider" : "tenant"),
    );
    if (made === null) return notFound("host", hostId);
    return acted({
      value: made,
      targetId: made.ref,
      tenantId: shown.tenantId,
      before: null,
      after: { hostId, category: said.category, summary: said.summary },
    });
  },
});

/** Locks the ticket. Whoever may read a ticket may write to it, each in their role; the domain's rules decide what. */
async function lockTicket(
  { tx, actor }: ActContext,
  { ticket }: { readonly ticket: string },
): Promise<Target<TicketRecord> | null> {
  const found = await findTicket(tx, actor, ticket, true);
  if (!found.ok || found.value === null) return null;
  return { id: found.value.ref, belongs: { tenantId: actor.tenantId }, value: found.value };
}

const factsOf = ({ state, origin }: TicketRecord) => ({
  state: ticketStates.find((each) => each === state) ?? ("closed" as const),
  origin: ticketOrigins.find((each) => each === origin) ?? ("operator" as const),
});

const names = ({ ticket }: { readonly ticket: string }) => ({ kind: "ticket", id: ticket });

export const updateTicket = defineAct({
  ...contract.update,
  names,
  find: lockTicket,
  run: async ({ tx, actor }, ticket, { ticket: _, note, audience: asked, ...change }) => {
    const author = readsAs(actor, ticket);
    const changed = Object.entries(change satisfies TicketChange).filter(([, value]) => value !== undefined);
    if (note === "" && changed.length === 0)
      return refused("invalid", "Enter a note, or change a field.", "note");
    const refusal = changeRefusal(factsOf(ticket), author, change);
    if (refusal !== null) return refused("notAllowedNow", refusal);
    const audience = audienceOf(author, asked);
    if (audience === "shared" && ticket.tenantId === null)
      return refused("invalid", "The ticket belongs to no tenant, so no tenant can see a note.", "audience");
    const written = { ...change, ...changeByNote(factsOf(ticket), author, note) };
    await writeUpdate(tx, ticket.id, written, { writer: writerOf(actor, author), audience, note });
    return acted({
      value: { id: ticket.id, ref: ticket.ref },
      targetId: ticket.ref,
      tenantId: audience === "shared" ? ticket.tenantId : null,
      before: null,
      after: { audience, changed: changed.map(([member]) => member) },
    });
  },
});

interface Replacement {
  readonly replacementHostId: string;
  readonly replacementInstanceId: string | null;
}

/** The replacement machine, and the instance that the tenant already has on it. */
async function findReplacement(
  tx: Transaction,
  ticket: TicketRecord,
  hostId: string,
): Promise<Replacement | null> {
  const [row] = await queryRows(
    tx,
    sql<Replacement>`
    SELECT h.id::text AS "replacementHostId", i.id::text AS "replacementInstanceId" FROM host h
      LEFT JOIN instance i ON i.host_id = h.id AND i.ended_at IS NULL AND i.tenant_id = ${ticket.tenantId}::uuid
    WHERE h.id = ${hostId}::uuid AND h.id <> ${ticket.hostId}::uuid`,
  );
  return row ?? null;
}

export const closeTicket = defineAct({
  ...contract.close,
  names,
  find: lockTicket,
  run: async ({ tx, actor }, ticket, { outcome, note, action, replacementHostId }) => {
    const author = readsAs(actor, ticket);
    const refusal =
      closeRefusal(factsOf(ticket), author, outcome) ??
      (action === undefined ? null : changeRefusal(factsOf(ticket), author, { action }));
    if (refusal !== null) return refused("notAllowedNow", refusal);
    if ((outcome === "replaced") !== (replacementHostId !== undefined))
      return refused(
        "invalid",
        "Name the replacement machine with the outcome replaced only.",
        "replacementHostId",
      );
    const replacement =
      replacementHostId === undefined ? {} : await findReplacement(tx, ticket, replacementHostId);
    if (replacement === null) return notFound("host", replacementHostId ?? "");
    await writeUpdate(
      tx,
      ticket.id,
      { outcome, ...(action === undefined ? {} : { action }), ...replacement },
      { writer: writerOf(actor, author), audience: ticket.tenantId === null ? "internal" : "shared", note },
    );
    return acted({
      value: { id: ticket.id, ref: ticket.ref },
      targetId: ticket.ref,
      tenantId: ticket.tenantId,
      before: { state: ticket.state },
      after: { outcome },
    });
  },
});
