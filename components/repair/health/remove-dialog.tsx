"use client";
// Removes a source's report, and states what ends with it.
import { useTRPCClient } from "@/components/trpc/trpc";
import { ReasonDialog } from "@/components/ui/form/reason-dialog";
import type { HealthReport, HostDetail } from "@/server/surfaces/trpc/types";

interface RemoveDialogProps {
  host: HostDetail;
  report: HealthReport;
  reports: readonly HealthReport[];
  onClose: () => void;
  onDone: () => void;
}

const prevents = ({ alerts, silentSince }: HealthReport): boolean =>
  silentSince !== null ||
  alerts.some(({ classifications }) => classifications.includes("PreventAllocations"));

/** Whether the host could be allocated again as far as reports are concerned. */
function endText(host: HostDetail, report: HealthReport, reports: readonly HealthReport[]): string {
  if (!prevents(report)) return "It does not block anything on this host.";
  return reports.some((other) => other !== report && prevents(other))
    ? `Another report still keeps ${host.name} out of allocation.`
    : `After that, no report keeps ${host.name} out of allocation. If somebody worked on the host, it is checked again first.`;
}

export function RemoveDialog({ host, report, reports, onClose, onDone }: RemoveDialogProps) {
  const client = useTRPCClient();
  const { source, mode } = report;
  return (
    <ReasonDialog
      title={`Remove the report of ${source} from ${host.name}?`}
      consequence={
        <p>
          {endText(host, report, reports)} If the source still sees the problem, its next report brings the
          alerts back. The report stays in the list of changes.
        </p>
      }
      confirmWords="Remove the report"
      hint="For example, what was repaired."
      send={({ reason }) => client.health.remove.mutate({ hostId: host.id, source, mode, reason })}
      said={`Report of ${source} removed from ${host.name}`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
