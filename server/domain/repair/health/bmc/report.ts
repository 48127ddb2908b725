// The health report of a BMC's readings. What could not be read keeps its earlier alerts, and is an alert itself: no failed reading ends an alert
// (docs/bmc-health.md#unknown-is-not-healthy). Pure.
import { bmcParts, partNames, partOf } from "@/server/domain/repair/health/bmc/component";
import type {
  BmcPart,
  Component,
  HealthReading,
  PartReading,
} from "@/server/domain/repair/health/bmc/component";
import { classesOf, judgeComponent, probeOf, severities } from "@/server/domain/repair/health/bmc/judge";
import type { Severity, Verdict } from "@/server/domain/repair/health/bmc/judge";
import { keyOf, reportLimits } from "@/server/domain/repair/health/report";
import type { Alert, ReportBody, ReportInput } from "@/server/domain/repair/health/report";

/** NICo's id for a BMC that cannot be read, and for health that is not reported. */
export const unreadId = "BmcExplorationFailure";
export const missingId = "MissingReport";

type InputAlert = ReportInput["alerts"][number];

const maxMessage = 1_000;
const maxTarget = 256;

const cut = (text: string, most: number): string => [...text].slice(0, most).join("");

/** A component, its unique target, and what was found of it. */
interface Judged {
  readonly component: Component;
  readonly target: string;
  readonly verdict: Verdict;
}

const badness = ({ verdict }: Judged): number =>
  verdict.kind === "wrong"
    ? 3 + severities.indexOf(verdict.severity)
    : { good: 1, unknown: 2, absent: 0 }[verdict.kind];

