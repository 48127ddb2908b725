// What needs a person, as every surface shows it (docs/next.md).
import { z } from "zod";
import { list, record, tone } from "@/server/contract/define";
import { nextKinds } from "@/server/domain/next/kinds";

const kind = z.enum(nextKinds);

export const nextGroup = record({
  /** Identifies the group as long as its cause stays; for failures the digest of `failures.groups`. */
  key: z.string(),
  kind,
  tone,
  /** What there is, in a few words. */
  title: z.string(),
  /** Why, in a sentence. */
  why: z.string(),
  /** What to do, in a sentence. */
  next: z.string(),
  /** How many things the group has: hosts, events or requests. */
  size: z.number(),
  /** How many hosts it keeps from coming back, or from staying. */
  hosts: z.number(),
  /** How many tenants wait for one of these hosts. */
  tenants: z.number(),
  /** What changes when it is done, such as "+12 hosts". */
  effect: z.string(),
  since: z.date(),
  /** When it ends or starts by itself; null: it does neither. */
  due: z.date().nullable(),
  /** Where it is dealt with: a path of the console, and a command line without `reclaim`. */
  act: record({ words: z.string(), href: z.string(), command: z.string() }),
  /** The caller can act on it; otherwise they only see it. */
  mayAct: z.boolean(),
  /** A filter for the hosts page that matches its hosts; null: none does. */
  filter: z.string().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  /** Since when the owner has it; null: not known, or there is no owner. */
  ownedSince: z.date().nullable(),
  note: z.string(),
  snoozedUntil: z.date().nullable(),
  snoozeReason: z.string().nullable(),
  /** The snooze is in force: it has not ended, and the group has not grown since. */
  snoozed: z.boolean(),
});
export type NextLine = z.infer<typeof nextGroup>;

export const nextList = record({
  /** When Reclaim looked. */
  at: z.date(),
  /** In the order in which they should be done. */
  groups: list(nextGroup),
  snoozed: list(nextGroup),
  /** The kinds that are watched for the caller, with the number of groups that there are now, and when the last one ended. */
  watched: list(
    record({
      kind,
      words: z.string(),
      groups: z.number(),
      /** Null: not lately, or not told to tenants. */
      last: z.date().nullable(),
    }),
  ),
  /** Sites to choose from; empty for tenants. */
  sites: list(z.string()),
  /** People who may have a group. */
  people: list(record({ id: z.string(), name: z.string() })),
  /** The caller may take groups, hand them over, note and snooze them. */
  mayOwn: z.boolean(),
});
export type NextList = z.infer<typeof nextList>;

/** What was done with a group. */
export const groupEvent = record({
  at: z.date(),
  /** Null: Reclaim itself. */
  by: z.string().nullable(),
  words: z.string(),
});
export type NextEvent = z.infer<typeof groupEvent>;
