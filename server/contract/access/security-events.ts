// Security events: what outsiders and machines tried, and who has acknowledged it (docs/security.md#security-events).
import { z } from "zod";
import { act, list, moment, nothing, paging, read, reason, record } from "@/server/contract/define";
import { securityEventNames } from "@/server/domain/access/security-events/kinds";

const securityEventId = z.guid("must be the id of a security event");

const securityEventLine = record({
  id: z.string(),
  /** A kind of this release, or text if another release wrote it. */
  kind: z.string(),
  title: z.string(),
  /** What happened, and what Reclaim made of it. */
  sentence: z.string(),
  whatToDo: z.string(),
  severity: z.enum(["high", "medium", "low"]),
  /** Null: no host of ours was named. */
  hostId: z.string().nullable(),
  hostName: z.string().nullable(),
  /** Whether the host is still in the fleet. */
  hostIsHere: z.boolean(),
  site: z.string().nullable(),
  address: z.string(),
  /** Set if the event counts many: further addresses that tried the same on this host, or further hosts on which this address tried it. */
  others: z.enum(["addresses", "hosts"]).nullable(),
  /** The first different things that were tried, in words. */
  tried: list(z.string()),
  /** Methods and paths. */
  paths: list(z.string()),
  firstAt: z.date(),
  lastAt: z.date(),
  count: z.number(),
  acknowledged: record({ at: z.date(), by: z.string(), note: z.string().nullable() }).nullable(),
});
export type SecurityEventLine = z.infer<typeof securityEventLine>;

/** Search criteria; all that are given must match. */
const search = {
  kind: z.enum(securityEventNames).optional(),
  /** Name or id. */
  host: z.string().trim().min(1).max(128).optional(),
  address: z.string().trim().min(1).max(128).optional(),
  /** Only those that nobody has acknowledged. */
  open: z.boolean().optional(),
  since: moment.optional(),
  until: moment.optional(),
};

export const security = {
  list: read({
    title: "security events, newest first: what was tried, from which address, and how often",
    right: "security.read",
    input: z.strictObject({ ...search, ...paging(500, 100) }),
    output: record({ rows: list(securityEventLine), nextCursor: z.string().nullable() }),
  }),
  get: read({
    title: "one security event, with what to do about it",
    right: "security.read",
    input: z.strictObject({ id: securityEventId }),
    output: securityEventLine,
  }),
  open: read({
    title: "how many security events nobody has acknowledged",
    right: "security.read",
    input: nothing,
    output: record({ open: z.number(), high: z.number() }),
  }),
  acknowledge: act({
    title:
      "acknowledges security events with a note, so that they no longer alert; one that repeats later is a new event",
    right: "security.acknowledge",
    action: "security.acknowledge",
    input: z.strictObject({
      ids: z.array(securityEventId).min(1, "must name an event").max(500).readonly(),
      /** What was found out. */
      note: reason,
    }),
    output: record({
      /** How many of them nobody had acknowledged before. */
      acknowledged: z.number(),
    }),
  }),
};
