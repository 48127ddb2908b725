// What a host carries along besides its state: the boot under way, the network asked for, what its evidence rests on.
// Each object drops what it does not name; `storedContext`, by which a context is read, keeps it (docs/adr/0024-rolling-upgrade.md).
import { z } from "zod";
import { leftover } from "@/server/domain/decommission/leftovers";
import { networkWanted } from "@/server/domain/network/network-protocol";
import { storedDevice } from "@/server/domain/inventory/inventory";
import { bootChange, storedBootSettings } from "@/server/domain/hosts/boot-settings";
import { bmcIntents } from "@/server/domain/lifecycle/signals";
import { storedJson } from "@/server/domain/json";
import { storedDocument } from "@/server/domain/stored";
import { voidedErase } from "@/server/domain/sanitization/voided";

/** A boot that we ordered and that has not led to a registration yet. */
export const bootContext = z.object({
  epoch: z.int().min(1),
  /** 1 for the first boot of this wait; each later one is a restart by the reboot rule. */
  attempt: z.int().min(1),
  /** When the BMC confirmed the restart; null while the effect is under way. ISO. */
  orderedAt: z.iso.datetime().nullable(),
  /** Failed calls to the BMC in a row. */
  bmcFailures: z.int().min(0),
  retryAt: z.iso.datetime().nullable(),
  /** Nobody knows whether the restart happened: it is looked up before anything is sent again. */
  lookUp: z.literal(true).optional(),
  /** The host's reset mark before that restart. */
  resetMark: z.string().optional(),
  /** How often in a row a restart that was sent could not be confirmed; from the first on by switching off and on. */
  unconfirmed: z.int().min(1).optional(),
  /** Something asked for a token before the restart was done: the host is restarted once more, in another boot. */
  contested: z.literal(true).optional(),
});
export type BootContext = z.infer<typeof bootContext>;

export const networkContext = z.object({
  wanted: networkWanted,
  sha256: z.string().nullable(),
  askedAt: z.iso.datetime().nullable(),
  retryAt: z.iso.datetime().nullable(),
  /** Of failed requests in a row. */
  failures: z.int().min(0),
});
export type NetworkContext = z.infer<typeof networkContext>;

const by = z.object({ personId: z.guid().nullable(), name: z.string() });

/** How far the recovery before another attempt is, since when, and how often in a row the BMC did not do its part. */
const recovery = z.object({
  phase: z.enum(["powerOff", "resetBmc", "settle"]),
  since: z.iso.datetime(),
  handle: storedJson,
  failures: z.int().min(0),
});
export type RecoveryContext = z.infer<typeof recovery>;

