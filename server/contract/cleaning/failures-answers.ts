// What the console reads about failed hosts, grouped by what they have in common.
import { z } from "zod";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { list, record } from "@/server/contract/define";

export const failureGroup = record({
  /** Identifies the group in `failures.note`. */
  digest: z.string(),
  /** The cause in words. For failures that have only text, the common part of their texts: `*` and `#` replace what differs between hosts. */
  pattern: z.string(),
  /** Model of the device that failed, such as a drive; for a cause at the host itself, the host's model. */
  model: z.string(),
  /** What to check next, from the newest failure; null if the failures have only text. */
  checkNext: z.string().nullable(),
  /** The newest message, unmodified. */
  message: z.string(),
  /** The message for a list, which may truncate it: it begins with what happened. */
  brief: z.string(),
  count: z.number(),
  firstAt: z.date(),
  lastAt: z.date(),
  causes: list(record({ cause: z.enum(failureCauses).or(z.string()), count: z.number() })),
  models: list(record({ model: z.string(), count: z.number() })),
  skus: list(record({ sku: z.string(), count: z.number() })),
  sites: list(z.string()),
  /** The most recently failed hosts, at most 10. */
  newest: list(
    record({
      hostId: z.string(),
      name: z.string(),
      message: z.string(),
      brief: z.string(),
      at: z.date(),
    }),
  ),
  /** A filter for the hosts page that matches exactly these hosts, as long as they fail with this message. */
  filter: z.string(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  note: z.string(),
  notedAt: z.date().nullable(),
  snoozedUntil: z.date().nullable(),
  /** The snooze is in force: `snoozedUntil` is in the future, and the group has not grown since. */
  snoozed: z.boolean(),
});
export type FailureGroup = z.infer<typeof failureGroup>;

export const failureGroups = record({
  hosts: z.number(),
  /** Most hosts first, snoozed groups last. */
  groups: list(failureGroup),
  /** People who may own a group. */
  people: list(record({ id: z.string(), name: z.string() })),
  mayNote: z.boolean(),
});
export type FailureGroups = z.infer<typeof failureGroups>;

/** What went wrong with a host, derived from its causes. */
export const hostFailure = record({
  /** The first cause in one or two words. */
  label: z.string(),
  /** One sentence per cause, the first cause first. For a failed host, the same text as the host's `says`. */
  says: list(z.string()),
  /** Serial numbers of the drives involved. */
  drives: list(z.string()),
  /** What to check for this failure; the host's `checkNext` is the same. */
  checkNext: z.string(),
  /** The machines' answers, verbatim, by device and status. */
  answers: list(record({ of: z.string(), text: z.string() })),
  /** Other failed hosts with the same cause at the same device model; null unless this host is failed. */
  alike: record({ hosts: z.number(), model: z.string(), filter: z.string() }).nullable(),
});
