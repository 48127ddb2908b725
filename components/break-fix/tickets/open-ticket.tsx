"use client";
// Opens a ticket for one machine: the provider for any, a tenant for one it has.
import { z } from "zod";
import { useMe } from "@/components/frame/me";
import { ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { reachOf } from "@/server/domain/access/access";
import { categoryLabels, ticketCategories } from "@/server/domain/break-fix/categories";
import { ticketText } from "@/server/domain/break-fix/ticket";
import { issueLimits } from "@/server/domain/repair/health-issue";

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

/** Empty for users who may not open tickets. */
export function OpenTicket(machine: Machine) {
  const { role, tenant } = useMe();
  const ofProvider = tenant === null;
  const { name, held } = machine;
  if (reachOf(role, "ticket.open") === "none") return null;
  return (
    <DialogButton
      aria-label={`Open ticket… ${name}`}
      dialog={(onClose) => (
        <ActFormDialog
          title={`Open a ticket for ${name}`}
          consequence="The machine is not affected: whoever holds it keeps it."
          confirmWords="Open ticket"
          schema={openSchema}
          values={nothing}
          fields={{
            summary: { label: "What is wrong", maxLength: issueLimits.summary },
            details: { label: "Details", aside: "optional", rows: 2, maxLength: issueLimits.details },
            category: { label: "Part", options: parts },
            externalRef: ofProvider
              ? { label: "External reference", aside: "optional", maxLength: 128 }
              : null,
            internal: ofProvider && held ? { label: "Hide it from the tenant that has the machine" } : null,
            replacementWanted: held ? { label: "Ask for a replacement" } : null,
          }}
          send={(said, client) => client.tickets.open.mutate(inputOf(machine, said))}
          said={({ ref }) => `${ref} is open`}
          stale={(trpc) => [trpc.tickets]}
          onClose={onClose}
        />
      )}
    >
      Open ticket…
    </DialogButton>
  );
}
