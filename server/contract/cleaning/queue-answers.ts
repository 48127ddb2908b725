// What the console shows of admission: who waits and why, the limits, and the brakes.
import { z } from "zod";
import { brakeDimensions } from "@/server/domain/cleaning/queue/brake";
import { properties } from "@/server/domain/cleaning/queue/distinctions";
import { part } from "@/server/domain/cleaning/queue/narrowed";
import { added, list, record } from "@/server/contract/define";

export const limitLine = record({
  name: z.enum(["atWork", "bootsPerMinute", "perPowerDomain", "tenantReleasesPerHour"]),
  words: z.string(),
  /** Null if there is no limit. */
  limit: z.number().nullable(),
  /** Current use. For segments, domains and tenants, that of the one that uses most. Null where nothing is counted. */
  used: z.number().nullable(),
});
export type LimitLine = z.infer<typeof limitLine>;

/** A segment or power domain with a limit of its own. */
export const placeLimit = record({ place: z.string(), limit: z.number(), used: z.number() });
export type PlaceLimit = z.infer<typeof placeLimit>;

export const queueLine = record({
  hostId: z.string(),
  name: z.string(),
  model: z.string().nullable(),
  /** Place in the order of release, from 1; null while a brake holds the host back. */
  place: z.number().nullable(),
  since: z.date(),
  tenant: z.string().nullable(),
  reason: z.string(),
  /** A brake holds it back, so it has no place. */
  braked: z.boolean(),
});
export type QueueLine = z.infer<typeof queueLine>;

/** A page of one site's queue. */
export const queueHosts = record({ hosts: list(queueLine), nextCursor: z.string().nullable() });
export type QueueHosts = z.infer<typeof queueHosts>;

/** Where one host is in the queue. */
export const queuePlace = record({
  place: queueLine.unwrap().shape.place,
  reason: z.string(),
  braked: z.boolean(),
  /** How many wait at its site. */
  of: z.number(),
});
export type QueuePlace = z.infer<typeof queuePlace>;

export const brakeLine = record({
  id: z.string(),
  site: z.string(),
  dimension: z.enum(brakeDimensions),
  value: z.string(),
  failed: z.number(),
  started: z.number(),
  message: z.string(),
  engagedAt: z.date(),
  /** How many hosts the brake holds back now. */
  holds: z.number(),
  liftedAt: z.date().nullable(),
  liftedBy: z.string().nullable(),
  /** SKUs that it would leave without a host that is or can become Ready: it is not on, and a person decides. Empty: it asks nothing. */
  asks: list(z.string()),
  /** The parts of its group that it still holds; null: all of it. */
  narrowedTo: added(list(part).nullable()),
});
export type BrakeLine = z.infer<typeof brakeLine>;

const having = {
  property: z.enum(properties),
  value: z.string(),
  /** Of the hosts that failed, and of the other hosts of the site, so many have it. */
  failed: z.number(),
  others: z.number(),
};

export const brakeInvestigation = record({
  id: z.string(),
  site: z.string(),
  message: z.string(),
  engagedAt: z.date(),
  isOn: z.boolean(),
  narrowedTo: list(part).nullable(),
  /** Hosts that failed, and other hosts of the site. 0 that failed: the release that put it on did not record them. */
  hosts: z.number(),
  others: z.number(),
  /** Each failure that put it on, the newest first, also where the host was mended or has left. */
  failures: list(
    record({
      hostId: z.string(),
      name: z.string().nullable(),
      reclamation: z.string(),
      /** Null, as `reason` and `failedAt`: the host's history of that time was removed. */
      cause: z.string().nullable(),
      reason: z.string().nullable(),
      failedAt: z.date().nullable(),
      /** Its state now; null: it has left. */
      now: z.string().nullable(),
      /** False does not mean mended: it may have been retried just now. */
      stillFailed: z.boolean(),
    }),
  ),
  /** Failures that are not in the list. */
  moreFailures: z.number(),
  /** What tells the failed hosts from the rest, the most telling first. `part`: what the brake can be kept on for. */
  telling: list(record({ ...having, beyondChance: z.boolean(), part: part.nullable() })),
  /** What the failed hosts have and nearly all others, too, which explains nothing. */
  everywhere: list(record(having)),
});
export type BrakeInvestigation = z.infer<typeof brakeInvestigation>;

export const siteQueue = record({
  siteId: z.string(),
  site: z.string(),
  atWork: z.number(),
  /** Version of the policy that the limits are from. */
  policyVersion: z.number(),
  limits: list(limitLine),
  segments: list(placeLimit),
  powerDomains: list(placeLimit),
  waiting: z.number(),
});
export type SiteQueue = z.infer<typeof siteQueue>;

export const queuePage = record({
  at: z.date(),
  sites: list(siteQueue),
  /** Names of sites whose policy this version does not understand. */
  unreadable: list(z.string()),
  /** Brakes in force first, then those of the last day. */
  brakes: list(brakeLine),
});
export type QueuePage = z.infer<typeof queuePage>;
