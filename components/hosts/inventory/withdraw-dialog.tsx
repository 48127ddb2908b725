"use client";
// Withdraws a drive's disposition, so the drive is unaccounted for again.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import type { HostDetail } from "@/server/surfaces/trpc/types";

interface WithdrawDialogProps {
  host: HostDetail;
  drive: string;
  onClose: () => void;
  onDone: () => void;
}

export function WithdrawDialog({ host, drive, onClose, onDone }: WithdrawDialogProps) {
  const client = useTRPCClient();
  return (
    <ReasonDialog
      title={`Withdraw the disposition of drive ${drive}?`}
      consequence={
        <p>
          {host.name} owes drive {drive} again: it must be found and erased, or get another disposition. If
          the disposition was signed and the host is Ready and not in use, it is checked again before it is
          allocated. The withdrawn disposition stays on record.
        </p>
      }
      confirmWords="Withdraw"
      hint="For example, where the drive was found."
      send={({ reason }) => client.host.withdrawDisposition.mutate({ hostId: host.id, drive, reason })}
      said={`Disposition of drive ${drive} withdrawn`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
