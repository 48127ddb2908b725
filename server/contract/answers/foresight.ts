// What another policy of a site would change, before it is saved (docs/cleaning.md#what-would-change).
import { z } from "zod";
import { effectKinds } from "@/server/domain/cleaning/foresight/effect";
import { mediaKinds } from "@/server/domain/inventory/inventory";
import { list, record } from "@/server/contract/define";

const model = record({
  model: z.string(),
  media: z.enum(mediaKinds),
  drives: z.number(),
  meets: z.number(),
  cannot: z.number(),
  unknown: z.number(),
  /** How many cannot meet the policy in force. */
  cannotNow: z.number(),
  /** On what it rests that drives meet the policy or cannot: how many drives each. */
  basis: record({ policy: z.number(), recorded: z.number(), reported: z.number(), model: z.number() }),
  reason: z.string().nullable(),
});

const reclamation = record({
  id: z.string(),
  number: z.string(),
  host: z.string(),
  startedAt: z.date(),
  /** How it ended; null: it is stopped. */
  outcome: z.string().nullable(),
  would: z.enum(["stop", "pass"]),
  reason: z.string(),
});

/** What another setting would have changed in recorded reclamations. */
export const settingEffect = record({
  setting: z.string(),
  kind: z.enum(effectKinds),
  reclamations: z.number().nullable(),
  words: z.string(),
});

export const policyForesight = record({
  siteId: z.string(),
  site: z.string(),
  /** The one in force, with which the other is compared. */
  policyVersion: z.number(),
  /** From when on reclamations were read. */
  since: z.date(),
  /** Older records of the last 90 days were left out: there are too many. */
  truncated: z.boolean(),
  /** Whether it is about the erase. False: no drives were read, and every erase would end as it did. */
  erase: z.boolean(),
  models: list(model),
  reclamations: record({
    total: z.number(),
    stop: z.number(),
    pass: z.number(),
    unknown: z.number(),
    same: z.number(),
    /** No erase is recorded in them. */
    withoutErase: z.number(),
  }),
  /** The first of those that would have ended otherwise. */
  otherwise: list(reclamation),
  /** Of settings besides the erase. */
  effects: list(settingEffect),
  /** Changed settings of which no record tells. */
  notes: list(z.string()),
});
export type PolicyForesight = z.infer<typeof policyForesight>;
