// Online repair: a machine is repaired while its tenant keeps it. Words, limits and the report are NICo's (docs/repair.md#online-repair).
import { z } from "zod";
import type { ReportChange } from "@/server/domain/health/change-report";
import { storedBody } from "@/server/domain/health/report";
import type { Report, ReportInput } from "@/server/domain/health/report";
import { healthTemplates } from "@/server/domain/health/templates";
import { instanceLabels } from "@/server/domain/instances/own-words";
import type { InstanceLabels } from "@/server/domain/instances/own-words";
import { nicoInstanceStatuses } from "@/server/domain/lifecycle/projections";
import type { NicoInstanceStatus } from "@/server/domain/lifecycle/projections";
import {
  healthIssue,
  issueLimits,
  issueMessage,
  issueText,
  readIssue,
} from "@/server/domain/repair/health-issue";
import type { HealthIssue } from "@/server/domain/repair/health-issue";

/** The source whose report is an online repair, whoever wrote it. */
export const onlineRepairSource = healthTemplates["request-online-repair"].source;

const alertId = "OnLineRepair";

/** Of an instance: what its tenant chose, and that an online repair failed. Nothing decides by them. */
export const onlineRepairLabels = {
  deletion: "onlineRepair.allowAutoInstanceDeletionOnFailure",
  status: "onlineRepair.status",
  escalation: "onlineRepair.escalation",
  failureReason: "onlineRepair.failureReason",
} as const;

/** Whoever repairs cannot ask back: details are required here, and not with a release. */
export const onlineRepairIssue = healthIssue.extend({ details: issueText(issueLimits.details) });

const accepted = z.literal(true, { error: "must be true to begin an online repair" });

/** What the tenant knows of the risk. */
export const acknowledgements = z.strictObject({
  acceptDataCorruptionRisk: accepted,
  acceptRepairTeamAccess: accepted,
  acceptInstanceDeletionRisk: accepted,
});
export type Acknowledgements = z.output<typeof acknowledgements>;

export const onlineRepairReport = (issue: HealthIssue): ReportInput => ({
  observedAt: null,
  successes: [],
  alerts: [
    {
      id: alertId,
      target: healthTemplates["tenant-reported-issue"].alert.target,
      inAlertSince: null,
      message: issueMessage(issue),
      tenantMessage: `TenantReportedIssue: ${issue.summary}`,
      classifications: [...healthTemplates["request-online-repair"].alert.classifications],
    },
  ],
});

/** Whether a report says that a machine is repaired while its tenant keeps it: one that also keeps the instance. Pure. */
export const isOnlineRepair = (reports: readonly Pick<Report, "source" | "mode" | "alerts">[]): boolean =>
  reports.some(
    ({ source, mode, alerts }) =>
      source === onlineRepairSource &&
      mode === "merge" &&
      alerts.some(({ classifications }) => classifications.includes("PreventInstanceDeletion")),
  );

/** Since when the machine is repaired while its tenant keeps it; null: it is not. Pure. */
export function onlineRepairSince(
  reports: readonly Pick<Report, "source" | "mode" | "alerts">[],
): Date | null {
  const since = reports
    .filter((report) => isOnlineRepair([report]))
    .flatMap(({ alerts }) => alerts.map(({ inAlertSince }) => Date.parse(inAlertSince)));
  return since.length === 0 ? null : new Date(Math.min(...since));
}

/** What ends it. Nothing where there is none. Pure. */
export const onlineRepairRemoved = (
  reports: readonly Pick<Report, "source" | "mode">[],
): readonly ReportChange[] =>
  reports.some(({ source, mode }) => source === onlineRepairSource && mode === "merge")
    ? [{ kind: "removed", source: onlineRepairSource, mode: "merge" }]
    : [];

function issueIn(message: string): HealthIssue | null {
  const { category, ...texts } = readIssue(message);
  return category === null ? null : (healthIssue.safeParse({ category, ...texts }).data ?? null);
}

/** What a stored report of an online repair says, and since when. The issue is null where an operator wrote other words. Null: it says nothing. Pure. */
export function onlineRepairOf(
  body: unknown,
): { readonly since: Date; readonly issue: HealthIssue | null } | null {
  const [alert] = storedBody.safeParse(body).data?.alerts ?? [];
  return alert === undefined ? null : { since: new Date(alert.inAlertSince), issue: issueIn(alert.message) };
}

const notReadyFor = (status: NicoInstanceStatus): string =>
  `An online repair can only begin on a Ready instance. This one is ${status}.`;

/**
 * Why it cannot begin; null: it can. Pure.
 * @param reported the machine has a report of an online repair: what stands there is not written over
 */
export function beginRefusal(status: NicoInstanceStatus, reported: boolean): string | null {
  if (status !== "Ready") return notReadyFor(status);
  return reported
    ? "The machine already has an online repair report. End that online repair, then begin again."
    : null;
}

/** What is left of an online repair. */
export interface RepairTraces {
  readonly status: NicoInstanceStatus;
  readonly labelled: boolean;
  readonly reported: boolean;
}

/** Whether there is one to end. Any trace is enough, so that none stays behind. Pure. */
export const canEnd = ({ status, labelled, reported }: RepairTraces): boolean =>
  status === "Repairing" || labelled || reported;

/** That there is none. */
export const noneToEnd = (status: NicoInstanceStatus): string =>
  `No online repair is on: the instance is ${status}.`;

/** A refusal as NICo's clients know it: of an instance in the wrong state in NICo's words, everything else as it is. Pure. */
export function inNicoWords(refusal: string): string {
  const unready = nicoInstanceStatuses.find((each) => notReadyFor(each) === refusal);
  if (unready !== undefined)
    return `Instance must be in Ready state to enter online repair (current state: ${unready})`;
  const status = nicoInstanceStatuses.find((each) => noneToEnd(each) === refusal);
  return status === undefined
    ? refusal
    : `Instance must be in Repairing state, retain the online repair marker label (${onlineRepairLabels.deletion}), or the Machine health must include the ${alertId} alert to exit online repair (current instance state: ${status})`;
}

/** Labels of an instance with more; null: there is no room for them. Pure. */
export const withRepairLabels = (labels: InstanceLabels, more: InstanceLabels): InstanceLabels | null =>
  instanceLabels.safeParse({ ...labels, ...more }).data ?? null;

const longestReason = 255;

/** The labels of an online repair that failed, as NICo's guide has them. Pure. */
export const failureLabels = (reason: string): InstanceLabels => ({
  [onlineRepairLabels.status]: "Failed",
  [onlineRepairLabels.escalation]: "FullRepair",
  [onlineRepairLabels.failureReason]: [...reason].slice(0, longestReason).join(""),
});

/** What a tenant reads in its instance's history. */
export const onlineRepairMessages = {
  begun: "Instance is currently being repaired",
  completed: "Instance repair has been completed, ready for use",
  failed: "Online repair has failed; the instance is released for full repair",
} as const;
