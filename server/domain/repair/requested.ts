// What a host should be repaired for, from the reports that request the repair.
import type { Alert } from "@/server/domain/repair/health/report";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import { readIssue } from "@/server/domain/repair/health-issue";
import type { ReportedIssue } from "@/server/domain/repair/health-issue";

/** An alert of one of the sources that request a repair. */
export interface RepairRequest {
  readonly source: string;
  readonly alert: Alert;
}

export interface RequestedIssue extends ReportedIssue {
  /** When the repair was requested. */
  readonly sinceMs: number;
}

/** A tenant's own report takes precedence over a request, which repeats it. Null: no repair is requested. Pure. */
export function requestedIssue(asked: readonly RepairRequest[]): RequestedIssue | null {
  const told = asked.find(({ source }) => source === healthTemplates["tenant-reported-issue"].source);
  const first = told ?? asked[0];
  if (first === undefined) return null;
  const sinceMs = Math.min(...asked.map(({ alert }) => Date.parse(alert.inAlertSince)));
  return { ...readIssue(first.alert.message), sinceMs };
}
