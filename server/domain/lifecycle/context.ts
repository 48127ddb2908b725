// What is stored with a host's state: the current boot, the requested network, what its evidence is based on.
// Each schema drops unknown members, but reading a context through `storedContext` keeps them (docs/adr/0024-rolling-upgrade.md).
import { z } from "zod";
import { leftover } from "@/server/domain/hosts/decommission/leftovers";
import { networkWanted } from "@/server/domain/hosts/network/network-protocol";
import { clearedDevice, memoryDevice } from "@/server/domain/hosts/device-memory/device-memory";
import { storedDevice } from "@/server/domain/hosts/inventory/inventory";
import { bootChange, storedBootSettings } from "@/server/domain/hosts/boot-settings";
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import { storedJson } from "@/server/domain/json";
import { storedDocument } from "@/server/domain/stored";
import { voidedErase } from "@/server/domain/cleaning/sanitization/voided";

/** `MarkClock` as it is stored; a version before it stores none, and a mark without it proves nothing. */
export const storedMarkClock = z
  .object({ bmcTime: z.string().nullable().default(null), readAt: z.string() })
  .nullish();

/** A boot that Reclaim ordered and that has not led to a registration yet. */
export const bootContext = z.object({
  epoch: z.int().min(1),
  /** 1 for the first boot of this wait. Each later one is a restart by the reboot rule. */
  attempt: z.int().min(1),
  /** When the BMC confirmed the restart; null while the effect is in progress. ISO. */
  orderedAt: z.iso.datetime().nullable(),
  /** Consecutive failed calls to the BMC. */
  bmcFailures: z.int().min(0),
  retryAt: z.iso.datetime().nullable(),
  /** It is unknown whether the restart happened, so that is checked before anything is sent again. */
  lookUp: z.literal(true).optional(),
  /** The host's reset mark before that restart, and when it was read. */
  resetMark: z.string().optional(),
  markClock: storedMarkClock,
  /** How many restarts in a row could not be confirmed. From the first one on, restarts are done by powering off and on. */
  unconfirmed: z.int().min(1).optional(),
  /** Ordered while an erase may run that goes on over a reset: nothing else is sent until it is over (docs/adr/0020-a-boot-is-proven.md). */
  resetOnly: z.literal(true).optional(),
  /** Something asked for a token before the restart was done, so the host is restarted once more in another boot. */
  contested: z.literal(true).optional(),
});
export type BootContext = z.infer<typeof bootContext>;

export const networkContext = z.object({
  wanted: networkWanted,
  sha256: z.string().nullable(),
  askedAt: z.iso.datetime().nullable(),
  retryAt: z.iso.datetime().nullable(),
  /** Consecutive failed requests. */
  failures: z.int().min(0),
});
export type NetworkContext = z.infer<typeof networkContext>;

const by = z.object({ personId: z.guid().nullable(), name: z.string() });

/** The phase of the recovery before the next attempt, its start, and the number of consecutive failures of the BMC in it. */
const recovery = z.object({
  phase: z.enum(["powerOff", "resetBmc", "settle"]),
  since: z.iso.datetime(),
  handle: storedJson,
  failures: z.int().min(0),
});
export type RecoveryContext = z.infer<typeof recovery>;

