// What the console reads about failed hosts, grouped by what they have in common.
import { z } from "zod";
import { failureCauses } from "@/server/domain/lifecycle/states";
import { list, record } from "@/server/contract/define";

export const failureGroup = record({
  /** Names the group in `failures.note`. */
  digest: z.string(),
  /** The cause in words. Of failures that have text only, what their texts have in common: `*` and `#` stand for what differs from host to host. */
  pattern: z.string(),
  /** Of the device that failed, such as a drive; of a cause at the host itself, the host's. */
  model: z.string(),
  /** What to check next, of the newest; null: it has text only. */
  checkNext: z.string().nullable(),
  /** The newest message as it is. */
  message: z.string(),
  /** The same for a list, which may cut it: it begins with what happened. */
  brief: z.string(),
  count: z.number(),
  firstAt: z.date(),
  lastAt: z.date(),
  causes: list(record({ cause: z.enum(failureCauses).or(z.string()), count: z.number() })),
  models: list(record({ model: z.string(), count: z.number() })),
  skus: list(record({ sku: z.string(), count: z.number() })),
  sites: list(z.string()),
  /** The hosts that failed last, at most 10. */
  newest: list(
    record({
      hostId: z.string(),
      name: z.string(),
      message: z.string(),
      brief: z.string(),
      at: z.date(),
    }),
  ),
  /** A filter of the hosts page that finds these very hosts, for as long as they fail with this message. */
  filter: z.string(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  note: z.string(),
  notedAt: z.date().nullable(),
  snoozedUntil: z.date().nullable(),
  /** In force: it is before `snoozedUntil`, and the group has not grown since. */
  snoozed: z.boolean(),
});
export type FailureGroup = z.infer<typeof failureGroup>;

export const failureGroups = record({
  hosts: z.number(),
  /** Most hosts first; snoozed ones last. */
  groups: list(failureGroup),
  /** Who may own a group. */
  people: list(record({ id: z.string(), name: z.string() })),
  mayNote: z.boolean(),
});
export type FailureGroups = z.infer<typeof failureGroups>;

/** What went wrong with a host, from its causes. */
export const hostFailure = record({
  /** The first cause in one or two words. */
  label: z.string(),
  /** Sentences, the first cause first. Of a failed host they are what `says` says. */
  says: list(z.string()),
  /** Serial numbers of the drives that it is about. */
  drives: list(z.string()),
  /** Of this very failure; `checkNext` is the same. */
  checkNext: z.string(),
  /** What the machines answered, verbatim, by device and status. */
  answers: list(record({ of: z.string(), text: z.string() })),
  /** Other failed hosts with the same cause at the same model of device; null while it is not failed. */
  alike: record({ hosts: z.number(), model: z.string(), filter: z.string() }).nullable(),
});
