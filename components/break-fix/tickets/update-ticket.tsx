"use client";
// Updates a ticket, within what the user may change.
import { z } from "zod";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import {
  actionLabels,
  categoryLabels,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import {
  ticketAudiences,
  ticketStates,
  ticketStateTable,
  ticketText,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import type { TicketDetail } from "@/server/surfaces/trpc/types";

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
export function UpdateTicketDialog({ ticket, as, onClose }: UpdateTicketProps) {
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