/** What people requested for the cleaning in progress, and what the controller itself is doing (docs/cleaning.md#abort-hold-resume). */
export const cleaningContext = z.object({
  /** Requested. In force from `since` on; pending until the running step ends. */
  hold: z
    .object({
      by,
      reason: z.string(),
      since: z.iso.datetime().nullable(),
      until: z.iso.datetime().nullable(),
      forMs: z.int().min(1),
    })
    .nullable(),
  /** Requested, but the running step cannot be stopped, so the abort is pending. */
  abort: z.object({ by, at: z.iso.datetime() }).nullable(),
  /** How often the plan was restarted because the versions of hardware managers changed. */
  versionRestarts: z.int().min(0),
  /**
   * The controller step in progress: what to check and when, the restart it waits for, how many restarts it requested,
   * and how many times in a row the BMC did not answer. Between two attempts: when the next one may begin.
   */
  job: z
    .object({
      stepRunId: z.guid(),
      attempt: z.int().min(1),
      handle: storedJson,
      lookAt: z.iso.datetime().nullable(),
      restartEpoch: z.int().nullable(),
      restarts: z.int().min(0).prefault(0),
      failures: z.int().min(0).prefault(0),
      /** How many stops of the host it was kept over. */
      stops: z.int().min(0).prefault(0),
      recovery: recovery.exactOptional(),
    })
    .nullable(),
  /** The host has a slot, which it keeps until it fails, is put on hold, or waits for a person. */
  admitted: z.boolean(),
  /** It is queued for a slot; false while a brake holds it back. */
  waitsForPlace: z.boolean().default(false),
  /** The state to continue in once it has a slot; null: the plan. */
  afterQueue: z.string().nullable().default(null),
  /** The firmware rollout that has to decide before the plan is made (docs/adr/0148-firmware-rollouts.md). */
  waitsForRollout: z.guid().optional(),
  /** Erases of the current plan no longer count, so a new plan is made (domain/sanitization/voided.ts). */
  voided: voidedErase.optional(),
  /** Something asked how the held host should boot, and whether it restarted is being checked: since when, and what the BMC said. */
  bootHint: z
    .object({
      at: z.iso.datetime(),
      bootEpoch: z.int(),
      message: z.string(),
      bmc: z
        .object({ power: z.string(), resetMark: z.string().nullable(), markClock: storedMarkClock })
        .exactOptional(),
    })
    .exactOptional(),
  /** The BMC's last reset time went back. Restarts are now proven by powering off and on, and marks are not compared (docs/adr/0020). */
  marksUnreliable: z.literal(true).optional(),
  /** How often erases were voided since a person started the plan. */
  voids: z.int().min(1).optional(),
});
export type CleaningContext = z.infer<typeof cleaningContext>;

export function emptyCleaning(): CleaningContext {
  return {
    hold: null,
    abort: null,
    versionRestarts: 0,
    job: null,
    admitted: false,
    waitsForPlace: false,
    afterQueue: null,
  };
}

/** What this reclamation has proven so far, each fact with its basis. */
export const provenContext = z.object({
  /** Boot epoch in which the last clean step on the host ended. A restart must follow it. */
  lastStepEpoch: z.int().nullable(),
  memoryStepEpoch: z.int().nullable(),
  cleaningSkipped: z.boolean(),
  networkVersion: z.int().nullable(),
  sku: z
    .object({
      epoch: z.int(),
      name: z.string(),
      differences: z.int().min(0),
      storage: z.string().nullable(),
      /** `comparisonVersion` (domain/hosts/inventory/sku.ts); omitted: 1. */
      comparison: z.int().optional(),
      /** The first differences, in words; omitted: none, or a version before 2 compared. */
      words: z.string().optional(),
    })
    .nullable(),
  /** The reading of the BMC's drives behind this plan: its id, when it was taken in (null: not yet), and the number of consecutive failures. */
  storageRead: z
    .object({
      of: z.string(),
      readAt: z.iso.datetime().nullable(),
      retryAt: z.iso.datetime().nullable(),
      failures: z.int().min(0),
    })
    .exactOptional(),
  /** Drives that the agent is not expected to see, as the BMC listed them after cleaning. */
  outOfBand: z
    .object({ epoch: z.int(), readAt: z.iso.datetime(), drives: z.array(storedDevice) })
    .exactOptional(),
  /** The devices with memory of their own that the agent of this boot listed; `why`: why they are not known. */
  memoryDevices: z
    .object({
      epoch: z.int(),
      why: z.string().nullable(),
      devices: z.array(memoryDevice),
      /** One came in place of another, or besides them, since the host was last verified; people accepted it. */
      changed: z.boolean().exactOptional(),
    })
    .exactOptional(),
  /** What the step that clears them reported, and which run of it. */
  memoryCleared: z
    .object({ stepRunId: z.string(), at: z.iso.datetime(), devices: z.array(clearedDevice.strip()) })
    .exactOptional(),
  tests: z
    .object({
      epoch: z.int(),
      passed: z.int(),
      /** Those that passed; absent: recorded by an earlier release, which counted them only. */
      names: z.array(z.string()).exactOptional(),
      failed: z.array(z.string()),
      skipped: z.array(z.string()),
    })
    .nullable(),
});
export type ProvenContext = z.infer<typeof provenContext>;

/** The decommission of the host, until it ends or fails (docs/adr/0059-decommission.md). */
export const leavingContext = z.object({
  by,
  reason: z.string(),
  at: z.iso.datetime(),
  /** The account that Reclaim signs in with stays on the BMC. */
  keepAccount: z.boolean(),
  leftovers: z.array(leftover),
  /** What to do at the BMC next. */
  part: z.enum(["look", "remove", "ownAccount"]).default("look"),
  /** The removal of Reclaim's own account was permitted, and its outcome is unknown. */
  sent: z.boolean().default(false),
  /** Consecutive calls that the BMC did not answer, and when to retry. */
  failures: z.int().min(0).default(0),
  retryAt: z.iso.datetime().nullable().default(null),
});
export type LeavingContext = z.infer<typeof leavingContext>;

