"use client";
// Closes or withdraws a ticket with its outcome; the provider names the replacement machine.
import { useStore } from "@tanstack/react-form";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { outcomeLabels, ticketOutcomes, ticketText } from "@/server/domain/break-fix/ticket";
import type { TicketAuthor } from "@/server/domain/break-fix/ticket";
import { useTicketSend } from "@/components/break-fix/tickets/use-ticket-send";

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

type Values = z.output<typeof closeSchema>;

const outcomes = ticketOutcomes.map((name) => ({ value: name, label: outcomeLabels[name] }));

/** The host with exactly this name; undefined if there is none, or while loading. */
function useNamedHost(text: string, asked: boolean) {
  const found = useQuery({
    ...useTRPC().hosts.find.queryOptions({ text }),
    enabled: asked && text !== "" && text.length <= 128,
  });
  const host = asked ? found.data?.find(({ id, name }) => name === text || id === text) : undefined;
  const unknown = asked && found.isSuccess && host === undefined ? `There is no host ${text}` : undefined;
  return { host, unknown, pending: asked && text !== "" && host === undefined && unknown === undefined };
}

interface CloseTicketProps {
  ticket: { readonly ref: string };
  as: TicketAuthor;
  onClose: () => void;
}

/** The form and its submission. */
function useCloseForm({ ticket, as, onClose }: CloseTicketProps) {
  const client = useTRPCClient();
  const { send, problem } = useTicketSend(onClose);
  const atFirst: Values = { outcome: as === "provider" ? "returned" : "withdrawn", host: "", note: "" };
  const form = useAppForm({
    defaultValues: atFirst,
    validators: { onChange: closeSchema },
    onSubmit: ({ value, formApi }) => {
      const { outcome, note } = closeSchema.parse(value);
      return send(formApi, `${ticket.ref} closed`, () =>
        client.tickets.close.mutate({
          ticket: ticket.ref,
          outcome,
          note,
          ...(host === undefined ? {} : { replacementHostId: host.id }),
        }),
      );
    },
  });
  const { replaced, text } = useStore(form.store, ({ values }) => ({
    replaced: values.outcome === "replaced",
    text: values.host.trim(),
  }));
  const { host, unknown, pending } = useNamedHost(text, replaced);
  return {
    form,
    problem,
    replaced,
    unknown,
    missing: unknown ?? (pending ? "Looking for the host" : undefined),
  };
}

/** Mounted anew each time it opens. */
export function CloseTicketDialog(props: CloseTicketProps) {
  const { ticket, as, onClose } = props;
  const { form, problem, replaced, unknown, missing } = useCloseForm(props);
  const provider = as === "provider";
  return (
    <form.AppForm>
      <FormDialog
        title={provider ? `Close ${ticket.ref}` : `Withdraw ${ticket.ref}`}
        consequence={<p>A closed ticket cannot be reopened. The machine is not affected.</p>}
        confirmWords={provider ? "Close ticket" : "Withdraw ticket"}
        schema={closeSchema}
        missing={missing}
        problem={problem}
        onClose={onClose}
      >
        {provider ? (
          <form.AppField name="outcome">
            {(field) => <field.SelectField label="Outcome" options={outcomes} />}
          </form.AppField>
        ) : null}
        {replaced ? (
          <form.AppField name="host">
            {(field) => (
              <field.TextField
                label="Replacement host"
                aside="name or id; the tenant sees the id"
                hint={unknown}
                mono
              />
            )}
          </form.AppField>
        ) : null}
        <form.AppField name="note">
          {(field) => (
            <field.TextAreaField label="Note" aside="optional; shown to the tenant" maxLength={8192} />
          )}
        </form.AppField>
      </FormDialog>
    </form.AppForm>
  );
}
