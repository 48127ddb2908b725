// Merges the reports of a host: the union by (id, target) (docs/repair.md#reports). Pure.
import { keyOf } from "@/server/domain/repair/health/report";
import type { Alert, Report, Success } from "@/server/domain/repair/health/report";

/** An alert of one or more sources. */
export interface MergedAlert extends Alert {
  readonly sources: readonly string[];
}

export interface Aggregate {
  readonly successes: readonly Success[];
  readonly alerts: readonly MergedAlert[];
  /** Of the oldest report; null: there is none. */
  readonly observedAtMs: number | null;
}

/** Raised for a source that missed its promised reports. */
export const heartbeatTimeout = "HeartbeatTimeout";

/** A silent source keeps its last alerts, plus one that says that it is silent. */
function alertsOf({ source, alerts, silentSinceMs }: Report): readonly Alert[] {
  if (silentSinceMs === null) return alerts;
  const since = new Date(silentSinceMs).toISOString();
  return [
    ...alerts.filter((alert) => alert.id !== heartbeatTimeout || alert.target !== source),
    {
      id: heartbeatTimeout,
      target: source,
      inAlertSince: since,
      message: `${source} has not reported since ${since} and is overdue`,
      tenantMessage: null,
      classifications: ["PreventAllocations"],
    },
  ];
}

const texts = (one: string, other: string): string =>
  one === "" || other.split("\n").includes(one) ? other : other === "" ? one : `${one}\n${other}`;

/** Sources are sorted beforehand, so that the result does not depend on who reported first. */
function united(one: MergedAlert, other: MergedAlert): MergedAlert {
  return {
    id: one.id,
    target: one.target,
    inAlertSince:
      Date.parse(one.inAlertSince) <= Date.parse(other.inAlertSince) ? one.inAlertSince : other.inAlertSince,
    message: texts(one.message, other.message),
    tenantMessage:
      one.tenantMessage === null || other.tenantMessage === null
        ? (one.tenantMessage ?? other.tenantMessage)
        : texts(one.tenantMessage, other.tenantMessage),
    classifications: [...new Set([...one.classifications, ...other.classifications])],
    sources: [...new Set([...one.sources, ...other.sources])],
  };
}

const bySource = (one: Report, other: Report): number =>
  one.source < other.source ? -1 : one.source > other.source ? 1 : one.mode < other.mode ? -1 : 1;

/** The union of all given reports, whatever their mode. */
export function aggregate(reports: readonly Report[]): Aggregate {
  const sorted = [...reports].sort(bySource);
  const alerts = new Map<string, MergedAlert>();
  for (const report of sorted)
    for (const alert of alertsOf(report)) {
      const next = { ...alert, sources: [report.source] };
      const before = alerts.get(keyOf(alert));
      alerts.set(keyOf(alert), before === undefined ? next : united(before, next));
    }
  const successes = new Map(
    sorted
      .flatMap((report) => report.successes)
      .filter((success) => !alerts.has(keyOf(success)))
      .map((success) => [keyOf(success), success]),
  );
  return {
    successes: [...successes.values()],
    alerts: [...alerts.values()].sort(
      (one, other) => Date.parse(one.inAlertSince) - Date.parse(other.inAlertSince),
    ),
    observedAtMs: sorted.length === 0 ? null : Math.min(...sorted.map(({ observedAtMs }) => observedAtMs)),
  };
}

/** What is shown: reports in mode `replace` hide the others. */
export function shownAggregate(reports: readonly Report[]): Aggregate {
  const replacing = reports.filter(({ mode }) => mode === "replace");
  return aggregate(replacing.length > 0 ? replacing : reports);
}
