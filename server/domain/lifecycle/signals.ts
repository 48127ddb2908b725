// What can happen to a host from outside its handler. A signal wakes its host at once and is consumed by exactly one commit.
import { z } from "zod";
import { drivesBody, validationBody } from "@/server/domain/agents/protocol";
import { bootChange } from "@/server/domain/hosts/boot-settings";
import { manualSteps } from "@/server/domain/cleaning/plan/manual";

const actor = z.object({ personId: z.guid().nullable(), name: z.string(), requestId: z.string() });
export type IntentActor = z.infer<typeof actor>;

/** Intents of people and programs (docs/design/lifecycle.md#intents). Which state accepts which is in intents.ts. */
export const intentKinds = [
  "manage",
  "provide",
  "clean",
  "assign",
  "release",
  "retry",
  "restart",
  "inspect",
  "inspectByAgent",
  "abort",
  "hold",
  "resume",
  "powerOn",
  "powerOff",
  "reboot",
  "softPowerOff",
  "softReboot",
  "injectNmi",
  "setBoot",
  "skipEraseWait",
  "askNetwork",
  "decommission",
  "acceptLeftovers",
  "forceDelete",
] as const;
export type IntentKind = (typeof intentKinds)[number];

/** Power intents that do not involve the host's own system. */
export const hardPowerIntents = ["powerOn", "powerOff", "reboot"] as const satisfies readonly IntentKind[];
/**
 * Intents that only change the host's power, in whatever state it is. The soft ones are separate kinds: as a member of the others, a release
 * that does not know it would force the host off (docs/adr/0024-rolling-upgrade.md).
 */
export const powerIntents = [
  ...hardPowerIntents,
  "softPowerOff",
  "softReboot",
] as const satisfies readonly IntentKind[];
export type PowerIntent = (typeof powerIntents)[number];
/** Everything that the BMC does at once for a person, in whatever state the host is. An NMI and a boot setting leave the power as it is. */
export const bmcIntents = [...powerIntents, "injectNmi", "setBoot"] as const satisfies readonly IntentKind[];
export type BmcIntent = (typeof bmcIntents)[number];

/** Maximum time for a shutdown. A system that ignores the request delays other things too, such as a network's acknowledgement, so not for hours. */
export const maxSoftMs = 30 * 60_000;
/** Default time for a shutdown: Ironic's `[conductor]soft_power_off_timeout`. */
export const usualSoftMs = 10 * 60_000;
/** The host's own system is asked to shut down and gets `forMs` to do so. */
const softly = z.object({ by: actor, forMs: z.int().min(1) });

