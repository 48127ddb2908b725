"use client";
// One ticket: its status, what it is about, and its history, oldest first.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import {
  actionLabels,
  categoryLabels,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import {
  outcomeLabels,
  ticketAudiences,
  type TicketAuthor,
  ticketOutcomes,
  ticketStates,
  ticketStateTable,
  ticketText,
} from "@/server/domain/break-fix/ticket";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { columnsOf } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import type { TicketDetail, TicketUpdateLine } from "@/server/surfaces/trpc/types";

const closeSchema = z
  .object({
    outcome: z.enum(ticketOutcomes),
    host: z.string().trim().max(128, "At most 128 characters"),
    note: ticketText(8192),
  })
  .refine(({ outcome, host }) => outcome !== "replaced" || host !== "", {
    path: ["host"],
    error: "Enter the replacement host",
  });

const outcomes = ticketOutcomes.map((name) => ({ value: name, label: outcomeLabels[name] }));

/** The host with exactly this name; undefined if there is none, or while loading. @param text empty: none is asked for */
function useNamedHost(text: string) {
  const found = useQuery({
    ...useTRPC().hosts.find.queryOptions({ text }),
    enabled: text !== "" && text.length <= 128,
  });
  const host = text === "" ? undefined : found.data?.find(({ id, name }) => name === text || id === text);
  const unknown =
    text !== "" && found.isSuccess && host === undefined ? `There is no host ${text}` : undefined;
  return { host, unknown, pending: text !== "" && host === undefined && unknown === undefined };
}

interface CloseTicketProps {
  ticket: { readonly ref: string };
  as: TicketAuthor;
  onClose: () => void;
}

/** Mounted anew each time it opens. */
export function CloseTicketDialog({ ticket, as, onClose }: CloseTicketProps) {
  const isProvider = as === "provider";
  const [named, setNamed] = useState("");
  const { host, unknown, pending } = useNamedHost(named);
  return (
    <ActFormDialog
      title={isProvider ? `Close ${ticket.ref}` : `Withdraw ${ticket.ref}`}
      consequence="A closed ticket cannot be reopened. The machine is not affected."
      confirmWords={isProvider ? "Close ticket" : "Withdraw ticket"}
      schema={closeSchema}
      values={{ outcome: isProvider ? "returned" : "withdrawn", host: "", note: "" }}
      fields={({ outcome }) => ({
        outcome: isProvider ? { label: "Outcome", options: outcomes } : null,
        host:
          outcome === "replaced"
            ? {
                label: "Replacement host",
                aside: "name or id; the tenant sees the id",
                hint: unknown,
                mono: true,
              }
            : null,
        note: { label: "Note", aside: "optional; shown to the tenant", rows: 2, maxLength: 8192 },
      })}
      onValues={(values) => setNamed(values.outcome === "replaced" ? values.host.trim() : "")}
      missing={unknown ?? (pending ? "Looking for the host" : undefined)}
      send={({ outcome, note }, client) =>
        client.tickets.close.mutate({
          ticket: ticket.ref,
          outcome,
          note,
          ...(host === undefined ? {} : { replacementHostId: host.id }),
        })
      }
      said={`${ticket.ref} closed`}
      stale={(trpc) => [trpc.tickets]}
      onClose={onClose}
    />
  );
}

const refreshMs = 5_000;

const column = columnsOf<TicketUpdateLine>();

const columns = [
  column.time("at", "When", ({ at }) => at, { width: 150, narrow: "top-start", rowHeader: true }),
  column.text("by", "By", ({ by }) => by, { width: "16%", narrow: "top-end", className: "text-quiet" }),
  column.cell("audience", "For", ({ audience }) => (audience === "shared" ? "tenant too" : "internal"), {
    width: 110,
    from: "medium",
    className: "text-quiet",
  }),
  column.cell(
    "said",
    "What",
    ({ note, changes }) => (
      <span className="own-lines">{[changes.join("; "), note].filter((text) => text !== "").join("\n")}</span>
    ),
    { narrow: "line" },
  ),
];

