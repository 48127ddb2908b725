// Judges one component: good, wrong and how, or unknown. What the BMC says of a component counts; its own thresholds count where it says nothing,
// as in NVIDIA's monitor, which takes a threshold that contradicts the BMC's `OK` for a wrong threshold (docs/bmc-health.md#what-is-judged). Pure.
import { componentKinds } from "@/server/domain/repair/health/bmc/component";
import type { Component, Range, Reading } from "@/server/domain/repair/health/bmc/component";
import type { ActingClassification } from "@/server/domain/repair/health/classifications";

export const severities = ["warning", "critical", "fatal"] as const;
export type Severity = (typeof severities)[number];

export type Verdict =
  | { readonly kind: "good" }
  /** Neither good nor wrong: the BMC says nothing that can be judged. It clears no alert. */
  | { readonly kind: "unknown" }
  /** An empty place. */
  | { readonly kind: "absent" }
  | { readonly kind: "wrong"; readonly severity: Severity; readonly words: readonly string[] };

const isOutside = (value: number, { low, high }: Range): boolean =>
  (low !== null && value <= low) || (high !== null && value >= high);

/** By thresholds alone; null: it is within all of them, or there are none. */
function beyond({ value, fatal, critical, caution }: Reading): Severity | null {
  if (isOutside(value, fatal)) return "fatal";
  if (isOutside(value, critical)) return "critical";
  return isOutside(value, caution) ? "warning" : null;
}

const hasLimits = ({ fatal, critical, caution }: Reading): boolean =>
  [fatal, critical, caution].some(({ low, high }) => low !== null || high !== null);

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** `reads 0 RPM (critical at 480 RPM or less)` */
function readingWords(reading: Reading): string {
  const { value, unit, critical, caution } = reading;
  const [name, range] =
    critical.low === null && critical.high === null ? ["warning", caution] : ["critical", critical];
  const limits = [
    range.low === null ? [] : [`${number(range.low)} ${unit} or less`],
    range.high === null ? [] : [`${number(range.high)} ${unit} or more`],
  ].flat();
  const at = limits.length === 0 ? "" : ` (${name} at ${limits.join(" and at ")})`;
  return `reads ${number(value)} ${unit}${at}`.replaceAll(" )", ")");
}

const worst = (found: readonly Severity[]): Severity | null =>
  severities.filter((severity) => found.includes(severity)).at(-1) ?? null;

export function judgeComponent({ health, state, reading, signs }: Component): Verdict {
  const says = [
    ...signs.map(({ severity }): Severity => severity),
    ...(health === "Critical" ? (["critical"] as const) : health === "Warning" ? (["warning"] as const) : []),
  ];
  const limit = reading === null ? null : beyond(reading);
  // A fatal reading makes an alert of the BMC worse. Thresholds alone decide only where the BMC says nothing.
  const judged = worst([...says, ...(limit !== null && (health === null || says.length > 0) ? [limit] : [])]);
  // safety: health: what a BMC says is wrong
  if (judged !== null)
    return {
      kind: "wrong",
      severity: judged,
      words: [
        ...(reading === null ? [] : [readingWords(reading)]),
        ...signs.map(({ words }) => words),
        ...(health === null || health === "OK" ? [] : [`its BMC reports health ${health}`]),
        ...(state === null || state === "Enabled" ? [] : [`its state is ${state}`]),
      ],
    };
  if (state === "Absent") return { kind: "absent" };
  // safety: health: no health is not good health
  if (health === null && (reading === null || !hasLimits(reading))) return { kind: "unknown" };
  return { kind: "good" };
}

/** NICo's id of the check (infra-controller, `crates/health/src/sink/events.rs`). */
export const probeOf = ({ kind }: Pick<Component, "kind">): string =>
  kind === "leak detector"
    ? "BmcLeakDetection"
    : kind === "chassis"
      ? "IntrusionSensorTriggered"
      : "BmcSensor";

const ofSeverity = { warning: "SensorWarning", critical: "SensorCritical", fatal: "SensorFatal" } as const;
const prevents: ActingClassification = "PreventAllocations";

/** NICo's classifications, and whether the host is kept out of allocation: any leak or intrusion, what is fatal, and what a tenant's work depends on. */
export function classesOf(kind: Component["kind"], severity: Severity): readonly string[] {
  const isWet = kind === "leak detector";
  const blocks =
    isWet ||
    kind === "chassis" ||
    severity === "fatal" ||
    (severity === "critical" && componentKinds[kind].blocks);
  return [
    "Hardware",
    ...(isWet ? ["LeakDetector", "Leak"] : [ofSeverity[severity]]),
    ...(blocks ? [prevents] : []),
  ];
}
