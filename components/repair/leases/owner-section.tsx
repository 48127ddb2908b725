"use client";
// Who has the host: Reclaim, a tenant, or an external repair system with a lease; and the hand-over (docs/repair.md#who-has-the-host).
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BreakDialog, GiveDialog } from "@/components/repair/leases/lease-dialogs";
import { useLiveRefresh } from "@/components/live/use-live-refresh";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/head/facts";
import type { Fact } from "@/components/ui/head/facts";
import { Mark } from "@/components/ui/mark";
import { Age, Time } from "@/components/ui/time/time";
import type { HostDetail, HostLease, HostOwner } from "@/server/surfaces/trpc/types";

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
