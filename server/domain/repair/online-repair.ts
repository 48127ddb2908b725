// Online repair: a machine is repaired while its tenant keeps it. Texts, limits and the report are NICo's (docs/repair.md#online-repair).
import { z } from "zod";
import type { ReportChange } from "@/server/domain/repair/health/change-report";
import { storedBody } from "@/server/domain/repair/health/report";
import type { Report, ReportInput } from "@/server/domain/repair/health/report";
import { healthTemplates } from "@/server/domain/repair/health/templates";
import { instanceLabels } from "@/server/domain/instances/own-text";
import type { InstanceLabels } from "@/server/domain/instances/own-text";
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

/** A report of this source is an online repair, whoever wrote it. */
export const onlineRepairSource = healthTemplates["request-online-repair"].source;

const alertId = "OnLineRepair";

/** Labels of an instance: the tenant's choice, and that an online repair failed. Nothing is decided by them. */
export const onlineRepairLabels = {
  deletion: "onlineRepair.allowAutoInstanceDeletionOnFailure",
  status: "onlineRepair.status",
  escalation: "onlineRepair.escalation",
  failureReason: "onlineRepair.failureReason",
} as const;

/** Whoever repairs cannot ask back, so details are required here, unlike for a release. */
export const onlineRepairIssue = healthIssue.extend({ details: issueText(issueLimits.details) });

const accepted = z.literal(true, { error: "must be true to begin an online repair" });

/** The risks that the tenant acknowledges. */
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

/** Whether a report says that a machine is repaired while its tenant keeps it. It must also prevent the deletion of the instance. Pure. */
export const isOnlineRepair = (reports: readonly Pick<Report, "source" | "mode" | "alerts">[]): boolean =>
  reports.some(
    ({ source, mode, alerts }) =>
      source === onlineRepairSource &&
      mode === "merge" &&
      alerts.some(({ classifications }) => classifications.includes("PreventInstanceDeletion")),
  );

/** When the current online repair began; null: there is none. Pure. */
export function onlineRepairSince(
  reports: readonly Pick<Report, "source" | "mode" | "alerts">[],
): Date | null {
  const since = reports
    .filter((report) => isOnlineRepair([report]))
    .flatMap(({ alerts }) => alerts.map(({ inAlertSince }) => Date.parse(inAlertSince)));
  return since.length === 0 ? null : new Date(Math.min(...since));
}

/** The change that ends it; empty if there is none. Pure. */
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

/** The content of a stored online repair report, and its start. The issue is null if an operator wrote free text. Null: the report has no alert. Pure. */
export function onlineRepairOf(
  body: unknown,
): { readonly since: Date; readonly issue: HealthIssue | null } | null {
  const [alert] = storedBody.safeParse(body).data?.alerts ?? [];
  return alert === undefined ? null : { since: new Date(alert.inAlertSince), issue: issueIn(alert.message) };
}

const notReadyFor = (status: NicoInstanceStatus): string =>
  `An online repair can only begin on a Ready instance. This one is ${status}.`;

/**
 * Why an online repair cannot begin; null: it can. Pure.
 * @param reported the machine has an online repair report, which is not overwritten
 */
export function beginRefusal(status: NicoInstanceStatus, reported: boolean): string | null {
  if (status !== "Ready") return notReadyFor(status);
  return reported
    ? "The machine already has an online repair report. End that online repair, then begin again."
    : null;
}

/** Traces of an online repair. */
export interface RepairTraces {
  readonly status: NicoInstanceStatus;
  readonly labelled: boolean;
  readonly reported: boolean;
}

/** Whether there is an online repair to end. Any trace is enough, so that none is left behind. Pure. */
export const canEnd = ({ status, labelled, reported }: RepairTraces): boolean =>
  status === "Repairing" || labelled || reported;

/** The message if there is none. */
export const noneToEnd = (status: NicoInstanceStatus): string =>
  `No online repair is on: the instance is ${status}.`;

/** A refusal as NICo's clients know it: in NICo's words if the instance is in the wrong state, otherwise unchanged. Pure. */
export function inNicoText(refusal: string): string {
  const unready = nicoInstanceStatuses.find((each) => notReadyFor(each) === refusal);
  if (unready !== undefined)
    return `Instance must be in Ready state to enter online repair (current state: ${unready})`;
  const status = nicoInstanceStatuses.find((each) => noneToEnd(each) === refusal);
  return status === undefined
    ? refusal
    : `Instance must be in Repairing state, retain the online repair marker label (${onlineRepairLabels.deletion}), or the Machine health must include the ${alertId} alert to exit online repair (current instance state: ${status})`;
}

/** An instance's labels with more added; null: there is no room for them. Pure. */
export const withRepairLabels = (labels: InstanceLabels, more: InstanceLabels): InstanceLabels | null =>
  instanceLabels.safeParse({ ...labels, ...more }).data ?? null;

const longestReason = 255;

/** The labels of a failed online repair, as in NICo's guide. Pure. */
export const failureLabels = (reason: string): InstanceLabels => ({
  [onlineRepairLabels.status]: "Failed",
  [onlineRepairLabels.escalation]: "FullRepair",
  [onlineRepairLabels.failureReason]: [...reason].slice(0, longestReason).join(""),
});

/** Messages in the instance's history for its tenant. */
export const onlineRepairMessages = {
  begun: "Instance is currently being repaired",
  completed: "Instance repair has been completed, ready for use",
  failed: "Online repair has failed; the instance is released for full repair",
} as const;