/** `payload` by `kind`, as stored in the table `signal`. */
export const signal = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("manage"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("provide"), payload: z.object({ by: actor }) }),
  /** The claim has already inserted the instance. This lets the host continue. */
  z.object({ kind: z.literal("assign"), payload: z.object({ by: actor, instanceId: z.guid() }) }),
  z.object({ kind: z.literal("release"), payload: z.object({ by: actor, instanceId: z.guid() }) }),
  z.object({ kind: z.literal("retry"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("restart"), payload: z.object({ by: actor }) }),
  /** Read the BMC's inventory again, and take the agent's from the next boot. */
  z.object({ kind: z.literal("inspect"), payload: z.object({ by: actor }) }),
  /** Boot the agent now, and take its inventory. */
  z.object({ kind: z.literal("inspectByAgent"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("forceDelete"), payload: z.object({ by: actor }) }),
  /** The host leaves the fleet for good (docs/adr/0059-decommission.md). `keepAccount`: the account that Reclaim signs in with stays on the BMC. */
  z.object({
    kind: z.literal("decommission"),
    payload: z.object({ by: actor, reason: z.string().max(500), keepAccount: z.boolean() }),
  }),
  /** A person accepts these leftovers, by their keys. */
  z.object({
    kind: z.literal("acceptLeftovers"),
    payload: z.object({ by: actor, reason: z.string().max(500), keys: z.array(z.string()) }),
  }),
  /** A manual cleaning. The use case checked its steps, and they are checked again where they run. `withoutAgent`: a step that needs the agent is a fault. */
  z.object({
    kind: z.literal("clean"),
    payload: z.object({
      by: actor,
      steps: manualSteps,
      runbook: z.object({ id: z.guid(), name: z.string() }).nullable(),
      bulkId: z.guid().nullable(),
      withoutAgent: z.literal(true).optional(),
    }),
  }),
  z.object({ kind: z.literal("abort"), payload: z.object({ by: actor }) }),
  /** `forMs` null: the site's default. */
  z.object({
    kind: z.literal("hold"),
    payload: z.object({ by: actor, reason: z.string().max(500), forMs: z.int().min(1).nullable() }),
  }),
  z.object({ kind: z.literal("resume"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("powerOn"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("powerOff"), payload: z.object({ by: actor }) }),
  /** Restarts the host; a host that is off is powered on. */
  z.object({ kind: z.literal("reboot"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("softPowerOff"), payload: softly }),
  z.object({ kind: z.literal("softReboot"), payload: softly }),
  /** Interrupts the system, so that it writes a dump or stops in its debugger. */
  z.object({ kind: z.literal("injectNmi"), payload: z.object({ by: actor }) }),
  z.object({ kind: z.literal("setBoot"), payload: z.object({ by: actor, change: bootChange }) }),
  /** The drives cannot be asked, and a person takes responsibility that no erase is running any more. */
  z.object({ kind: z.literal("skipEraseWait"), payload: z.object({ by: actor }) }),
  /** Repeats the request to a network controller that did not answer or failed. */
  z.object({ kind: z.literal("askNetwork"), payload: z.object({ by: actor }) }),
  /** A host waiting in `Queued` got a slot (docs/cleaning.md#admission). */
  z.object({ kind: z.literal("admitted"), payload: z.object({}) }),
  /** The database was restored, and `afterRestore` opened this epoch. What is known about the host may be long out of date. */
  z.object({ kind: z.literal("databaseRestored"), payload: z.object({ epoch: z.int() }) }),
  /** What held the host back is gone, such as a brake that was lifted: check again. */
  z.object({ kind: z.literal("look"), payload: z.object({}) }),
  /** An agent registered in the boot that Reclaim ordered. Its inventory is in `host_inventory`, source `agent`. */
  z.object({ kind: z.literal("agentRegistered"), payload: z.object({ bootEpoch: z.int() }) }),
  /** A second identity tried to register in one boot window (docs/design/agent.md). */
  z.object({
    kind: z.literal("agentIdentityConflict"),
    payload: z.object({ bootEpoch: z.int(), message: z.string() }),
  }),
  /** Something asked for a boot token before the restart of that boot was done (docs/adr/0020-a-boot-is-proven.md). */
  z.object({
    kind: z.literal("bootContested"),
    payload: z.object({ bootEpoch: z.int(), message: z.string() }),
  }),
  /** A host that is being held booted although no boot was ordered. */
  z.object({
    kind: z.literal("bootUnordered"),
    payload: z.object({ bootEpoch: z.int(), message: z.string() }),
  }),
  /** The report is in `step_attempt.report`. */
  z.object({ kind: z.literal("stepReport"), payload: z.object({ stepRunId: z.guid(), attempt: z.int() }) }),
  /** A new inventory of this boot is in `host_inventory`, source `agent`. */
  z.object({ kind: z.literal("discovery"), payload: z.object({ bootEpoch: z.int(), command: z.string() }) }),
  z.object({
    kind: z.literal("validation"),
    payload: z.object({
      bootEpoch: z.int(),
      command: z.string(),
      tests: validationBody.shape.tests,
      content: validationBody.shape.content,
    }),
  }),
  /** What the drives report about their erases to this boot's agent, as requested with the command `look`. */
  z.object({
    kind: z.literal("drives"),
    payload: z.object({
      bootEpoch: z.int(),
      command: z.string(),
      busy: z.boolean(),
      drives: drivesBody.shape.drives,
    }),
  }),
  /** An acknowledgement is in `network_ack`. */
  z.object({ kind: z.literal("networkAck"), payload: z.object({ interface: z.string(), version: z.int() }) }),
]);
export type Signal = z.infer<typeof signal>;
export type SignalKind = Signal["kind"];
