// What can happen to a host from outside its handler. A signal wakes its host at once and is consumed by one commit.
import { z } from "zod";
import { validationBody } from "@/server/domain/agents/protocol";
import { manualSteps } from "@/server/domain/cleaning/manual";

const actor = z.strictObject({ personId: z.uuid().nullable(), name: z.string(), requestId: z.string() });
export type IntentActor = z.infer<typeof actor>;

/** Intents of people and programs (design: lifecycle.md, Intents). Which state accepts which: intents.ts. */
export const intentKinds = ["manage", "provide", "clean", "assign", "release", "retry", "restart", "inspect", "abort", "hold", "resume", "powerOn", "powerOff", "reboot", "forceDelete"] as const;
export type IntentKind = (typeof intentKinds)[number];

/** Those that only switch the host's power, in whatever state it is. */
export const powerIntents = ["powerOn", "powerOff", "reboot"] as const satisfies readonly IntentKind[];
export type PowerIntent = (typeof powerIntents)[number];

/** `payload` by `kind`, as stored in the table `signal`. */
export const signal = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("manage"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("provide"), payload: z.strictObject({ by: actor }) }),
  /** The claim has inserted the instance already; this makes the host go on. */
  z.strictObject({ kind: z.literal("assign"), payload: z.strictObject({ by: actor, instanceId: z.uuid() }) }),
  z.strictObject({ kind: z.literal("release"), payload: z.strictObject({ by: actor, instanceId: z.uuid() }) }),
  z.strictObject({ kind: z.literal("retry"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("restart"), payload: z.strictObject({ by: actor }) }),
  /** Read the BMC's inventory again, and take the agent's from a new boot. */
  z.strictObject({ kind: z.literal("inspect"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("forceDelete"), payload: z.strictObject({ by: actor }) }),
  /** A manual cleaning; its steps were checked by the use case, and are checked again where they run. `withoutAgent`: a step that needs the agent is a fault. */
  z.strictObject({ kind: z.literal("clean"), payload: z.strictObject({ by: actor, steps: manualSteps, runbook: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(), bulkId: z.uuid().nullable(), withoutAgent: z.literal(true).optional() }) }),
  z.strictObject({ kind: z.literal("abort"), payload: z.strictObject({ by: actor }) }),
  /** `forMs` null: the site's own time. */
  z.strictObject({ kind: z.literal("hold"), payload: z.strictObject({ by: actor, reason: z.string().max(500), forMs: z.int().min(1).nullable() }) }),
  z.strictObject({ kind: z.literal("resume"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("powerOn"), payload: z.strictObject({ by: actor }) }),
  z.strictObject({ kind: z.literal("powerOff"), payload: z.strictObject({ by: actor }) }),
  /** A restart; a host that is off is switched on. */
  z.strictObject({ kind: z.literal("reboot"), payload: z.strictObject({ by: actor }) }),
  /** A place was given to a host that waits in `Queued` (design: cleaning.md, Protection). */
  z.strictObject({ kind: z.literal("admitted"), payload: z.strictObject({}) }),
  /** What held the host back is gone (a brake was lifted): look again. */
  z.strictObject({ kind: z.literal("look"), payload: z.strictObject({}) }),
  /** An agent registered in the boot that we ordered; its inventory is in `host_inventory`, source `agent`. */
  z.strictObject({ kind: z.literal("agentRegistered"), payload: z.strictObject({ bootEpoch: z.int() }) }),
  /** A second identity tried to register in one boot window (design: agent.md). */
  z.strictObject({ kind: z.literal("agentIdentityConflict"), payload: z.strictObject({ bootEpoch: z.int(), message: z.string() }) }),
  /** Something asked for a boot token before the restart of that boot was done (docs/adr/0020-a-boot-is-proven.md). */
  z.strictObject({ kind: z.literal("bootContested"), payload: z.strictObject({ bootEpoch: z.int(), message: z.string() }) }),
  /** A host that is held booted although nobody had ordered it. */
  z.strictObject({ kind: z.literal("bootUnordered"), payload: z.strictObject({ bootEpoch: z.int(), message: z.string() }) }),
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
