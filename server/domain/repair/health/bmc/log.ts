// The event logs of a BMC as health: what of them is kept, for how long, and the alerts that come of it. Entries are data from a BMC that may lie: they are
// cut and counted, and their age is by its own clock against itself, never against ours (docs/bmc-health.md#event-logs). Pure.
import { z } from "zod";
import { bmcText } from "@/server/domain/repair/health/bmc/component";
import { limited, unreadId } from "@/server/domain/repair/health/bmc/report";
import { storedDocument } from "@/server/domain/stored";
import type { ReportInput } from "@/server/domain/repair/health/report";

/** How long an entry is an alert. */
export const logDays = 7;
/** Entries that are alerts of their own, in all logs of a host. The others are counted. */
export const maxLogAlerts = 16;
/** Entries that are remembered of each log. */
const maxKept = 32;
/** Logs that are read of a host. */
export const maxLogs = 8;

const dayMs = 86_400_000;
const maxMessage = 400;
const maxName = 48;

const severity = z.enum(["Warning", "Critical"]);

/** Where reading goes on. */
const bookmark = z.object({
  order: z.enum(["newestFirst", "oldestFirst"]),
  /** What the last entry read is recognised by. */
  key: z.string(),
  /** Of a log that lists the oldest first: the page with that entry. */
  page: z.string().nullable(),
});
export type Bookmark = Readonly<z.infer<typeof bookmark>>;

const kept = z.object({
  key: z.string(),
  id: z.string(),
  severity,
  message: z.string(),
  /** When it was written, by our clock: as long ago as the BMC's own clock says. */
  atMs: z.number(),
});
type Kept = Readonly<z.infer<typeof kept>>;

const log = z.object({
  name: z.string(),
  bookmark: bookmark.nullable(),
  kept: z.array(kept).readonly(),
  /** Entries that are not kept, by day of our clock. */
  counted: z.record(z.string(), z.object({ warning: z.number(), critical: z.number() })),
  /** Since when it cannot be read, and why; null: it can. */
  failing: z.object({ sinceMs: z.number(), why: z.string() }).nullable(),
});
export type LogState = Readonly<z.infer<typeof log>>;

const logs = z.record(z.string(), log);
/** By the path of the log. */
export type LogStates = Readonly<z.infer<typeof logs>>;
export const storedLogs = storedDocument(logs);

export interface LogEntry {
  /** By which it is recognised when the log is read again: not by its number, which some BMCs give anew. */
  readonly key: string;
  readonly id: string;
  readonly severity: "OK" | "Warning" | "Critical" | null;
  readonly message: string;
  /** How long ago it was written by the BMC's own clock; null: it does not say, or says nonsense. */
  readonly ageMs: number | null;
  /** Somebody said on the BMC that it is dealt with. */
  readonly isResolved: boolean;
}

/** What reading one log brought: the entries behind the bookmark, as far as one reading goes. */
export type LogReading =
  | {
      readonly kind: "read";
      readonly name: string;
      readonly entries: readonly LogEntry[];
      readonly bookmark: Bookmark | null;
      readonly isAnew: boolean;
    }
  | { readonly kind: "unread"; readonly name: string; readonly why: string };

/** By the path of the log. */
export type LogReadings = Readonly<Record<string, LogReading>>;

/** Where reading each log goes on. */
export const marksOf = (states: LogStates): LogMarks =>
  Object.fromEntries(Object.entries(states).map(([path, state]) => [path, state.bookmark]));
export type LogMarks = Readonly<Record<string, Bookmark | null>>;

/** An entry from the future of its own BMC, or from before it could be, has no age that says anything. */
const maxAgeMs = 20 * 365 * dayMs;

