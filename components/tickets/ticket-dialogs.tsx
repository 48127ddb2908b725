"use client";
// What people do with one ticket: update and close it, each as far as it may.
import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { useSend } from "@/components/ui/form/use-send";
import {
  actionWords,
  categoryWords,
  ticketActions,
  ticketCategories,
} from "@/server/domain/break-fix/categories";
import {
  outcomeWords,
  ticketAudiences,
  ticketOutcomes,
  ticketStates,
  ticketStateTable,
  ticketText,
} from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import type { TicketDetail } from "@/server/surfaces/trpc/types";

interface DialogProps {
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

const useTicketSend = (onClose: () => void) => {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onDone = () => void queryClient.invalidateQueries({ queryKey: trpc.tickets.pathKey() });
  return useSend({ onAccepted: onClose, onDone });
};

type Update = z.output<typeof updateSchema>;

/** Only what was changed is sent, and only what this reader may change. Pure. */
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
  { value: "internal", label: "The provider only" },
  { value: "shared", label: "The tenant, too" },
];
const worked = [
  ["state", "State", openStates.map((value) => ({ value, label: ticketStateTable[value].words }))],
  ["category", "Part", ticketCategories.map((value) => ({ value, label: categoryWords[value] }))],
  ["action", "What was done", ticketActions.map((value) => ({ value, label: actionWords[value] }))],
] as const;

/** Mounted afresh each time it opens. */
export function UpdateTicketDialog({ ticket, as, onClose }: DialogProps) {
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
        consequence={<p>What is written stays as it is: updates are not changed later.</p>}
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
            {(field) => <field.SelectField label="Who reads the note" options={readers} />}
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
            {(field) => <field.CheckField label="Another machine is wanted" />}
          </form.AppField>
        ) : null}
      </FormDialog>
    </form.AppForm>
  );
}

/** With a machine in its place it is closed by the command: that is named by the host. */
const outcomesInDialog = ticketOutcomes.filter((outcome) => outcome !== "replaced");
const closeSchema = z.object({ outcome: z.enum(outcomesInDialog), note: ticketText(8192) });

export function CloseTicketDialog({ ticket, as, onClose }: DialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useTicketSend(onClose);
  const form = useAppForm({
    defaultValues: { outcome: as === "provider" ? "returned" : "withdrawn", note: "" },
    validators: { onChange: closeSchema },
    onSubmit: ({ value, formApi }) => {
      const { outcome, note } = closeSchema.parse(value);
      return send(formApi, `${ticket.ref} closed`, () =>
        client.tickets.close.mutate({ ticket: ticket.ref, outcome, note }),
      );
    },
  });
  return (
    <form.AppForm>
      <FormDialog
        title={as === "provider" ? `Close ${ticket.ref}` : `Withdraw ${ticket.ref}`}
        consequence={<p>A closed ticket is not opened again. The machine is not affected.</p>}
        confirmWords={as === "provider" ? "Close ticket" : "Withdraw ticket"}
        schema={closeSchema}
        problem={problem}
        onClose={onClose}
      >
        {as === "provider" ? (
          <form.AppField name="outcome">
            {(field) => (
              <field.SelectField
                label="How it ended"
                options={outcomesInDialog.map((name) => ({ value: name, label: outcomeWords[name] }))}
              />
            )}
          </form.AppField>
        ) : null}
        <form.AppField name="note">
          {(field) => (
            <field.TextAreaField label="Note" aside="optional; its tenant reads it" maxLength={8192} />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
