"use client";
// Hands a host over to an external repair system, and ends the lease of one that does not return it.
import { z } from "zod";
import { backIn, untilOf } from "@/components/repair/leases/lease-text";
import type { BackIn } from "@/components/repair/leases/lease-text";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { optionsOf } from "@/components/ui/form/fields";
import type { HostDetail, HostLease, HostOwner } from "@/server/surfaces/trpc/types";

interface LeaseDialogProps {
  readonly host: HostDetail;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const isBackIn = (text: string): text is BackIn => Object.hasOwn(backIn, text);
const backOptions = Object.entries(backIn).map(([value, { words: label }]) => ({ value, label }));

/** @param mayHoldData whether the drives may hold tenant data, which then has to be confirmed */
const giveSchema = (mayHoldData: boolean) =>
  z.object({
    system: z.string().min(1, "Choose a repair system"),
    reason: z.string().trim().min(1, "Enter a reason").max(500, "At most 500 characters"),
    ticket: z.string().trim().max(128, "At most 128 characters"),
    back: z.string().refine(isBackIn, "Choose when it is expected back"),
    mayHoldData: z
      .boolean()
      .refine(
        (said) => said || !mayHoldData,
        "Confirm that the repair system may have access to the data on the drives",
      ),
  });

export const GiveDialog = ({ host, owner, ...rest }: LeaseDialogProps & { readonly owner: HostOwner }) => (
  <ActFormDialog
    title={`Hand ${host.name} over`}
    consequence="Until the host is returned, Reclaim sends it nothing, and nobody can claim, clean or restart it. When it comes back, it is checked again before it is allocated."
    confirmWords="Hand the host over"
    schema={giveSchema(owner.mayHoldData)}
    values={{
      system: owner.systems[0] ?? "",
      reason: "",
      ticket: "",
      back: "week",
      mayHoldData: false,
    }}
    fields={{
      system: { label: "Repair system", options: optionsOf(owner.systems) },
      reason: { label: "Reason", rows: 2, hint: "shown to the repair system" },
      ticket: { label: "Ticket", hint: "in the repair system; optional" },
      back: {
        label: "Expected back",
        hint: "after that it is shown as overdue; nothing else happens",
        options: backOptions,
      },
      mayHoldData: owner.mayHoldData
        ? { label: "Its drives may hold tenant data, and the repair system may have access to it" }
        : null,
    }}
    send={({ ticket, back, ...said }, client) => {
      const until = untilOf(back, Date.now());
      return client.leases.give.mutate({
        hostId: host.id,
        ...said,
        ...(ticket === "" ? {} : { ticket }),
        ...(until === null ? {} : { until }),
      });
    }}
    said={(_, { system }) => `${host.name} handed over to ${system}`}
    {...rest}
  />
);

export const BreakDialog = ({ host, lease, ...rest }: LeaseDialogProps & { readonly lease: HostLease }) => (
  <ActDialog
    title={`Break the lease of ${lease.system} on ${host.name}?`}
    consequence={
      <>
        <p>
          {lease.system} may still be working on the machine: make sure that it is not. Its writes are refused
          from now on.
        </p>
        <p>
          Reclaim checks the host again before it is allocated, which restarts it. Its alerts stay as they
          are. A broken lease cannot be restored.
        </p>
      </>
    }
    confirmWords="Break the lease"
    typeName={host.name}
    reason="For example, whom you asked and what they said."
    send={({ reason }, client) => client.leases.break.mutate({ hostId: host.id, leaseId: lease.id, reason })}
    said={`Lease of ${lease.system} on ${host.name} broken`}
    {...rest}
  />
);