/** Null: it has no age that says anything. */
export function entryAge(createdIso: string | null, bmcTimeIso: string | null): number | null {
  const [created, now] = [Date.parse(createdIso ?? ""), Date.parse(bmcTimeIso ?? "")];
  const age = now - created;
  return Number.isFinite(age) && age >= 0 && age <= maxAgeMs ? age : null;
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

const isRecent = (atMs: number, nowMs: number): boolean => nowMs - atMs <= logDays * dayMs;

/** Critical ones first, then the newest. */
const byWeight = (one: Kept, other: Kept): number =>
  Number(other.severity === "Critical") - Number(one.severity === "Critical") || other.atMs - one.atMs;

function add(counted: LogState["counted"], { severity: of, atMs }: Kept): LogState["counted"] {
  const day = dayOf(atMs);
  const { warning, critical } = counted[day] ?? { warning: 0, critical: 0 };
  return {
    ...counted,
    [day]: { warning: warning + Number(of === "Warning"), critical: critical + Number(of === "Critical") },
  };
}

const none: Omit<LogState, "name"> = { bookmark: null, kept: [], counted: {}, failing: null };

/** A log after a reading. One that was cleared or wrapped begins anew; what was kept of it stays for its days. */
function foldLog(before: LogState | undefined, reading: LogReading, nowMs: number): LogState {
  const was = before ?? { ...none, name: reading.name };
  const recent = was.kept.filter(({ atMs }) => isRecent(atMs, nowMs));
  const days = Object.fromEntries(
    Object.entries(was.counted).filter(([day]) => isRecent(Date.parse(day) + dayMs, nowMs)),
  );
  const name = bmcText(reading.name, maxName) || was.name;
  if (reading.kind === "unread")
    return {
      ...{ name, bookmark: was.bookmark, kept: recent, counted: days },
      failing: { sinceMs: was.failing?.sinceMs ?? nowMs, why: bmcText(reading.why, maxMessage) },
    };
  const known = new Set(recent.map(({ key }) => key));
  const found: Kept[] = [];
  for (const { key, id, severity: of, message, ageMs, isResolved } of reading.entries) {
    if ((of !== "Warning" && of !== "Critical") || isResolved || known.has(key)) continue;
    known.add(key);
    const atMs = nowMs - (ageMs ?? 0);
    if (isRecent(atMs, nowMs))
      found.push({
        key,
        id: bmcText(id, maxName),
        severity: of,
        message: bmcText(message, maxMessage),
        atMs,
      });
  }
  const all = [...recent, ...found].sort(byWeight);
  // A log that is read anew has its entries counted anew.
  const counted = all.slice(maxKept).reduce<LogState["counted"]>(add, reading.isAnew ? {} : days);
  return {
    name,
    bookmark: reading.bookmark ?? was.bookmark,
    kept: all.slice(0, maxKept),
    counted,
    failing: null,
  };
}

/** All logs of a host after a reading. One that the BMC no longer lists is forgotten when its entries are too old. */
export function foldLogs(before: LogStates, readings: LogReadings, nowMs: number): LogStates {
  const read = Object.entries(readings).map(
    ([path, reading]) => [path, foldLog(before[path], reading, nowMs)] as const,
  );
  const gone = Object.entries(before).flatMap(([path, state]) => {
    if (path in readings) return [];
    const left = state.kept.filter(({ atMs }) => isRecent(atMs, nowMs));
    return left.length === 0 ? [] : [[path, { ...state, kept: left, counted: {}, failing: null }] as const];
  });
  return Object.fromEntries([...read, ...gone].slice(0, maxLogs * 2));
}

/** For a BMC whose logs could not even be listed: each known log is unread, or all that there may be. */
export function noLogRead(marks: LogMarks, why: string): LogReadings {
  const paths = Object.keys(marks);
  return paths.length === 0
    ? { "": { kind: "unread", name: "all", why } }
    : Object.fromEntries(paths.map((path) => [path, { kind: "unread", name: "", why }]));
}

type InputAlert = ReportInput["alerts"][number];

const plural = new Intl.PluralRules("en");
const counted = (count: number, word: string, words: string): string =>
  `${count} ${plural.select(count) === "one" ? word : words}`;

/** Nothing that a log says keeps a host out of allocation: what is wrong now is read from the components themselves. */
const classesOf = (of: Kept["severity"]): string[] => [
  "Hardware",
  of === "Critical" ? "SensorCritical" : "SensorWarning",
];

/** The report of the logs. */
export function logReport(states: LogStates): Pick<ReportInput, "alerts" | "successes"> {
  const each = Object.values(states);
  const entries = each
    .flatMap(({ name, kept: list }) => list.map((entry) => ({ ...entry, log: name })))
    .sort(byWeight);
  const shown = new Map<string, InputAlert>();
  for (const { log: name, id, severity: of, message, atMs } of entries.slice(0, maxLogAlerts)) {
    const at = new Date(atMs).toISOString();
    // Numbers may come again after a log was cleared.
    const target = shown.has(`${name} ${id}`) ? `${name} ${id} of ${at}` : `${name} ${id}`;
    shown.set(target, {
      ...{ id: "BmcEventLog", target, inAlertSince: at, tenantMessage: null },
      message: message === "" ? "The entry has no text." : message,
      classifications: classesOf(of),
    });
  }
  const rest = entries.slice(maxLogAlerts);
  const sum = (of: Kept["severity"], pick: "warning" | "critical"): number =>
    rest.filter((entry) => entry.severity === of).length +
    each.flatMap((state) => Object.values(state.counted)).reduce((total, day) => total + day[pick], 0);
  const [critical, warnings] = [sum("Critical", "critical"), sum("Warning", "warning")];
  const others: InputAlert[] =
    critical + warnings === 0
      ? []
      : [
          {
            ...{ id: "BmcEventLog", target: "others", inAlertSince: null, tenantMessage: null },
            message: `${counted(critical, "more critical entry", "more critical entries")} and ${counted(warnings, "more warning", "more warnings")} of the last ${logDays} days are in the BMC's logs.`,
            classifications: classesOf(critical > 0 ? "Critical" : "Warning"),
          },
        ];
  const failing = each.flatMap(({ name, failing: so }): InputAlert[] =>
    so === null
      ? []
      : [
          {
            ...{ id: unreadId, target: `log ${name}`, tenantMessage: null },
            inAlertSince: new Date(so.sinceMs).toISOString(),
            message: `The log ${name} could not be read from the BMC since ${new Date(so.sinceMs).toISOString()}: ${so.why}`,
            classifications: ["Hardware", "SensorFailure"],
          },
        ],
  );
  const unique = new Map(
    [...shown.values(), ...others, ...failing].map((alert) => [`${alert.id} ${alert.target ?? ""}`, alert]),
  );
  const successes = new Map(
    each
      .filter(({ failing: so }) => so === null)
      .map(({ name }) => [name, { id: "BmcEventLog", target: name }]),
  );
  return { alerts: limited([...unique.values()]), successes: [...successes.values()] };
}
