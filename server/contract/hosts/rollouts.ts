// Firmware rollouts: new firmware for the hosts of a SKU, in stages (docs/platform.md#firmware-rollouts).
import { z } from "zod";
import { act, list, nothing, read, reason, record } from "@/server/contract/define";
import {
  firmwareImage,
  rolloutHostStates,
  rolloutStages,
  rolloutStates,
} from "@/server/domain/hosts/platform/rollout";

const rollout = z.guid("must be the id of a firmware rollout");

const rolloutCounts = record({
  pending: z.number(),
  running: z.number(),
  failed: z.number(),
  done: z.number(),
});

const lineShape = {
  id: z.string(),
  sku: z.string(),
  state: z.enum(rolloutStates),
  /** The components that change. */
  components: list(
    record({
      component: z.string(),
      from: z.string(),
      to: z.string(),
      url: z.string(),
      /** SHA-256 of the file, as it was stated. */
      checksum: z.string(),
    }),
  ),
  /** In words, such as `1 host` and `10 %`. */
  stages: list(z.string()),
  /** The stage that is open, from 0. */
  stage: z.number(),
  /** Hosts that were let in, and how many may be while this stage is open. */
  taken: z.number(),
  places: z.number(),
  maxFailures: z.number(),
  /** Hosts of the SKU by what the rollout did with them. */
  hosts: rolloutCounts,
  startedBy: z.string(),
  startedAt: z.date(),
  reason: z.string(),
  /** Null: nobody decided yet. */
  approvedBy: z.string().nullable(),
  approvalId: z.string(),
  /** Why it is paused; null: it is not. `pausedBy` is null if it paused by itself. */
  pausedReason: z.string().nullable(),
  pausedBy: z.string().nullable(),
  endedAt: z.date().nullable(),
};
const rolloutLine = record(lineShape);
export type RolloutLine = z.infer<typeof rolloutLine>;

const rolloutList = record({
  rollouts: list(rolloutLine),
  /** Of all open rollouts. DPUs are null: not reported, because nothing tells the firmware that a DPU should have. */
  updates: record({
    hosts: record({ pending: z.number(), running: z.number(), failed: z.number() }),
    dpus: z.null(),
  }),
});
export type RolloutList = z.infer<typeof rolloutList>;

const rolloutHost = record({
  hostId: z.string(),
  host: z.string(),
  state: z.enum(rolloutHostStates),
  /** The host's own state. */
  hostState: z.string(),
  /** When the rollout last decided about it; null: not yet. */
  decidedAt: z.date().nullable(),
});
export type RolloutHost = z.infer<typeof rolloutHost>;

const rolloutDetail = record({ ...lineShape, list: list(rolloutHost) });
export type RolloutDetail = z.infer<typeof rolloutDetail>;

const changed = record({ id: z.string() });

export const rollouts = {
  list: read({
    title: "firmware rollouts, open ones first, and how many hosts they have to update",
    right: "site.read",
    input: nothing,
    output: rolloutList,
  }),
  get: read({
    title: "one firmware rollout with its hosts, the first 1000",
    right: "site.read",
    input: z.strictObject({ rollout }),
    output: rolloutDetail,
  }),
  start: act({
    title: "requests new firmware for the hosts of a SKU, in stages; another person approves it",
    right: "sku.write",
    action: "rollout.start",
    input: z.strictObject({
      sku: z.string().min(1, "must be the name of a SKU").max(128),
      /** The components that change, each with its file. */
      images: z.array(firmwareImage).min(1).max(64),
      stages: rolloutStages,
      /** It pauses when this many hosts have failed. */
      maxFailures: z.int().min(1).max(10_000).default(1),
      reason,
    }),
    output: changed,
  }),
  pause: act({
    title: "pauses a firmware rollout: no further host takes the new firmware",
    right: "host.interrupt",
    action: "rollout.pause",
    input: z.strictObject({ rollout, reason }),
    output: changed,
  }),
  resume: act({
    title: "resumes a paused firmware rollout; failures until now count no more",
    right: "sku.write",
    action: "rollout.resume",
    input: z.strictObject({ rollout, reason }),
    output: changed,
  }),
  advance: act({
    title: "opens the next stage of a firmware rollout",
    right: "sku.write",
    action: "rollout.advance",
    /** `stage`: the number of the stage that is open now, from 0. */
    input: z.strictObject({ rollout, stage: z.int().min(0), reason }),
    output: changed,
  }),
  finish: act({
    title: "finishes a firmware rollout after its last stage: the SKU's baseline names the new firmware",
    right: "sku.write",
    action: "rollout.finish",
    input: z.strictObject({ rollout, reason }),
    output: changed,
  }),
  abort: act({
    title:
      "aborts a firmware rollout: no further host takes the new firmware, and those that have it keep it",
    right: "host.interrupt",
    action: "rollout.abort",
    input: z.strictObject({ rollout, reason }),
    output: changed,
  }),
};
