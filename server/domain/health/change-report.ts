// What one change makes of a host's reports (docs/repair.md#reports). Pure.
import { isWork } from "@/server/domain/health/acting";
import { bodyOf, reportLimits, timeRefusal } from "@/server/domain/health/report";
import { reservedSources } from "@/server/domain/health/templates";
import type { Report, ReportInput, ReportMode } from "@/server/domain/health/report";

/** A report as it is kept. */
export interface KeptReport extends Report {
  readonly receivedAtMs: number;
  readonly reportedBy: string;
  readonly heartbeatSeconds: number | null;
}

export type ReportChange = { readonly source: string; readonly mode: ReportMode } & (
  | {
      readonly kind: "set";
      readonly report: ReportInput;
      /** Where the report itself does not say. */
      readonly heartbeatSeconds: number | null;
    }
  | { readonly kind: "removed" }
  /** It has not reported as it promised. */
  | { readonly kind: "silent" }
);

export type Changed =
  | {
      readonly ok: true;
      readonly reports: readonly KeptReport[];
      /** As it is now; null: removed. */
      readonly now: KeptReport | null;
      /** Taken away with it: one report replaces the others, never two. */
      readonly displaced: readonly KeptReport[];
      /** Other alerts or successes, or other words to tenants. */
      readonly news: boolean;
      /** The report is the one that is stored, but for when it came. */
      readonly same: boolean;
    }
  | { readonly ok: false; readonly code: "invalid" | "conflict" | "notFound"; readonly detail: string };

/** A source is silent when it has left out two of the reports that it promised. */
export const missedHeartbeats = 2;

/** When a source is taken for silent; null: it promised nothing. Pure. */
export const silentAtMs = ({
  receivedAtMs,
  heartbeatSeconds,
}: Pick<KeptReport, "receivedAtMs" | "heartbeatSeconds">): number | null =>
  heartbeatSeconds === null ? null : receivedAtMs + missedHeartbeats * heartbeatSeconds * 1_000;

const exactly = (report: KeptReport): string => {
  const { alerts, successes, silentSinceMs, reportedBy, heartbeatSeconds } = report;
  return JSON.stringify([alerts, successes, silentSinceMs === null, reportedBy, heartbeatSeconds]);
};

/** Without the messages for people: "71.3 °C" is no other alert than "71.4 °C". */
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
  // What people and Reclaim itself report, as of a tenant's release, is never too much, and takes no source's place.
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
  // It may have reported since somebody found it late.
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

/** Of reports, the alerts under which somebody may touch a machine that is kept out of allocation. */
const workAlerts = (reports: readonly Report[]): readonly string[] =>
  reports.flatMap(({ alerts }) =>
    alerts
      .filter(({ id, classifications }) => isWork(id) && classifications.includes("PreventAllocations"))
      .map(({ id, target }) => (target === null ? id : `${id} (${target})`)),
  );

/** What was done to the host while an alert stood that has ended; null: nothing that is known of. Pure. */
export function touchedBy(before: readonly Report[], after: readonly Report[]): string | null {
  const left = new Set(workAlerts(after));
  const ended = workAlerts(before).filter((alert) => !left.has(alert));
  return ended.length === 0 ? null : `the alert ${ended.join(", ")} ended`;
}
