"use client";
// Who has the host: Reclaim, a tenant, or an external repair system with a lease; and the hand-over (docs/repair.md#who-has-the-host).
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { type Fact, Facts } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { Age, Time } from "@/components/ui/time/time";
import type { HostDetail, HostLease, HostOwner } from "@/server/surfaces/trpc/types";
import { z } from "zod";
import { backIn, type BackIn, untilOf } from "@/components/repair/leases/lease-text";
import { ActDialog, ActFormDialog } from "@/components/ui/dialogs/act-dialog";
import { optionsOf } from "@/components/ui/form/fields";

// Hands a host over to an external repair system, and ends the lease of one that does not return it.
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

const GiveDialog = ({ host, owner, ...rest }: LeaseDialogProps & { readonly owner: HostOwner }) => (
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

const BreakDialog = ({ host, lease, ...rest }: LeaseDialogProps & { readonly lease: HostLease }) => (
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

const refreshMs = 2_000;

export function OwnerSection({ host }: { host: HostDetail }) {
  const trpc = useTRPC();
  const { data: owner, refetch } = useSuspenseQuery(trpc.leases.get.queryOptions({ hostId: host.id }));
  useLiveRefresh(refetch, { hostId: host.id, everyMs: refreshMs });
  const [asks, setAsks] = useState<"give" | "break">();
  const close = () => setAsks(undefined);
  const { lease } = owner;
  return (
    <>
      <div className="sec">
        <h2>Who has the host</h2>
        <span className="sum cut">{owner.words}</span>
        <Acts owner={owner} onAsk={setAsks} />
      </div>
      {lease === null ? null : <Facts facts={leaseFacts(lease)} />}
      {asks === "give" ? (
        <GiveDialog host={host} owner={owner} onClose={close} onDone={() => void refetch()} />
      ) : null}
      {asks === "break" && lease !== null ? (
        <BreakDialog host={host} lease={lease} onClose={close} onDone={() => void refetch()} />
      ) : null}
    </>
  );
}

/** Handing over needs a repair system for the host; breaking a lease needs permission. */
function Acts({ owner, onAsk }: { owner: HostOwner; onAsk: (asks: "give" | "break") => void }) {
  if (owner.lease !== null)
    return owner.mayBreak ? (
      <Button small kind="danger" onClick={() => onAsk("break")}>
        Break the lease…
      </Button>
    ) : null;
  return owner.mayGive && owner.systems.length > 0 ? (
    <Button small disabledReason={owner.refusal ?? undefined} onClick={() => onAsk("give")}>
      Hand over…
    </Button>
  ) : null;
}

const leaseFacts = (lease: HostLease): readonly Fact[] => [
  ["Repair system", lease.system],
  [
    "Taken",
    <span key="taken">
      <Time at={lease.takenAt} />, <Age at={lease.takenAt} /> ago
    </span>,
  ],
  ["Taken by", lease.takenBy],
  [
    "Expected back",
    lease.until === null ? (
      "not specified"
    ) : (
      <span key="until" className="marked-text">
        {lease.state === "overdue" ? (
          <>
            <Mark tone="attention" label="" /> <span>overdue since</span>{" "}
          </>
        ) : null}
        <Time at={lease.until} />
      </span>
    ),
  ],
  ["Reason", lease.reason],
  ["Ticket", lease.ticket ?? "none"],
  [
    "Last note",
    lease.note === null || lease.notedAt === null ? (
      "none"
    ) : (
      <span key="note">
        {lease.note}, <Age at={lease.notedAt} /> ago
      </span>
    ),
  ],
  [
    "Lease",
    <span key="id" className="mono">
      {lease.id}
    </span>,
  ],
];
