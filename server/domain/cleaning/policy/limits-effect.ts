// What different limits would have changed: how many reclamations began while the maximum was already in progress.
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import type { SettingEffect } from "@/server/domain/cleaning/policy/effect";

/** When a reclamation was in progress, in ms; null: still in progress. */
export interface RecordedPeriod {
  readonly fromMs: number;
  readonly untilMs: number | null;
  /** The power domain that its host has today; null: none. */
  readonly powerDomain: string | null;
}

export interface RecordedLimits {
  readonly inProgress: readonly RecordedPeriod[];
  /** How many waited in the queue, for whatever reason. */
  readonly waited: number;
}

type Admission = Policy["admission"];

/** How many began while `limit` or more were already in progress. Pure. */
export function beganOverLimit(
  runs: readonly Pick<RecordedPeriod, "fromMs" | "untilMs">[],
  limit: number,
): number {
  const ends = runs.map(({ untilMs }) => untilMs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
  const starts = runs.map(({ fromMs }) => fromMs).sort((a, b) => a - b);
  let ended = 0;
  return starts.filter((from, begun) => {
    while (ended < ends.length && (ends[ended] ?? 0) <= from) ended += 1;
    return begun - ended >= limit;
  }).length;
}

/** Whether the first limit lets more begin than the second; null: no limit. */
const isLooser = (after: number | null, before: number | null): boolean =>
  after === null || (before !== null && after > before);

function inProgressEffect(
  setting: string,
  [before, after]: readonly [number | null, number | null],
  runs: readonly RecordedPeriod[],
  waited: number,
): SettingEffect {
  if (after === null || isLooser(after, before))
    return waited === 0
      ? { setting, kind: "same", reclamations: 0, words: "no recorded reclamation waited in the queue" }
      : {
          setting,
          kind: "unknown",
          reclamations: waited,
          words: `${waited} of them waited in the queue; how much shorter the wait would have been is not recorded`,
        };
  const over = beganOverLimit(runs, after);
  return over === 0
    ? {
        setting,
        kind: "same",
        reclamations: 0,
        words: `there were never ${after} in progress when another one began`,
      }
    : {
        setting,
        kind: "otherwise",
        reclamations: over,
        words: `at least ${over} would have waited: ${after} or more were in progress when they began`,
      };
}

const domainLimit = ({ powerDomains, perPowerDomain }: Admission, domain: string): number | null =>
  powerDomains[domain] ?? perPowerDomain;

function domainEffects(
  before: Admission,
  after: Admission,
  { inProgress, waited }: RecordedLimits,
): readonly SettingEffect[] {
  const known = inProgress.flatMap(({ powerDomain }) => (powerDomain === null ? [] : [powerDomain]));
  const domains = new Set([
    ...Object.keys(before.powerDomains),
    ...Object.keys(after.powerDomains),
    ...known,
  ]);
  const rows = [...domains].sort().flatMap((domain) => {
    const limits = [domainLimit(before, domain), domainLimit(after, domain)] as const;
    const runs = inProgress.filter(({ powerDomain }) => powerDomain === domain);
    return limits[0] === limits[1]
      ? []
      : [inProgressEffect(`Hosts in progress in power domain ${domain}`, limits, runs, waited)];
  });
  return rows.length > 0 || before.perPowerDomain === after.perPowerDomain
    ? rows
    : [
        {
          setting: "Hosts in progress per power domain",
          kind: "same",
          reclamations: 0,
          words: "no host with a recorded reclamation has a power domain",
        },
      ];
}

/** Limits without recorded counts. */
const uncounted = [
  [
    "bootsPerMinute",
    "Boots per minute and segment",
    "how many boots per minute each segment needed is not recorded",
  ],
  ["segments", "Boots per minute, by segment", "how many each needed is not recorded"],
  [
    "tenantReleasesPerHour",
    "Releases per tenant and hour beyond its quota",
    "which releases exceeded the quota at that time is not recorded",
  ],
] as const;

/** One row per limit that differs. Pure. */
export function limitEffects(
  before: Admission,
  after: Admission,
  recorded: RecordedLimits,
): readonly SettingEffect[] {
  const limits = [before.atWork, after.atWork] as const;
  return [
    ...(limits[0] === limits[1]
      ? []
      : [inProgressEffect("Hosts in progress", limits, recorded.inProgress, recorded.waited)]),
    ...domainEffects(before, after, recorded),
    ...uncounted.flatMap(([name, setting, words]): readonly SettingEffect[] =>
      sameEntries(before[name], after[name]) ? [] : [{ setting, kind: "unknown", reclamations: null, words }],
    ),
  ];
}

const entriesOf = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : JSON.stringify(value);

const sameEntries = (a: unknown, b: unknown): boolean => entriesOf(a) === entriesOf(b);
