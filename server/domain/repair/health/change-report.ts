// How one change affects a host's reports (docs/repair.md#reports). Pure.
import { isWork } from "@/server/domain/repair/health/acting";
import { bodyOf, reportLimits, timeRefusal } from "@/server/domain/repair/health/report";
import { reservedSources } from "@/server/domain/repair/health/templates";
import type { Report, ReportInput, ReportMode } from "@/server/domain/repair/health/report";

/** A report as stored. */
export interface KeptReport extends Report {
  readonly receivedAtMs: number;
  readonly reportedBy: string;
  readonly heartbeatSeconds: number | null;
}

export type ReportChange = { readonly source: string; readonly mode: ReportMode } & (
  | {
      readonly kind: "set";
      readonly report: ReportInput;
      /** Used if the report itself does not say. */
      readonly heartbeatSeconds: number | null;
    }
  | { readonly kind: "removed" }
  /** The source has missed its promised reports. */
  | { readonly kind: "silent" }
);

export type Changed =
  | {
      readonly ok: true;
      readonly reports: readonly KeptReport[];
      /** The report after the change; null: removed. */
      readonly now: KeptReport | null;
      /** Removed with this change, because there is only one replacing report at a time. */
      readonly displaced: readonly KeptReport[];
      /** Alerts, successes or texts for tenants have changed. */
      readonly news: boolean;
      /** The report equals the stored one except for its time of arrival. */
      readonly same: boolean;
    }
  | { readonly ok: false; readonly code: "invalid" | "conflict" | "notFound"; readonly detail: string };

/** A source counts as silent after it missed two of its promised reports. */
export const missedHeartbeats = 2;

/** When a source counts as silent; null: it promised nothing. Pure. */
export const silentAtMs = ({
  receivedAtMs,
  heartbeatSeconds,
}: Pick<KeptReport, "receivedAtMs" | "heartbeatSeconds">): number | null =>
  heartbeatSeconds === null ? null : receivedAtMs + missedHeartbeats * heartbeatSeconds * 1_000;

const exactly = (report: KeptReport): string => {
  const { alerts, successes, silentSinceMs, reportedBy, heartbeatSeconds } = report;
  return JSON.stringify([alerts, successes, silentSinceMs === null, reportedBy, heartbeatSeconds]);
};

/** Without the operators' messages: "71.3 °C" and "71.4 °C" are the same alert. */
const said = ({ alerts, successes, silentSinceMs }: Report): string =>
  JSON.stringify([
    alerts.map(({ id, target, tenantMessage, classifications }) => [
      id,
      target,
      tenantMessage,
      [...classifications].sort(),
    ]),
    successes,
    silentSinceMs === null,
  ]);

const isReserved = ({ source }: { readonly source: string }): boolean => reservedSources.has(source);

function set(
  reports: readonly KeptReport[],
  before: KeptReport | undefined,
  change: Extract<ReportChange, { kind: "set" }>,
  by: string,
  nowMs: number,
): Changed {
  const { source, mode, report } = change;
  const observedMs = report.observedAt === null ? nowMs : Date.parse(report.observedAt);
  const wrong = timeRefusal(observedMs, nowMs, before?.observedAtMs ?? null);
  if (wrong !== null)
    return {
      ok: false,
      code: wrong.startsWith("a newer") ? "conflict" : "invalid",
      detail: `The report was rejected: ${wrong}.`,
    };
  const displaced =
    mode === "replace" ? reports.filter((each) => each.mode === "replace" && each !== before) : [];
  const others = reports.filter((each) => each !== before && !displaced.includes(each));
  // Reports by people and by Reclaim itself, such as on a tenant's release, do not count towards the limit.
  const counted = others.filter((each) => !isReserved(each)).length;
  if (!isReserved(change) && counted >= reportLimits.sources)
    return {
      ok: false,
      code: "conflict",
      detail: `The host has reports of ${counted} sources, which is the maximum. Remove one first.`,
    };
  const now: KeptReport = {
    source,
    mode,
    ...bodyOf(report, before ?? null, nowMs),
    observedAtMs: Math.min(observedMs, nowMs),
    receivedAtMs: nowMs,
    silentSinceMs: null,
    reportedBy: by,
    heartbeatSeconds:
      report.heartbeatSeconds === undefined ? change.heartbeatSeconds : report.heartbeatSeconds,
  };
  return {
    ok: true,
    reports: [...others, now],
    now,
    displaced,
    news: before === undefined || said(before) !== said(now),
    same: before !== undefined && displaced.length === 0 && exactly(before) === exactly(now),
  };
}

export function changeReport(
  reports: readonly KeptReport[],
  change: ReportChange,
  by: string,
  nowMs: number,
): Changed {
  const { source, mode, kind } = change;
  const before = reports.find((each) => each.source === source && each.mode === mode);
  if (kind === "set") return set(reports, before, change, by, nowMs);
  if (before === undefined)
    return { ok: false, code: "notFound", detail: `The host has no ${mode} report of ${source}.` };
  const others = reports.filter((each) => each !== before);
  if (kind === "removed")
    return { ok: true, reports: others, now: null, displaced: [], news: true, same: false };
  // It may have reported since somebody noticed that it was late.
  if (silentAtMs(before) === null || (silentAtMs(before) ?? 0) > nowMs)
    return { ok: true, reports, now: before, displaced: [], news: false, same: true };
  const now = { ...before, silentSinceMs: before.silentSinceMs ?? nowMs };
  return {
    ok: true,
    reports: [...others, now],
    now,
    displaced: [],
    news: before.silentSinceMs === null,
    same: false,
  };
}

/** The alerts that mean somebody may be touching a machine that is kept out of allocation. */
const workAlerts = (reports: readonly Report[]): readonly string[] =>
  reports.flatMap(({ alerts }) =>
    alerts
      .filter(({ id, classifications }) => isWork(id) && classifications.includes("PreventAllocations"))
      .map(({ id, target }) => (target === null ? id : `${id} (${target})`)),
  );

/** What may have been done to the host during an alert that has ended; null: nothing known. Pure. */
export function touchedBy(before: readonly Report[], after: readonly Report[]): string | null {
  const left = new Set(workAlerts(after));
  const ended = workAlerts(before).filter((alert) => !left.has(alert));
  return ended.length === 0 ? null : `the alert ${ended.join(", ")} ended`;
}
