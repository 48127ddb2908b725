// What can happen to a host from outside its handler. A signal wakes its host at once and is consumed by one commit.
import { z } from "zod";
import { validationBody } from "@/server/domain/agents/protocol";

const actor = z.strictObject({ personId: z.uuid().nullable(), name: z.string(), requestId: z.string() });
export type IntentActor = z.infer<typeof actor>;

/** Intents of people and programs (design: lifecycle.md, Intents). Which state accepts which: intents.ts. */
export const intentKinds = ["manage", "provide", "assign", "release", "retry", "restart", "forceDelete"] as const;
export type IntentKind = (typeof intentKinds)[number];

/** `payload` by `kind`, as stored in the table `signal`. */
export const signal = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("manage"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("provide"), payload: z.strictObject({ by: actor }) }),
  /** The claim has inserted the instance already; this makes the host go on. */
  z.strictObject({ kind: z.literal("assign"), payload: z.strictObject({ by: actor, instanceId: z.uuid() }) }),
  z.strictObject({ kind: z.literal("release"), payload: z.strictObject({ by: actor, instanceId: z.uuid() }) }),
  z.strictObject({ kind: z.literal("retry"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("restart"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("forceDelete"), payload: z.strictObject({ by: actor }) }),
  /** An agent registered in the boot that we ordered; its inventory is in `host_inventory`, source `agent`. */
  z.strictObject({ kind: z.literal("agentRegistered"), payload: z.strictObject({ bootEpoch: z.int() }) }),
  /** A second identity tried to register in one boot window (design: agent.md). */
  z.strictObject({ kind: z.literal("agentIdentityConflict"), payload: z.strictObject({ bootEpoch: z.int(), message: z.string() }) }),
  /** The report is in `step_attempt.report`. */
  z.strictObject({ kind: z.literal("stepReport"), payload: z.strictObject({ stepRunId: z.uuid(), attempt: z.int() }) }),
  /** A new inventory of this boot is in `host_inventory`, source `agent`. */
  z.strictObject({ kind: z.literal("discovery"), payload: z.strictObject({ bootEpoch: z.int(), command: z.string() }) }),
  z.strictObject({ kind: z.literal("validation"), payload: z.strictObject({ bootEpoch: z.int(), command: z.string(), tests: validationBody.shape.tests }) }),
  /** An acknowledgement is in `network_ack`. */
  z.strictObject({ kind: z.literal("networkAck"), payload: z.strictObject({ interface: z.string(), version: z.int() }) }),
]);
export type Signal = z.infer<typeof signal>;
export type SignalKind = Signal["kind"];
