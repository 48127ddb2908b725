"use client";
// Restarts a host's BMC: what it means, why, and how far it is.
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { Mark } from "@/components/ui/mark";
import { Age } from "@/components/ui/time/time";
import { resetConsequence, resetPhaseTones, resetPhaseWords } from "@/server/domain/hardware/bmc-reset";
import type { BmcReset, HostDetail } from "@/server/surfaces/trpc/types";

interface ResetBmcDialogProps {
  readonly host: Pick<HostDetail, "id" | "name">;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export const ResetBmcDialog = ({ host, ...rest }: ResetBmcDialogProps) => (
  <ActDialog
    title={`Reset the BMC of ${host.name}`}
    consequence={resetConsequence}
    confirmWords="Reset BMC"
    reason="Kept in the audit log, for example that its console hangs."
    send={({ reason }, client) => client.bmc.reset.mutate({ hostId: host.id, reason })}
    said="The BMC is being reset"
    {...rest}
  />
);

export const ResetProgress = ({
  reset: { phase, requestedAt, requestedBy, reason, sentAt, awayAt, endedAt, says, todo },
}: {
  readonly reset: BmcReset;
}) => (
  <p>
    <Mark tone={resetPhaseTones[phase]} label="" /> Reset requested <Age at={requestedAt} /> ago by{" "}
    {requestedBy} ({reason})
    {sentAt === null ? null : (
      <>
        , sent <Age at={sentAt} /> ago
      </>
    )}
    {awayAt === null || endedAt !== null ? null : (
      <>
        , away for <Age at={awayAt} />
      </>
    )}
    : {resetPhaseWords[phase]}. {says} {todo === null ? null : <span className="text-quiet">{todo}</span>}
  </p>
);
