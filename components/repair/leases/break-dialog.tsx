"use client";
// Ends the lease of a repair system that does not return a host, and states the consequences.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import type { HostDetail, HostLease } from "@/server/surfaces/trpc/types";

interface BreakDialogProps {
  host: HostDetail;
  lease: HostLease;
  onClose: () => void;
  onDone: () => void;
}

export function BreakDialog({ host, lease, onClose, onDone }: BreakDialogProps) {
  const client = useTRPCClient();
  return (
    <ReasonDialog
      title={`Break the lease of ${lease.system} on ${host.name}?`}
      consequence={
        <>
          <p>
            {lease.system} may still be working on the machine: make sure that it is not. Its writes are
            refused from now on.
          </p>
          <p>
            Reclaim checks the host again before it is allocated, which restarts it. Its alerts stay as they
            are. A broken lease cannot be restored.
          </p>
        </>
      }
      confirmWords="Break the lease"
      typeName={host.name}
      hint="For example, whom you asked and what they said."
      send={({ reason }) => client.leases.break.mutate({ hostId: host.id, leaseId: lease.id, reason })}
      said={`Lease of ${lease.system} on ${host.name} broken`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