/** Components of the same name get their place; if that is the same, too, the worst of them counts. */
function judgeAll(components: readonly Component[]): readonly Judged[] {
  const named = ({ kind, name, place }: Component): string => `${kind} ${name === "" ? place : name}`;
  const counts = new Map<string, number>();
  for (const component of components) counts.set(named(component), (counts.get(named(component)) ?? 0) + 1);
  const found = new Map<string, Judged>();
  for (const component of components) {
    const name = named(component);
    const target = cut((counts.get(name) ?? 0) > 1 ? `${name} (${component.place})` : name, maxTarget).trim();
    const judged = { component, target, verdict: judgeComponent(component) };
    const before = found.get(target);
    if (before === undefined || badness(judged) > badness(before)) found.set(target, judged);
  }
  return [...found.values()];
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const alertOf = (
  { component: { kind }, target }: Judged,
  severity: Severity,
  words: readonly string[],
): InputAlert => ({
  id: probeOf({ kind }),
  target,
  inAlertSince: null,
  message: cut(`${upper(target)}: ${words.join("; ")}`, maxMessage),
  tenantMessage: null,
  classifications: [...classesOf(kind, severity)],
});

/** A fan or power supply that was there and now reads absent was lost. Elsewhere an empty place is one that somebody emptied. */
const isLost = ({ component: { kind } }: Judged, known: boolean): boolean =>
  known && (kind === "fan" || kind === "power supply");

const kept = (alert: Alert): InputAlert => ({ ...alert, classifications: [...alert.classifications] });

/** The part that an alert of ours belongs to, its alert for a failed reading included. */
const alertPart = ({ id, target }: Pick<Alert, "id" | "target">): BmcPart | null =>
  id === unreadId ? (partNames.find((part) => bmcParts[part] === target) ?? null) : partOf(target);

export interface BmcReport {
  readonly successes: ReportInput["successes"];
  readonly alerts: readonly InputAlert[];
  readonly notOffered: readonly BmcPart[];
}

/** One part: what was found now, and earlier alerts that nothing found now contradicts. */
function judgePart(
  { components, isOffered, unread }: PartReading,
  part: BmcPart,
  before: ReportBody | null,
  nowMs: number,
): BmcReport {
  const earlier = (before?.alerts ?? []).filter((alert) => alertPart(alert) === part);
  const known = new Set([...(before?.successes ?? []), ...earlier].map(keyOf));
  const successes: { id: string; target: string }[] = [];
  const alerts: InputAlert[] = [];
  const answered = new Set<string>();
  for (const each of judgeAll(components)) {
    const { verdict, target, component } = each;
    const check = { id: probeOf(component), target };
    if (verdict.kind === "unknown") continue;
    answered.add(keyOf(check));
    if (verdict.kind === "good") successes.push(check);
    else if (verdict.kind === "wrong") alerts.push(alertOf(each, verdict.severity, verdict.words));
    else if (isLost(each, known.has(keyOf(check))))
      alerts.push(alertOf(each, "critical", ["it was there before, and its BMC now reports it absent"]));
  }
  // safety: health: an alert that nothing contradicts stays
  alerts.push(...earlier.filter((alert) => alert.id !== unreadId && !answered.has(keyOf(alert))).map(kept));
  const since = earlier.find(({ id }) => id === unreadId)?.inAlertSince ?? new Date(nowMs).toISOString();
  // safety: health: what cannot be read is said
  if (unread !== null) alerts.push(unreadAlert(bmcParts[part], since, unread));
  return { successes, alerts, notOffered: isOffered || unread !== null ? [] : [part] };
}

const unreadAlert = (what: string, since: string, why: string): InputAlert => ({
  id: unreadId,
  target: what,
  inAlertSince: since,
  message: cut(
    `The health of the ${what} could not be read from the BMC since ${since}: ${why}. Earlier alerts stay.`,
    maxMessage,
  ),
  tenantMessage: null,
  classifications: ["Hardware", "SensorFailure"],
});

/** Order in a report, and what is left out first if there are too many. */
const weight = ({ classifications }: InputAlert): number =>
  ["PreventAllocations", "SensorFatal", "SensorCritical", "SensorFailure", "SensorWarning"].findIndex(
    (name) => classifications.includes(name),
  );

const byWeight = (one: InputAlert, other: InputAlert): number => {
  const [left, right] = [one, other].map((alert) => (weight(alert) === -1 ? 9 : weight(alert)));
  return (left ?? 0) - (right ?? 0) || (keyOf(one) < keyOf(other) ? -1 : 1);
};

/** At most as many alerts as a report may have; the last one then counts the others. Pure. */
export function limited(alerts: readonly InputAlert[]): InputAlert[] {
  const sorted = [...alerts].sort(byWeight);
  if (sorted.length <= reportLimits.alerts) return sorted;
  const shown = sorted.slice(0, reportLimits.alerts - 1);
  const rest: InputAlert = {
    id: "BmcSensor",
    target: "others",
    inAlertSince: null,
    message: `${sorted.length - shown.length} more components of this host are in alert.`,
    tenantMessage: null,
    classifications: [
      ...new Set(sorted.slice(shown.length).flatMap(({ classifications }) => classifications)),
    ].slice(0, reportLimits.classifications),
  };
  return [...shown, rest];
}

const bySuccess = (
  one: { readonly target: string | null },
  other: { readonly target: string | null },
): number => ((one.target ?? "") < (other.target ?? "") ? -1 : 1);

/** For a BMC that could not be read at all. */
export function nothingRead(why: string): HealthReading {
  const unread: PartReading = { components: [], isOffered: true, unread: why };
  return {
    fans: unread,
    powerSupplies: unread,
    sensors: unread,
    leakDetectors: unread,
    intrusion: unread,
    networkAdapters: unread,
    memory: unread,
    processors: unread,
    drives: unread,
  };
}

/** What stands of the host by its BMC. `before`: the last report of this source; null: there is none. */
export function bmcReport(reading: HealthReading, before: ReportBody | null, nowMs: number): BmcReport {
  const parts = partNames.map((part) => judgePart(reading[part], part, before, nowMs));
  const successes = parts
    .flatMap((part) => part.successes)
    .sort(bySuccess)
    .slice(0, reportLimits.successes);
  const alerts = parts.flatMap((part) => part.alerts);
  const notOffered = parts.flatMap((part) => part.notOffered);
  // safety: health: a BMC that says nothing is not healthy
  if (successes.length === 0 && alerts.length === 0)
    alerts.push({
      id: missingId,
      target: null,
      inAlertSince: null,
      message: "The BMC reports no health of any component, so nothing is known of this host's hardware.",
      tenantMessage: null,
      classifications: [],
    });
  return { successes, alerts: limited(alerts), notOffered };
}
