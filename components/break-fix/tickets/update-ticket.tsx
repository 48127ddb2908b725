"use client";
// Updates a ticket, within what the user may change.
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
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
import { useTicketSend } from "@/components/break-fix/tickets/use-ticket-send";

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
const worked = [
  ["state", "State", openStates.map((value) => ({ value, label: ticketStateTable[value].words }))],
  ["category", "Part", ticketCategories.map((value) => ({ value, label: categoryLabels[value] }))],
  ["action", "What was done", ticketActions.map((value) => ({ value, label: actionLabels[value] }))],
] as const;

/** Mounted anew each time it opens. */
export function UpdateTicketDialog({ ticket, as, onClose }: UpdateTicketProps) {
  const client = useTRPCClient();
  const { send, problem } = useTicketSend(onClose);
  const form = useAppForm({
    defaultValues: textsOf(ticket),
    validators: { onChange: updateSchema },
    onSubmit: ({ value, formApi }) =>
      send(formApi, `${ticket.ref} updated`, () =>
        client.tickets.update.mutate(changesOf(updateSchema.parse(value), ticket, as)),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Update ${ticket.ref}`}
        consequence={<p>An update cannot be edited later.</p>}
        confirmWords="Update ticket"
        schema={updateSchema}
        edits
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="note">
          {(field) => <field.TextAreaField label="Note" maxLength={8192} />}
        </form.AppField>
        {as === "provider" ? (
          <form.AppField name="audience">
            {(field) => <field.SelectField label="Visible to" options={readers} />}
          </form.AppField>
        ) : null}
        {as === "tenant" || ticket.state === "closed"
          ? null
          : worked.map(([name, label, options]) => (
              <form.AppField key={name} name={name}>
                {(field) => <field.SelectField label={label} options={options} />}
              </form.AppField>
            ))}
        {as === "tenant" ? (
          <form.AppField name="replacementWanted">
            {(field) => <field.CheckField label="Replacement wanted" />}
          </form.AppField>
        ) : null}
      </FormDialog>
    </form.AppForm>
  );
}
