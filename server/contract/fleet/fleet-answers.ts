// What the fleet page shows. An unknown number is null, never 0.
import { z } from "zod";
import { list, record, state, tone } from "@/server/contract/define";
import { hostGroups } from "@/server/domain/hosts/host-groups";

/** Hosts of a site by what they do; each host is counted exactly once. */
export const siteCounts = record({
  ready: z.number(),
  /** Hosts that the provider itself holds: enrolled, being verified, manageable, in manual cleaning. */
  provider: z.number(),
  working: z.number(),
  waiting: z.number(),
  overLimit: z.number(),
  failed: z.number(),
  inUse: z.number(),
});
export type SiteCounts = z.infer<typeof siteCounts>;

export const fleetCause = record({
  /** A failure's cause, or the state whose limit the hosts exceed. */
  label: z.string(),
  words: z.string(),
  kind: z.enum(["failed", "overLimit"]),
  count: z.number(),
  cumulativePercent: z.number(),
  /** Filter for the hosts page. */
  filter: z.string(),
});
export type FleetCause = z.infer<typeof fleetCause>;

export const hourOfReturns = record({ hour: z.date(), released: z.number(), returned: z.number() });
export type HourOfReturns = z.infer<typeof hourOfReturns>;

export const stepDuration = record({
  step: z.string(),
  runs: z.number(),
  p5Ms: z.number(),
  p25Ms: z.number(),
  p50Ms: z.number(),
  p75Ms: z.number(),
  p95Ms: z.number(),
});
export type StepDuration = z.infer<typeof stepDuration>;

export const waitingHost = record({
  hostId: z.string(),
  name: z.string(),
  state,
  tone,
  since: z.date(),
  says: z.string(),
  checkNext: z.string(),
});
export type WaitingHost = z.infer<typeof waitingHost>;

const trendCounts = { ready: z.number(), comingBack: z.number(), needPerson: z.number() };

export const erasingHost = record({
  hostId: z.string(),
  name: z.string(),
  step: z.string().nullable(),
  percent: z.number().nullable(),
  /** From the device that takes longest; null if none gives an estimate. */
  endsAt: z.date().nullable(),
});
export type ErasingHost = z.infer<typeof erasingHost>;

export const fleetSummary = record({
  at: z.date(),
  /** Choices for the filters. */
  choices: record({
    sites: list(z.string()),
    skus: list(z.string()),
    tenants: list(record({ org: z.string(), name: z.string() })),
  }),
  /** For the chosen period, oldest first; few entries until enough was counted. */
  trends: list(record({ at: z.date(), ...trendCounts })),
  /** The counts at this time a week ago; null if none were taken then. */
  weekAgo: record(trendCounts).nullable(),
  /** When hosts released by tenants will be back, based on how long others took. Times are null if no estimate is possible. */
  forecast: record({
    hosts: z.number(),
    unknown: z.number(),
    /** How many reclamations the forecast is based on. */
    measured: z.number(),
    halfAt: z.date().nullable(),
    mostAt: z.date().nullable(),
  }),
  /** Erases in progress, soonest end first, at most ten. */
  erases: record({ total: z.number(), hosts: list(erasingHost) }),
  hosts: z.number(),
  counts: siteCounts,
  sites: list(record({ id: z.string(), name: z.string(), hosts: z.number(), counts: siteCounts })),
  ready: record({ count: z.number(), allocatable: z.number(), filter: z.string() }),
  comingBack: record({ count: z.number(), filter: z.string() }),
  needPerson: record({
    count: z.number(),
    failed: z.number(),
    overLimit: z.number(),
    filter: z.string(),
  }),
  /** Hosts whose reclamation is over its total limit, in any state. */
  overdue: record({ count: z.number(), filter: z.string() }),
  /** Hosts that an external repair system has kept beyond the time it stated. */
  leasesOverdue: record({ count: z.number(), filter: z.string() }),
  /** Reclamations that ended in Ready in the chosen period, timed from the accepted release; null where there are none. */
  timeToReady: record({
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    returns: z.number(),
    weekAgo: record({ p50Ms: z.number(), p95Ms: z.number(), returns: z.number() }).nullable(),
    p50ByHourMs: list(z.number().nullable()),
  }),
  causes: list(fleetCause),
  /** Per hour of a day, six hours of a week, or day of a month, oldest first. The last interval is still running. */
  returnsPerHour: list(hourOfReturns),
  stepDurations: list(stepDuration),
  waitingLongest: list(waitingHost),
  waitingTotal: z.number(),
  /** Filter that matches all of them on the hosts page. */
  waitingFilter: z.string(),
  /** Erases in progress, per half hour by the end that their devices report; `unknown` counts those without an estimate. */
  capacity: record({
    buckets: list(record({ until: z.date(), hosts: z.number() })),
    unknown: z.number(),
  }),
});
export type FleetSummary = z.infer<typeof fleetSummary>;

/** Failures in the chosen period, from the history of states. */
export const fleetFailures = record({
  /** Most failures first. */
  causes: list(record({ cause: z.string(), count: z.number() })),
  /** Oldest first; `counts` in the order of `causes`. */
  buckets: list(record({ at: z.date(), counts: list(z.number()) })),
  /** Drive models and firmware in the newest reclamations, most failures first. */
  firmware: record({
    /** How many reclamations were examined. */
    reclamations: z.number(),
    rows: list(
      record({
        model: z.string(),
        firmware: z.string(),
        reclamations: z.number(),
        failed: z.number(),
        /** The most frequent cause; null if none failed. */
        cause: z.string().nullable(),
      }),
    ),
  }),
});
export type FleetFailures = z.infer<typeof fleetFailures>;

/** Hosts by location. */
export const fleetRacks = record({
  racks: list(
    record({
      site: z.string(),
      /** Null for hosts whose rack nobody entered. */
      rack: z.string().nullable(),
      counts: siteCounts,
      /** By slot; empty if there are too many hosts to show individually. */
      hosts: list(
        record({
          name: z.string(),
          slot: z.string().nullable(),
          label: z.string(),
          group: z.enum(hostGroups),
        }),
      ),
    }),
  ),
  hosts: z.number(),
});
export type FleetRacks = z.infer<typeof fleetRacks>;