export function TicketPage({ ticket: name }: { ticket: string }) {
  const trpc = useTRPC();
  const { data: ticket, refetch } = useSuspenseQuery(trpc.tickets.get.queryOptions({ ticket: name }));
  useLiveRefresh(refetch, { everyMs: refreshMs });
  const [dialog, setDialog] = useState<"update" | "close" | null>(null);
  const { mayWriteAs } = ticket;
  const open = ticket.state !== "closed";
  const mayClose =
    mayWriteAs === "provider" ||
    (mayWriteAs === "tenant" && ticket.origin === "tenant" && ticket.state === "open");
  return (
    <>
      <div className="head">
        <Link className="back" href={routes.tickets()}>
          Tickets
        </Link>
        <h1 className="mono">{ticket.ref}</h1>
        <span className="what">
          <CopyButton text={ticket.ref} what={`reference ${ticket.ref}`} />
        </span>
        {mayWriteAs === null || (!open && mayWriteAs !== "provider") ? null : (
          <Button onClick={() => setDialog("update")}>Update ticket…</Button>
        )}
        {open && mayClose ? (
          <Button onClick={() => setDialog("close")}>
            {mayWriteAs === "provider" ? "Close ticket…" : "Withdraw ticket…"}
          </Button>
        ) : null}
      </div>
      <div className="now" data-tone={ticket.tone}>
        <div>
          <p className="line">
            <Mark tone={ticket.tone} live={false} />
            <span className="standing">{ticket.stateWords}</span>
          </p>
          <p className="says">{ticket.summary}</p>
          {ticket.details === "" ? null : <p className="says next own-lines">{ticket.details}</p>}
          {ticket.outcomeWords === null ? null : (
            <p className="says next">It ended: {ticket.outcomeWords}.</p>
          )}
        </div>
        <Facts facts={factsOf(ticket)} />
      </div>
      <div className="sec">
        <h2>Updates</h2>
        <span className="sum cut">the oldest first</span>
      </div>
      <DataTable caption="Updates" fullWidth columns={columns} rows={ticket.updates} rowId={({ id }) => id} />
      {dialog === "update" && mayWriteAs !== null ? (
        <UpdateTicketDialog ticket={ticket} as={mayWriteAs} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === "close" && mayWriteAs !== null ? (
        <CloseTicketDialog ticket={ticket} as={mayWriteAs} onClose={() => setDialog(null)} />
      ) : null}
    </>
  );
}

/** Facts that the reader may not know are left out. */
function factsOf(ticket: TicketDetail): readonly Fact[] {
  const facts: readonly (readonly [string, Fact[1]] | null)[] = [
    [
      "Machine",
      ticket.host === null ? (
        <span key="machine" className="mono">
          {ticket.hostId}
        </span>
      ) : ticket.mayWriteAs === "repairTenant" ? (
        ticket.host
      ) : (
        <Link key="machine" className="link" href={routes.host(ticket.host)} prefetch={false}>
          {ticket.host}
        </Link>
      ),
    ],
    ticket.serial === null
      ? null
      : [
          "Serial",
          <span key="serial" className="mono">
            {ticket.serial}
          </span>,
        ],
    ticket.rack === null ? null : ["Rack", ticket.rack],
    ticket.site === null ? null : ["Site", ticket.site],
    ticket.tenant === null ? null : ["Tenant", ticket.tenant],
    ticket.instance === null ? null : ["Instance", ticket.instance],
    ticket.handedOverAt === null ? null : ["Handed over", <Time key="handed" at={ticket.handedOverAt} />],
    ["Part", ticket.categoryWords],
    ["Done", ticket.actionWords],
    ...ticket.parts.map(
      ({ kind, serial, firmware, slot }) =>
        [`Part, ${kind}`, [serial, firmware, slot].filter((text) => text !== "").join(", ")] as const,
    ),
    ticket.externalRef === null ? null : ["External reference", ticket.externalRef],
    ticket.replacementWanted ? ["Another machine", "is wanted"] : null,
    ticket.replacementHostId === null
      ? null
      : [
          "Replaced by",
          <span key="replaced" className="mono">
            {ticket.replacementHostId}
          </span>,
        ],
    [
      "Opened",
      <span key="opened">
        <Time at={ticket.openedAt} /> by {ticket.openedBy}
      </span>,
    ],
    ticket.closedAt === null ? null : ["Closed", <Time key="closed" at={ticket.closedAt} />],
  ];
  return facts.filter((fact) => fact !== null);
}

interface UpdateTicketProps {
  ticket: TicketDetail;
  as: TicketAuthor;
  onClose: () => void;
}

const openStates = ticketStates.filter((state) => state !== "closed");

const updateSchema = z.object({
  note: ticketText(8192),
  audience: z.enum(ticketAudiences),
  state: z.enum(openStates),
  category: z.enum(ticketCategories),
  action: z.enum(ticketActions),
  replacementWanted: z.boolean(),
});

type Update = z.output<typeof updateSchema>;

/** Sends only changed fields, and only those that this reader may change. Pure. */
function changesOf(update: Update, ticket: TicketDetail, as: TicketAuthor) {
  const { note, audience, state, category, action, replacementWanted } = update;
  const works = as !== "tenant" && ticket.state !== "closed";
  return {
    ticket: ticket.ref,
    note,
    ...(as === "provider" && note !== "" ? { audience } : {}),
    ...(works && state !== ticket.state ? { state } : {}),
    ...(works && category !== ticket.category ? { category } : {}),
    ...(works && action !== ticket.action ? { action } : {}),
    ...(as === "tenant" && replacementWanted !== ticket.replacementWanted ? { replacementWanted } : {}),
  };
}

const textsOf = ({ state, category, action, replacementWanted }: TicketDetail): Update => ({
  note: "",
  audience: "internal",
  state: state === "closed" ? "open" : state,
  category,
  action,
  replacementWanted,
});

const readers = [
  { value: "internal", label: "Provider only" },
  { value: "shared", label: "Provider and tenant" },
];
const worked = {
  state: {
    label: "State",
    options: openStates.map((value) => ({ value, label: ticketStateTable[value].words })),
  },
  category: {
    label: "Part",
    options: ticketCategories.map((value) => ({ value, label: categoryLabels[value] })),
  },
  action: {
    label: "What was done",
    options: ticketActions.map((value) => ({ value, label: actionLabels[value] })),
  },
};

/** Mounted anew each time it opens. */
function UpdateTicketDialog({ ticket, as, onClose }: UpdateTicketProps) {
  const works = as !== "tenant" && ticket.state !== "closed";
  return (
    <ActFormDialog
      title={`Update ${ticket.ref}`}
      consequence="An update cannot be edited later."
      confirmWords="Update ticket"
      edits
      schema={updateSchema}
      values={textsOf(ticket)}
      fields={{
        note: { label: "Note", rows: 2, maxLength: 8192 },
        audience: as === "provider" ? { label: "Visible to", options: readers } : null,
        ...(works ? worked : {}),
        replacementWanted: as === "tenant" ? { label: "Replacement wanted" } : null,
      }}
      send={(update, client) => client.tickets.update.mutate(changesOf(update, ticket, as))}
      said={`${ticket.ref} updated`}
      stale={(trpc) => [trpc.tickets]}
      onClose={onClose}
    />
  );
}
