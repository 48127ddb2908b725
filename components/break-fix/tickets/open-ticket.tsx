"use client";
// Opens a ticket for one machine: the provider for any, a tenant for one it has.
import { useState } from "react";
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useAppForm } from "@/components/ui/form/form-kit";
import { reachOf } from "@/server/domain/access/access";
import { categoryLabels, ticketCategories } from "@/server/domain/break-fix/categories";
import { ticketText } from "@/server/domain/break-fix/ticket";
import { issueLimits } from "@/server/domain/repair/health-issue";
import { useTicketSend } from "@/components/break-fix/tickets/use-ticket-send";

/** A machine, identified by its host or by its instance. */
interface Machine {
  readonly target: { readonly hostId: string } | { readonly instanceId: string };
  readonly name: string;
  /** Whether a tenant has it. */
  readonly held: boolean;
}

const openSchema = z.object({
  summary: ticketText(issueLimits.summary).min(1, "Enter a summary of what is wrong"),
  details: ticketText(issueLimits.details),
  category: z.enum(ticketCategories),
  externalRef: ticketText(128),
  internal: z.boolean(),
  replacementWanted: z.boolean(),
});
type Said = z.output<typeof openSchema>;

const nothing: Said = {
  summary: "",
  details: "",
  category: "unspecified",
  externalRef: "",
  internal: false,
  replacementWanted: false,
};

/** An internal ticket, which the tenant cannot read, requests no replacement in the tenant's name. Pure. */
const inputOf = ({ target }: Machine, { externalRef, internal, replacementWanted, ...said }: Said) => ({
  ...target,
  ...said,
  internal,
  replacementWanted: replacementWanted && !internal,
  externalRef: externalRef === "" ? null : externalRef,
});

const parts = ticketCategories.map((value) => ({ value, label: categoryLabels[value] }));

interface OpenDialogProps {
  machine: Machine;
  ofProvider: boolean;
  onClose: () => void;
}

function OpenTicketDialog({ machine, ofProvider, onClose }: OpenDialogProps) {
  const client = useTRPCClient();
  const { send, problem } = useTicketSend(onClose);
  const form = useAppForm({
    defaultValues: nothing,
    validators: { onChange: openSchema },
    onSubmit: ({ value, formApi }) =>
      send(
        formApi,
        ({ ref }: { ref: string }) => `${ref} is open`,
        () => client.tickets.open.mutate(inputOf(machine, openSchema.parse(value))),
      ),
  });
  return (
    <form.AppForm>
      <FormDialog
        title={`Open a ticket for ${machine.name}`}
        consequence={<p>The machine is not affected: whoever holds it keeps it.</p>}
        confirmWords="Open ticket"
        schema={openSchema}
        problem={problem}
        onClose={onClose}
      >
        <form.AppField name="summary">
          {(field) => <field.TextField label="What is wrong" maxLength={issueLimits.summary} />}
        </form.AppField>
        <form.AppField name="details">
          {(field) => (
            <field.TextAreaField label="Details" aside="optional" maxLength={issueLimits.details} />
          )}
        </form.AppField>
        <form.AppField name="category">
          {(field) => <field.SelectField label="Part" options={parts} />}
        </form.AppField>
        {ofProvider ? (
          <form.AppField name="externalRef">
            {(field) => <field.TextField label="External reference" aside="optional" maxLength={128} />}
          </form.AppField>
        ) : null}
        {ofProvider && machine.held ? (
          <form.AppField name="internal">
            {(field) => <field.CheckField label="Hide it from the tenant that has the machine" />}
          </form.AppField>
        ) : null}
        {machine.held ? (
          <form.AppField name="replacementWanted">
            {(field) => <field.CheckField label="Ask for a replacement" />}
          </form.AppField>
        ) : null}
      </FormDialog>
    </form.AppForm>
  );
}

/** Empty for users who may not open tickets. */
export function OpenTicket(machine: Machine) {
  const { role, tenant } = useMe();
  const [open, setOpen] = useState(false);
  if (reachOf(role, "ticket.open") === "none") return null;
  return (
    <>
      <Button small onClick={() => setOpen(true)} aria-label={`Open ticket… ${machine.name}`}>
        Open ticket…
      </Button>
      {open ? (
        <OpenTicketDialog machine={machine} ofProvider={tenant === null} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}
