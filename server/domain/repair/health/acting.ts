// The part of a host's health that affects decisions. It is folded when a report is written, and stored with the host's run, so that claim, commit and
// release read no other table (docs/adr/0092-health.md).
import { z } from "zod";
import { isActing } from "@/server/domain/repair/health/classifications";
import type { ActingClassification } from "@/server/domain/repair/health/classifications";
import type { Aggregate, MergedAlert } from "@/server/domain/repair/health/aggregate";
import { storedDocument } from "@/server/domain/stored";

const alert = z.object({
  id: z.string(),
  target: z.string().nullable(),
  sources: z.array(z.string()).readonly(),
  inAlertSince: z.string(),
  /** Truncated. */
  message: z.string(),
  classifications: z.array(z.string()).readonly(),
});

const acting = z.object({
  /** Who reports. */
  sources: z.array(z.string()).readonly(),
  /** Those that act, from all alerts. */
  classifications: z.array(z.string()).readonly(),
  /** Some of the acting alerts with their acting classifications, as evidence for a gate. */
  alerts: z.array(alert).readonly(),
  /** How many more alerts act. */
  more: z.number(),
  /** A repair tenant may have the host (server/domain/repair/claimable.ts). */
  repair: z.literal(true).optional(),
  /** The host is repaired while its tenant keeps it (server/domain/repair/online-repair.ts). */
  onlineRepair: z.literal(true).optional(),
});
export type ActingHealth = Readonly<z.infer<typeof acting>>;
type ActingAlert = ActingHealth["alerts"][number];

export const storedHealth = storedDocument(acting);

/** From a database row. Throws if it is invalid. */
export const readActing = (value: unknown): ActingHealth | null =>
  value === null ? null : storedHealth.parse(value);

/** Limits on the alerts stored with the run and on their messages, because every claim of the host reads them. */
const maxAlerts = 8;
const maxMessage = 160;
const maxSources = 16;

const actingOf = (classifications: readonly string[]): ActingClassification[] =>
  classifications.filter(isActing);

function short({ id, target, sources, inAlertSince, message, classifications }: MergedAlert): ActingAlert {
  return {
    id,
    target,
    sources: sources.slice(0, 4),
    inAlertSince,
    // By code points: the database rejects half of a surrogate pair.
    message: [...message].slice(0, maxMessage).join(""),
    classifications: actingOf(classifications),
  };
}

/** Alerts that add a classification come first, so that for each one that acts there is an alert that explains it. */
function byWhatTheyAdd(alerts: readonly MergedAlert[]): MergedAlert[] {
  const covered = new Set<string>();
  const first = alerts.filter(({ classifications }) => {
    const news = actingOf(classifications).filter((name) => !covered.has(name));
    for (const name of news) covered.add(name);
    return news.length > 0;
  });
  return [...first, ...alerts.filter((each) => !first.includes(each))];
}

/**
 * From all reports, including replaced ones: `replace` hides nothing from a decision. Only paging follows what is shown.
 * Null: there are no reports. Pure.
 */
export function foldActing(
  sources: readonly string[],
  all: Aggregate,
  shown: Aggregate,
): ActingHealth | null {
  if (sources.length === 0) return null;
  const quiet = "SuppressExternalAlerting" satisfies ActingClassification;
  const found = new Set([
    ...all.alerts
      .flatMap(({ classifications }) => actingOf(classifications))
      .filter((name) => name !== quiet),
    ...shown.alerts.flatMap(({ classifications }) => classifications.filter((name) => name === quiet)),
  ]);
  const alerts = byWhatTheyAdd(
    all.alerts.filter(({ classifications }) => actingOf(classifications).length > 0),
  );
  return {
    sources: [...new Set(sources)].sort().slice(0, maxSources),
    classifications: [...found].sort(),
    alerts: alerts.slice(0, maxAlerts).map(short),
    more: Math.max(0, alerts.length - maxAlerts),
  };
}

/** Alerts that mean somebody is working on the machine (docs/adr/0028-recheck-after-maintenance.md). */
export const isWork = (id: string): boolean => id === "Maintenance" || id === "HostUpdateInProgress";

/**
 * Why the machine must be left alone: somebody is working on it. Alerts that are only counted are assumed to mean work, unless all were checked
 * for a repair. Null: nobody is. Pure.
 */
export function atWork(health: ActingHealth | null): string | null {
  if (!acts(health, "PreventAllocations") || health === null) return null;
  const work = health.alerts.some(
    ({ id, classifications }) => isWork(id) && classifications.includes("PreventAllocations"),
  );
  return work || (health.more > 0 && health.repair !== true)
    ? `an alert says that somebody is working on the host: ${actingText(health, "PreventAllocations")}`
    : null;
}

/** Whether there is an alert with this classification. */
export const acts = (health: ActingHealth | null, name: ActingClassification): boolean =>
  health !== null && health.classifications.includes(name);

/** The alerts with this classification, briefly: `TenantReportedIssue (tenant-reported) by tenant-reported-issue: fans fail`. Pure. */
export function actingText(health: ActingHealth | null, name: ActingClassification): string {
  if (health === null) return "";
  const found = health.alerts.filter(({ classifications }) => classifications.includes(name));
  const words = found
    .slice(0, 3)
    .map(
      ({ id, target, sources, message }) =>
        `${id}${target === null ? "" : ` (${target})`} by ${sources.join(", ")}${message === "" ? "" : `: ${message.split("\n", 1)[0] ?? ""}`}`,
    );
  return `${words.join("; ")}${found.length > words.length || health.more > 0 ? "; and others" : ""}`;
}
