// What a different policy for a site would change, before it is saved (docs/cleaning.md#what-would-change).
import { z } from "zod";
import { effectKinds } from "@/server/domain/cleaning/policy/effect";
import { mediaKinds } from "@/server/domain/hosts/inventory/inventory";
import { list, record } from "@/server/contract/define";

const model = record({
  model: z.string(),
  media: z.enum(mediaKinds),
  drives: z.number(),
  meets: z.number(),
  cannot: z.number(),
  unknown: z.number(),
  /** How many drives cannot meet the policy in force. */
  cannotNow: z.number(),
  /** How many drives were judged on each kind of evidence. */
  basis: record({ policy: z.number(), recorded: z.number(), reported: z.number(), model: z.number() }),
  reason: z.string().nullable(),
});

const reclamation = record({
  id: z.string(),
  number: z.string(),
  host: z.string(),
  startedAt: z.date(),
  /** Outcome of the reclamation; null if it is stopped. */
  outcome: z.string().nullable(),
  would: z.enum(["stop", "pass"]),
  reason: z.string(),
});

/** What a different value of a setting would have changed in recorded reclamations. */
export const settingEffect = record({
  setting: z.string(),
  kind: z.enum(effectKinds),
  reclamations: z.number().nullable(),
  words: z.string(),
});

export const policyEffects = record({
  siteId: z.string(),
  site: z.string(),
  /** The policy in force, which the proposed one is compared with. */
  policyVersion: z.number(),
  /** Reclamations since this time were read. */
  since: z.date(),
  /** Older records of the last 90 days were left out because there are too many. */
  truncated: z.boolean(),
  /** Whether the erase settings change. If false, no drives were read, and every erase would have the same outcome. */
  erase: z.boolean(),
  models: list(model),
  reclamations: record({
    total: z.number(),
    stop: z.number(),
    pass: z.number(),
    unknown: z.number(),
    same: z.number(),
    /** Reclamations without a recorded erase. */
    withoutErase: z.number(),
  }),
  /** The first of those that would have ended differently. */
  otherwise: list(reclamation),
  /** Effects of settings other than the erase. */
  effects: list(settingEffect),
  /** Changed settings that no record can tell about. */
  notes: list(z.string()),
});
export type PolicyEffects = z.infer<typeof policyEffects>;