/** What a person asked of the cleaning under way, and what the controller itself is at (docs/cleaning.md#abort-hold-resume). */
export const cleaningContext = z.object({
  /** Asked for, and in force from `since` on; before, it waits for the running step to end. */
  hold: z
    .object({
      by,
      reason: z.string(),
      since: z.iso.datetime().nullable(),
      until: z.iso.datetime().nullable(),
      forMs: z.int().min(1),
    })
    .nullable(),
  /** Asked for; the running step cannot be stopped; waiting for it. */
  abort: z.object({ by, at: z.iso.datetime() }).nullable(),
  /** How often the plan was restarted because they changed. */
  versionRestarts: z.int().min(0),
  /**
   * The controller's own step under way: what to look at and when, the restart that it waits for, how often it asked for one,
   * and how often in a row the BMC did not answer. Between two attempts: when the next one may begin.
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
      recovery: recovery.exactOptional(),
    })
    .nullable(),
  /** A place was given, and is held until the host fails, is held, or waits for a person. */
  admitted: z.boolean(),
  /** It stands in the queue for a place; false while a brake holds it back. */
  waitsForPlace: z.boolean().default(false),
  /** Where it goes on once it has a place; null: to the plan. */
  afterQueue: z.string().nullable().default(null),
  /** What was erased in the present plan counts no more: the plan is made anew (domain/sanitization/voided.ts). */
  voided: voidedErase.optional(),
  /** The BMC's time of the last reset went back: restarts are proven by switching off and on, and no mark is held against another (docs/adr/0033). */
  marksUnreliable: z.literal(true).optional(),
  /** How often that happened since a person began the plan. */
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

/** Facts that this reclamation has proven so far, each with what it rests on. */
export const provenContext = z.object({
  /** Boot epoch in which the last clean step that ran on the host ended; a restart must follow it. */
  lastStepEpoch: z.int().nullable(),
  memoryStepEpoch: z.int().nullable(),
  cleaningSkipped: z.boolean(),
  networkVersion: z.int().nullable(),
  sku: z
    .object({ epoch: z.int(), name: z.string(), differences: z.int().min(0), storage: z.string().nullable() })
    .nullable(),
  /** The reading of the BMC's drives that this plan rests on: which one, when it was taken in, and how often in a row it failed. */
  storageRead: z
    .object({
      of: z.string(),
      readAt: z.iso.datetime().nullable(),
      retryAt: z.iso.datetime().nullable(),
      failures: z.int().min(0),
    })
    .exactOptional(),
  /** The drives that the agent is not to show, as the BMC showed them after cleaning. */
  outOfBand: z
    .object({ epoch: z.int(), readAt: z.iso.datetime(), drives: z.array(storedDevice) })
    .exactOptional(),
  tests: z
    .object({ epoch: z.int(), passed: z.int(), failed: z.array(z.string()), skipped: z.array(z.string()) })
    .nullable(),
});
export type ProvenContext = z.infer<typeof provenContext>;

/** The decommission of the host, from its beginning to its end or its failure (docs/adr/0059-decommission.md). */
export const leavingContext = z.object({
  by,
  reason: z.string(),
  at: z.iso.datetime(),
  /** The account that Reclaim signs in with stays on the BMC. */
  keepAccount: z.boolean(),
  leftovers: z.array(leftover),
  /** What is asked of the BMC next. */
  part: z.enum(["look", "remove", "ownAccount"]).default("look"),
  /** The removal of our own account was permitted, and nobody knows what became of it. */
  sent: z.boolean().default(false),
  /** Calls in a row that the BMC did not answer, and when it is called again. */
  failures: z.int().min(0).default(0),
  retryAt: z.iso.datetime().nullable().default(null),
});
export type LeavingContext = z.infer<typeof leavingContext>;

export const runContext = z.object({
  boot: bootContext.nullable(),
  network: networkContext.nullable(),
  proven: provenContext,
  cleaning: cleaningContext.prefault(emptyCleaning),
  /** The least boot epoch whose agent may be used: raised when a restart is owed. */
  minEpoch: z.int().min(0),
  /** Serials of the drives that were in the host when it became Ready: a tenant's debt names them too. */
  drives: z.array(z.string()),
  /** The state that waits while `BootingAgent` is on. */
  returnTo: z.string().nullable(),
  /** The state that a failed host stopped in. */
  failedIn: z.string().nullable(),
  /** When the first exception ends on which it is, or was last, Ready: from then on it is not allocated, and what was let through is cleaned. ISO. */
  exceptedUntil: z.iso.datetime().exactOptional(),
  /** Until when an erase of a reclamation that has ended may still run. ISO. */
  eraseUntil: z.iso.datetime().nullable().default(null),
  /** Power, an NMI or a boot setting that a person asked for and that the BMC has not confirmed; `look`: nobody knows whether it was switched. */
  power: z
    .object({
      intent: z.enum(bmcIntents),
      by,
      look: z.boolean(),
      /** Of `setBoot`. */
      change: bootChange.exactOptional(),
      /** Why `setBoot` failed; it is read what became of it. */
      failed: z.string().exactOptional(),
      /** The host's own system was asked to shut down: until when it may, and when its power is read again. */
      soft: z.object({ until: z.iso.datetime(), lookAt: z.iso.datetime().nullable() }).exactOptional(),
    })
    .nullable()
    .default(null),
  /**
   * A person had the inventory read again: since when it is being read (`message` null and `readAt` null), when it was, or why it could not be.
   * `agent`: by the agent, in a list of one restart that ends as every list does.
   */
  inspection: z
    .object({
      askedAt: z.iso.datetime(),
      readAt: z.iso.datetime().nullable(),
      message: z.string().nullable(),
      agent: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** How the host starts, as its BMC said last; the boot device is forgotten with each boot of ours. */
  bootSettings: storedBootSettings.exactOptional(),
  /** The newest boot whose restart was carried out, or may have been, while no agent has registered in it. */
  sentEpoch: z.int().optional(),
  /** The boot source was set for every boot and is to be taken away: how often that was asked for. */
  bootToClear: z.int().min(0).optional(),
  /** Boots in a row in which something asked too early. */
  contestedBoots: z.int().min(1).optional(),
  /** The host's reset mark after the restart of the newest boot: another one later means that it restarted once more. */
  resetMark: z.string().optional(),
  /** The host is being decommissioned, or its decommission failed. */
  leaving: leavingContext.exactOptional(),
  /** Who deletes it uncleaned: for the record that stays of it. */
  deletedBy: by.exactOptional(),
  /** A person asked for something since the BMC was called last: it may have been its account that was put right. */
  retryCredential: z.literal(true).optional(),
  /** What is wrong while the row has a last error: `domain/causes/cause.ts`, as any version wrote it. */
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

/** A context as it is stored. A host that was just enrolled has `{}`: it carries nothing along yet. */
export const storedContext = z.preprocess(
  (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
      ? emptyContext()
      : value,
  storedDocument(runContext),
);
