// What the reports of a host come to: the union by (id, target) (docs/repair.md#reports). Pure.
import { keyOf } from "@/server/domain/health/report";
import type { Alert, Report, Success } from "@/server/domain/health/report";

/** An alert of one or several sources. */
export interface MergedAlert extends Alert {
  readonly sources: readonly string[];
}

export interface Aggregate {
  readonly successes: readonly Success[];
  readonly alerts: readonly MergedAlert[];
  /** Of its oldest report; null: there is none. */
  readonly observedAtMs: number | null;
}

/** Raised of a source that does not report as it promised. */
export const heartbeatTimeout = "HeartbeatTimeout";

/** What a silent source said last stays, and with it that it is silent. */
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

/** Sources are sorted, so that what is stored does not depend on who reported first. */
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

/** The union of all reports given, whatever their mode. */
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

/** What is shown: a report that replaces hides the others. */
export function shownAggregate(reports: readonly Report[]): Aggregate {
  const replacing = reports.filter(({ mode }) => mode === "replace");
  return aggregate(replacing.length > 0 ? replacing : reports);
}
