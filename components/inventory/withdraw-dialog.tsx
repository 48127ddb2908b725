"use client";
// Withdraws the disposition of a drive: nobody answers for the drive any more.
import { useState } from "react";
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { ReasonField } from "@/components/ui/dialogs/reason-field";
import type { HostDetail } from "@/server/surfaces/trpc/types";

interface WithdrawDialogProps {
  host: HostDetail;
  drive: string;
  onClose: () => void;
  onDone: () => void;
}

export function WithdrawDialog({ host, drive, onClose, onDone }: WithdrawDialogProps) {
  const client = useTRPCClient();
  const [reason, setReason] = useState("");
  return (
    <ActDialog
      title={`Withdraw the disposition of drive ${drive}?`}
      consequence={
        <p>
          {host.name} owes drive {drive} again: it must be found and erased, or get another disposition. A
          host that is Ready and not in use is checked again before it is allocated. The withdrawn disposition
          stays on record.
        </p>
      }
      confirmWords="Withdraw"
      send={() => client.host.withdrawDisposition.mutate({ hostId: host.id, drive, reason: reason.trim() })}
      said={`Disposition of drive ${drive} withdrawn`}
      onClose={onClose}
      onDone={onDone}
      missing={reason.trim() === "" ? "Give a reason first" : undefined}
      field={
        <ReasonField label="Reason, such as where the drive was found" value={reason} onChange={setReason} />
      }
    />
  );
}