export const runContext = z.object({
  boot: bootContext.nullable(),
  network: networkContext.nullable(),
  proven: provenContext,
  cleaning: cleaningContext.prefault(emptyCleaning),
  /** The lowest boot epoch whose agent may be used. It is raised when a restart is owed. */
  minEpoch: z.int().min(0),
  /** Serials of the drives in the host when it became Ready. A tenant's debt names them too. */
  drives: z.array(z.string()),
  /** The state to return to after `BootingAgent`. */
  returnTo: z.string().nullable(),
  /** The state in which a failed host stopped. */
  failedIn: z.string().nullable(),
  /** When the first exception behind its current or last Ready ends. From then on the host is not allocated, and what was let through is cleaned. ISO. */
  exceptedUntil: z.iso.datetime().exactOptional(),
  /** Until when an erase of an ended reclamation may still be running. ISO. */
  eraseUntil: z.iso.datetime().nullable().default(null),
  /** A power action, NMI or boot setting that a person requested and the BMC has not confirmed. `look`: it is unknown whether it took effect. */
  power: z
    .object({
      intent: z.enum(bmcIntents),
      by,
      look: z.boolean(),
      /** For `setBoot`. */
      change: bootChange.exactOptional(),
      /** Why `setBoot` failed. The settings are read back to see what took effect. */
      failed: z.string().exactOptional(),
      /** The host's own system was asked to shut down: its deadline, and when to read the power state again. */
      soft: z.object({ until: z.iso.datetime(), lookAt: z.iso.datetime().nullable() }).exactOptional(),
    })
    .nullable()
    .default(null),
  /**
   * A person requested a new reading of the inventory: in progress since `askedAt` (while `message` and `readAt` are null), done at `readAt`, or failed
   * with `message`. `agent`: by the agent, as a list of steps with a single restart, which ends like every such list.
   */
  inspection: z
    .object({
      askedAt: z.iso.datetime(),
      readAt: z.iso.datetime().nullable(),
      message: z.string().nullable(),
      agent: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** How the host starts, as its BMC last reported. With each boot that Reclaim orders, the boot device in this record is forgotten. */
  bootSettings: storedBootSettings.exactOptional(),
  /** The latest boot whose restart was carried out or may have been, while no agent has registered in it. */
  sentEpoch: z.int().optional(),
  /** The boot source was set for every boot and must be removed: how often that was requested. */
  bootToClear: z.int().min(0).optional(),
  /** Consecutive boots in which something asked for a token too early. */
  contestedBoots: z.int().min(1).optional(),
  /** The host's reset mark after the restart of the latest boot. If the BMC reports a different one later, the host restarted again. */
  resetMark: z.string().optional(),
  /** When that mark was read. */
  markClock: storedMarkClock,
  /** A claimed host is compared with what was proven of it: for which instance, and how often its BMC could not be read. */
  handOver: z
    .object({ of: z.string(), failures: z.int().min(0), retryAt: z.iso.datetime().nullable() })
    .exactOptional(),
  /** The host is being decommissioned, or its decommission failed. */
  leaving: leavingContext.exactOptional(),
  /** Who deletes it uncleaned, for the record that stays. */
  deletedBy: by.exactOptional(),
  /** A person requested something since the last call to the BMC, and may have fixed its account. */
  retryCredential: z.literal(true).optional(),
  /** What is wrong while the row has a last error: `domain/causes/cause.ts`, as written by any version. */
  trouble: storedJson.exactOptional(),
});
export type RunContext = z.infer<typeof runContext>;

export function emptyProven(): ProvenContext {
  return {
    lastStepEpoch: null,
    memoryStepEpoch: null,
    cleaningSkipped: false,
    networkVersion: null,
    sku: null,
    tests: null,
  };
}

export function emptyContext(): RunContext {
  return {
    boot: null,
    network: null,
    proven: emptyProven(),
    cleaning: emptyCleaning(),
    minEpoch: 0,
    drives: [],
    returnTo: null,
    failedIn: null,
    eraseUntil: null,
    power: null,
  };
}

/** A context as stored. A newly enrolled host has `{}`. */
export const storedContext = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
      ? emptyContext()
      : value,
  storedDocument(runContext),
);
