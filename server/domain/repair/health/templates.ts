// Reports that an operator applies by name. Sources, alerts and classifications are NICo's (docs/repair.md#templates).
import type { ActingClassification } from "@/server/domain/repair/health/classifications";
import type { ReportInput } from "@/server/domain/repair/health/report";

export interface Template {
  readonly source: string;
  /** Null: a report without alerts. */
  readonly alert: {
    readonly id: string;
    readonly target: string | null;
    readonly classifications: readonly ActingClassification[];
  } | null;
  /** What it is for, as text for people. */
  readonly purpose: string;
}

const blocks: readonly ActingClassification[] = ["PreventAllocations", "SuppressExternalAlerting"];

export const healthTemplates = {
  "host-update": {
    source: "host-update",
    alert: { id: "HostUpdateInProgress", target: "admin-cli", classifications: blocks },
    purpose: "The host's firmware or software is being updated",
  },
  "internal-maintenance": {
    source: "maintenance",
    alert: {
      id: "Maintenance",
      target: null,
      classifications: [...blocks, "ExcludeFromStateMachineSla"],
    },
    purpose: "The provider is working on the host",
  },
  "out-for-repair": {
    source: "manual-maintenance",
    alert: {
      id: "Maintenance",
      target: "OutForRepair",
      classifications: [...blocks, "ExcludeFromStateMachineSla"],
    },
    purpose: "The host is out for repair",
  },
  degraded: {
    source: "manual-maintenance",
    alert: { id: "Maintenance", target: "Degraded", classifications: blocks },
    purpose: "The host works, but not well enough to be allocated",
  },
  validation: {
    source: "manual-maintenance",
    alert: { id: "Maintenance", target: "Validation", classifications: ["SuppressExternalAlerting"] },
    purpose: "The host is being tested; it may be allocated",
  },
  "suppress-external-alerting": {
    source: "suppress-paging",
    alert: {
      id: "Maintenance",
      target: "SuppressExternalAlerting",
      classifications: ["SuppressExternalAlerting"],
    },
    purpose: "No alerts are sent to people because of this host",
  },
  "mark-healthy": {
    source: "admin-cli",
    alert: null,
    purpose: "Reports the host as healthy; with replace it hides the other reports",
  },
  "stop-reboot-for-automatic-recovery-from-state-machine": {
    source: "manual-maintenance",
    alert: {
      id: "Maintenance",
      target: "admin-cli",
      classifications: ["StopRebootForAutomaticRecoveryFromStateMachine"],
    },
    purpose: "Somebody is inspecting the host; it must not be restarted",
  },
  "tenant-reported-issue": {
    source: "tenant-reported-issue",
    alert: { id: "TenantReportedIssue", target: "tenant-reported", classifications: blocks },
    purpose: "A tenant reported an issue",
  },
  "request-online-repair": {
    source: "request-online-repair",
    alert: {
      id: "RequestOnlineRepair",
      target: "request-online-repair",
      classifications: [...blocks, "PreventInstanceDeletion"],
    },
    purpose: "The host will be repaired while its tenant keeps it",
  },
  "request-repair": {
    source: "repair-request",
    alert: { id: "RequestRepair", target: "repair-requested", classifications: blocks },
    purpose: "The host should be claimed for repair",
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof healthTemplates;

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(healthTemplates, name);
/** In the order of the table. */
export const templateNames: readonly TemplateName[] = Object.keys(healthTemplates).filter(isTemplateName);

/** Messages in these are for whoever repairs the host, so a repair tenant can read them (docs/repair.md#the-repair-tenant). */
export const repairTemplates: readonly TemplateName[] = ["tenant-reported-issue", "request-repair"];

/** Reclaim's own reports of what a host's BMC says: of its components, and in its logs (docs/bmc-health.md). */
export const bmcSource = "reclaim.bmc";
export const bmcLogSource = "reclaim.bmc-log";

/** Reclaim's own reports of checks that a host failed. */
export const skuCheckSource = "reclaim.sku";
export const testCheckSource = "reclaim.tests";

/** Sources that only people and Reclaim itself write. No token is bound to one. */
export const reservedSources: ReadonlySet<string> = new Set([
  ...templateNames.map((name) => healthTemplates[name].source),
  "reclaim",
  bmcSource,
  bmcLogSource,
  skuCheckSource,
  testCheckSource,
  "aggregate-host-health",
]);

/** The report of a template with a person's message. Pure. */
export function fromTemplate(
  name: TemplateName,
  message: string,
  tenantMessage: string | null = null,
): ReportInput {
  const { alert }: Template = healthTemplates[name];
  return {
    observedAt: null,
    successes: [],
    alerts:
      alert === null
        ? []
        : [
            {
              id: alert.id,
              target: alert.target,
              inAlertSince: null,
              message,
              tenantMessage,
              classifications: [...alert.classifications],
            },
          ],
  };
}
