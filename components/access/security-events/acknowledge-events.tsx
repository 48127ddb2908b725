"use client";
// Acknowledges security events with a note on what was found out.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { formatCounted } from "@/components/ui/format/numbers";

interface AcknowledgeEventsProps {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function AcknowledgeEvents({ ids, onClose, onDone }: AcknowledgeEventsProps) {
  const client = useTRPCClient();
  const what = ids.length === 1 ? "this security event" : formatCounted(ids.length, "security event");
  return (
    <ActDialog
      title={`Acknowledge ${what}?`}
      consequence="It stops alerting. If the same is tried again, that is a new event. Who acknowledged it, and the note, are in the audit log."
      confirmWords="Acknowledge"
      reason="What was found out, and what was done about it."
      send={({ reason }) => client.security.acknowledge.mutate({ ids: [...ids], note: reason })}
      said={({ acknowledged }) => `${formatCounted(acknowledged, "security event")} acknowledged`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
