// What the fleet page shows. A number that is not known is null, never 0.
import { z } from "zod";
import { list, record, state, tone } from "@/server/contract/define";

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

export const fleetSummary = record({
  at: z.date(),
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
  /** Of the reclamations that ended in Ready in the last 24 h, from acceptance of the release; nulls without any. */
  timeToReady: record({
    p50Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    returns: z.number(),
    weekAgo: record({ p50Ms: z.number(), p95Ms: z.number(), returns: z.number() }).nullable(),
    p50ByHourMs: list(z.number().nullable()),
  }),
  causes: list(fleetCause),
  /** 24 hours, oldest first; the last is the running one. */
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
