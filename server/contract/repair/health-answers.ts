// What people read about a host's health, and about the sources that report it (docs/repair.md).
import { z } from "zod";
import { healthLevels, healthTones } from "@/server/domain/repair/health/fold";
import { reportModes } from "@/server/domain/repair/health/report";
import { added, list, record } from "@/server/contract/define";

const check = record({ id: z.string(), target: z.string().nullable() });

const alert = {
  id: z.string(),
  target: z.string().nullable(),
  inAlertSince: z.date(),
  message: z.string(),
  tenantMessage: z.string().nullable(),
  classifications: list(z.string()),
};
/** `sources` are those that raise the alert. */
const mergedAlert = record({ ...alert, sources: list(z.string()) });
export type HealthAlert = z.infer<typeof mergedAlert>;

const report = record({
  source: z.string(),
  mode: z.enum(reportModes),
  observedAt: z.date(),
  receivedAt: z.date(),
  reportedBy: z.string(),
  heartbeatSeconds: z.number().nullable(),
  /** Since when the source has missed its promised reports. */
  silentSince: z.date().nullable(),
  alerts: list(record(alert)),
  successes: list(check),
});
export type HealthReport = z.infer<typeof report>;

const change = record({
  id: z.string(),
  at: z.date(),
  source: z.string(),
  mode: z.enum(reportModes),
  kind: z.enum(["set", "removed", "silent"]),
  by: z.string(),
  reason: z.string().nullable(),
  /** Ids of the alerts in the report from then on. */
  alerts: list(z.string()),
});
export type HealthChange = z.infer<typeof change>;

/** What a classification does, in words. */
const effect = record({ classification: z.string(), words: z.string() });
export type HealthEffect = z.infer<typeof effect>;

/** Shown in lists and page heads. */
export const markMembers = { words: z.string(), tone: z.enum(healthTones) };
export const healthMark = record(markMembers);

/** What Reclaim itself last read from the host's BMC (docs/bmc-health.md). */
const bmcReading = record({
  /** Null if it was never read. */
  readAt: z.date().nullable(),
  /** What the BMC has no list of, in words. */
  notOffered: list(z.string()),
  /** Since when nothing can be read; null: it can. */
  failing: record({ since: z.date(), why: z.string() }).nullable(),
  /** When a person asked for a reading that has not come yet; null: nobody waits. */
  wantedAt: z.date().nullable(),
});

export const hostHealth = record({
  /** Null if no source reports. */
  level: z.enum(healthLevels).nullable(),
  mark: healthMark,
  /** Source of the report that hides the others; null if none does. */
  replacedBy: z.string().nullable(),
  alerts: list(mergedAlert),
  successes: list(check),
  /** Alerts hidden by that report, which still have their effects. */
  hidden: list(mergedAlert),
  /** Effects of all alerts, shown or hidden. */
  effects: list(effect),
  reports: list(report),
  /** Null until the host's BMC was asked for its health. */
  bmc: added(bmcReading.nullable()),
  /** Newest first. */
  changes: list(change),
  /** Pass this to get older changes; null if there are none. */
  before: z.string().nullable(),
  mayChange: z.boolean(),
});
export type HostHealth = z.infer<typeof hostHealth>;

export const healthTemplate = record({
  name: z.string(),
  purpose: z.string(),
  source: z.string(),
  alert: check.nullable(),
  effects: list(effect),
});
export type HealthTemplate = z.infer<typeof healthTemplate>;

export const healthSource = record({
  id: z.string(),
  name: z.string(),
  /** Null for hosts of every site. */
  site: z.string().nullable(),
  heartbeatSeconds: z.number().nullable(),
  createdAt: z.date(),
  createdBy: z.string(),
  lastUsedAt: z.date().nullable(),
  /** Hosts that the source has reported on, and how many of them it is silent about. */
  hosts: z.number(),
  silent: z.number(),
});
export type HealthSource = z.infer<typeof healthSource>;
