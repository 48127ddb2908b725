// How a release changes the alerts of a machine: a tenant's release, and a repair tenant's, which ends a repair
// (docs/repair.md#what-a-repair-tenants-release-does).
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import type { ReportInput } from "@/server/domain/repair/health/report";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import type { HostLabels } from "@/server/domain/hosts/labels/host-labels";
import { reportedIssue, requestedRepair } from "@/server/domain/repair/health-issue";
import type { HealthIssue } from "@/server/domain/repair/health-issue";

/** The label of a host with the status of its repair. */
export const repairStatusLabel = "repair_status";

export type RepairStatus = "Completed" | "Failed" | "InProgress" | "Unknown";

const statuses: Readonly<Record<string, RepairStatus>> = {
  completed: "Completed",
  failed: "Failed",
  inprogress: "InProgress",
  in_progress: "InProgress",
  "in-progress": "InProgress",
};

/** Any other value counts as unknown, so that a typing error does not complete a repair. Pure. */
export function repairStatus(labels: HostLabels): RepairStatus {
  const word = (labels[repairStatusLabel] ?? "").toLowerCase();
  return Object.hasOwn(statuses, word) ? (statuses[word] ?? "Unknown") : "Unknown";
}

const { source: requestSource } = healthTemplates["request-repair"];
const { source: issueSource } = healthTemplates["tenant-reported-issue"];

/** Which of the two reports a host has. */
interface RepairReports {
  readonly requested: boolean;
  readonly reported: boolean;
}

/** Pure. */
export const repairReports = (
  reports: readonly { readonly source: string; readonly mode: string }[],
): RepairReports => {
  const has = (source: string) => reports.some((each) => each.source === source && each.mode === "merge");
  return { requested: has(requestSource), reported: has(issueSource) };
};

const set = (source: string, report: ReportInput): ReportChange => ({
  kind: "set",
  source,
  mode: "merge",
  report,
  heartbeatSeconds: null,
});
const removed = (source: string, there: boolean): readonly ReportChange[] =>
  there ? [{ kind: "removed", source, mode: "merge" }] : [];

/** For a repair that ended without a known outcome. */
const incomplete = (labels: HostLabels): HealthIssue => ({
  category: "Other",
  summary: "RepairSystem processing incomplete",
  details: `The repair ended without being completed. ${repairStatusLabel}: ${labels[repairStatusLabel] ?? "Unknown"}`,
});

/** A tenant releases a machine. `autoRepair`: the site requests the repair at once. Pure. */
export const releaseChanges = (issue: HealthIssue | null, autoRepair: boolean): readonly ReportChange[] =>
  issue === null
    ? []
    : [
        set(issueSource, reportedIssue(issue)),
        ...(autoRepair ? [set(requestSource, requestedRepair(issue))] : []),
      ];

/**
 * A repair tenant releases a machine. This never requests another repair, whatever the site does automatically, so that no machine is repaired in an
 * endless loop. Without a request there was no repair to end, and earlier reports stay until a person removes them. Pure.
 */
export function completionChanges(
  { requested, reported }: RepairReports,
  labels: HostLabels,
  issue: HealthIssue | null,
): readonly ReportChange[] {
  if (!requested) return issue === null ? [] : [set(issueSource, reportedIssue(issue))];
  const ended = removed(requestSource, true);
  if (issue !== null) return [...ended, set(issueSource, reportedIssue(issue))];
  // safety: repair: only what is said to be completed goes back
  if (repairStatus(labels) !== "Completed")
    return [...ended, set(issueSource, reportedIssue(incomplete(labels)))];
  return [...ended, ...removed(issueSource, reported)];
}
