"use client";
// Acknowledges one fault of the last self-audit, or all open ones, with a note on what was found out.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { formatCounted } from "@/components/ui/format/numbers";
import type { SelfAuditFault, SelfAuditLine } from "@/server/surfaces/trpc/types";

interface AcknowledgeDialogProps {
  readonly check: SelfAuditLine;
  /** Undefined: all open faults. */
  readonly fault: SelfAuditFault | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AcknowledgeDialog({ check, fault, onClose, onDone }: AcknowledgeDialogProps) {
  const client = useTRPCClient();
  const open = formatCounted(check.open, "open fault");
  const what = fault === undefined ? `All ${open} of this self-audit` : "This fault";
  return (
    <ActDialog
      title={fault === undefined ? `Acknowledge ${open}?` : "Acknowledge this fault?"}
      consequence={`${what} will not alert again. Later self-audits still list what they find, and a new fault alerts. Who acknowledged it, and why, is in the audit log.`}
      confirmWords={fault === undefined ? `Acknowledge ${open}` : "Acknowledge fault"}
      reason="What was found out, and what was done about it."
      send={({ reason }) =>
        client.audit.acknowledge.mutate({
          check: check.id,
          keys: fault === undefined ? undefined : [fault.key],
          reason,
        })
      }
      said={({ acknowledged }) => `${formatCounted(acknowledged, "fault")} acknowledged`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
