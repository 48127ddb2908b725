// What the fleet page shows. A number that is not known is null, never 0.
import { z } from "zod";
import { list, record, state, tone } from "@/server/contract/define";
import { hostGroups } from "@/server/domain/hosts/host-groups";

/** Hosts of a site by what they do; each host is in exactly one. */
export const siteCounts = record({
  ready: z.number(),
  /** The provider's own: enrolled, being verified, manageable, in manual cleaning. */
  provider: z.number(),
  working: z.number(),
  waiting: z.number(),
  overLimit: z.number(),
  failed: z.number(),
  inUse: z.number(),
});
export type SiteCounts = z.infer<typeof siteCounts>;

export const fleetCause = record({
  /** A failure's cause, or the state whose limit is over. */
  label: z.string(),
  words: z.string(),
  kind: z.enum(["failed", "overLimit"]),
  count: z.number(),
  cumulativePercent: z.number(),
  /** For the hosts page. */
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
  /** By the device that takes longest; null: none gives an estimate. */
  endsAt: z.date().nullable(),
});
export type ErasingHost = z.infer<typeof erasingHost>;

export const fleetSummary = record({
  at: z.date(),
  /** What can be chosen as a filter. */
  choices: record({
    sites: list(z.string()),
    skus: list(z.string()),
    tenants: list(record({ org: z.string(), name: z.string() })),
  }),
  /** Of the chosen time, oldest first; few while nothing was counted yet. */
  trends: list(record({ at: z.date(), ...trendCounts })),
  /** At this time a week ago; null: nothing was counted then. */
  weekAgo: record(trendCounts).nullable(),
  /** When hosts released by tenants will be back, by how long others took; null times: cannot be told. */
  forecast: record({
    hosts: z.number(),
    unknown: z.number(),
    /** On how many returns it rests. */
    measured: z.number(),
    halfAt: z.date().nullable(),
    mostAt: z.date().nullable(),
  }),
  /** Erases that run now, the soonest end first; at most ten. */
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
  /** Hosts whose reclamation is over its total time limit, whatever they do. */
  overdue: record({ count: z.number(), filter: z.string() }),
  /** Hosts that a repair system outside has for longer than it said. */
  leasesOverdue: record({ count: z.number(), filter: z.string() }),
  /** Of the reclamations that ended in Ready in the chosen time, from acceptance of the release; nulls without any. */
  timeToReady: record({
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    returns: z.number(),
    weekAgo: record({ p50Ms: z.number(), p95Ms: z.number(), returns: z.number() }).nullable(),
    p50ByHourMs: list(z.number().nullable()),
  }),
  causes: list(fleetCause),
  /** Hours of a day, six hours of a week, or days of a month, oldest first; the last is the running one. */
  returnsPerHour: list(hourOfReturns),
  stepDurations: list(stepDuration),
  waitingLongest: list(waitingHost),
  waitingTotal: z.number(),
  /** Finds them all on the hosts page. */
  waitingFilter: z.string(),
  /** Erases that run now by when their devices say that they end, per half hour; `unknown` gave no estimate. */
  capacity: record({
    buckets: list(record({ until: z.date(), hosts: z.number() })),
    unknown: z.number(),
  }),
});
export type FleetSummary = z.infer<typeof fleetSummary>;

/** Failures of the chosen time, from the history of states. */
export const fleetFailures = record({
  /** Most failures first. */
  causes: list(record({ cause: z.string(), count: z.number() })),
  /** Oldest first; `counts` in the order of `causes`. */
  buckets: list(record({ at: z.date(), counts: list(z.number()) })),
  /** Drive models and firmware of the newest reclamations, most failures first. */
  firmware: record({
    /** How many reclamations were looked at. */
    reclamations: z.number(),
    rows: list(
      record({
        model: z.string(),
        firmware: z.string(),
        reclamations: z.number(),
        failed: z.number(),
        /** The most frequent cause; null: none failed. */
        cause: z.string().nullable(),
      }),
    ),
  }),
});
export type FleetFailures = z.infer<typeof fleetFailures>;

/** Hosts by where they stand. */
export const fleetRacks = record({
  racks: list(
    record({
      site: z.string(),
      /** Null: hosts of which nobody said where they stand. */
      rack: z.string().nullable(),
      counts: siteCounts,
      /** By slot; empty where there are too many hosts to show each. */
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
