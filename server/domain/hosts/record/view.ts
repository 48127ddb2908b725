// What a handler sees of one host: everything the claim returns, and nothing else.
import { z } from "zod";
import { measurementFacts } from "@/server/domain/attestation/measurement";
import type { HardwareManager } from "@/server/domain/agents/protocol";
import { brakeDimensions } from "@/server/domain/cleaning/queue/brake";
import { narrowedTo } from "@/server/domain/cleaning/queue/narrowed";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { int, json, list, oneOf, text, time, trusted, uuid } from "@/server/domain/hosts/record/column";
import type { Frozen } from "@/server/domain/hosts/record/column";
import { effectView } from "@/server/domain/hosts/record/effect";
import {
  hostFacts,
  instanceView,
  networkAck,
  reportedIdentity,
  siteFacts,
} from "@/server/domain/hosts/record/host";
import {
  attemptView,
  deviceVerdict,
  reclamationDocuments,
  reclamationView,
  stepView,
} from "@/server/domain/hosts/record/reclamation";
import { runView } from "@/server/domain/hosts/record/run";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { driveElsewhere } from "@/server/domain/hosts/ready-watch/elsewhere";
import { watchedHost } from "@/server/domain/hosts/ready-watch/baseline";
import { signal } from "@/server/domain/lifecycle/signals";
import type { GateException } from "@/server/domain/reclamations/gates/exceptions";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import type { KnownParts } from "@/server/domain/hosts/parts/changes";
import { disposition } from "@/server/domain/cleaning/sanitization/dispositions";
import type { UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";

/** An agent that registered in a boot that Reclaim ordered. */
export const agentView = z.object({
  bootEpoch: int(),
  lastSeenMs: time("last_seen_at"),
  registeredMs: time("registered_at"),
  agentVersion: text(),
  hardwareManagers: json(list(trusted<HardwareManager>())),
  /** The restart of its boot was confirmed before it registered. */
  afterReset: z.boolean(),
  /** Something asked for a token too early in its boot, or a second agent registered. Nothing of the boot counts. */
  contested: z.boolean(),
});
export type AgentView = Frozen<z.infer<typeof agentView>>;

/** A brake in force at the site (docs/cleaning.md#the-brake). */
export const brakeView = z.object({
  id: uuid(),
  dimension: oneOf(brakeDimensions),
  value: text(),
  message: text(),
  narrowedTo: json(narrowedTo),
});
export type BrakeView = Readonly<z.infer<typeof brakeView>>;

export const stepOverride = z.object({
  scope: oneOf(overrideScopes),
  interface: text(),
  step: text(),
  priority: int(),
  /** Name of who set it; null: not recorded. */
  setBy: z.string().nullable().optional(),
});

/** A manual procedure's record that may count for the open reclamation. */
const procedureRecord = z.object({
  id: z.string(),
  procedure: z.string(),
  version: z.number(),
  recordedAtMs: z.number(),
  operator: z.string(),
  own: z.boolean(),
  reusableUntilMs: z.number().nullable(),
  afterErase: z.boolean(),
  decision: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedReason: z.string().nullable(),
  voided: z.boolean(),
});

/** A SKU that a host without one may match. */
export const skuCandidate = z.object({
  id: uuid(),
  name: text(),
  /** Version of the row as read. A SKU that has changed since is not assigned. */
  version: text(),
  /** It has its own priorities of clean steps. */
  hasPriorities: z.boolean(),
  components: trusted<SkuComponents>(),
});
export type SkuCandidate = Readonly<z.infer<typeof skuCandidate>>;

export const agentInventory = z.object({
  bootEpoch: int(),
  collectedMs: time("collected_at"),
  body: json(trusted<HardwareInventory>()),
});

const drives = list(trusted<StorageDevice>());

export const hostView = z.object({
  /** The database's clock when the host was claimed, in ms. */
  nowMs: z.number(),
  run: runView,
  host: hostFacts,
  site: siteFacts,
  reclamation: reclamationView.nullable(),
  /** The documents of the latest reclamation when the host became Ready; null in all other states. */
  lastReady: reclamationDocuments.omit({ plan: true }).nullable(),
  steps: list(stepView),
  attempt: attemptView.nullable(),
  deviceVerdicts: list(deviceVerdict),
  /** Agent of the latest boot. */
  agent: agentView.nullable(),
  /** The latest agent that ever registered, possibly in an earlier boot. It determines which hardware managers' steps are offered. */
  lastAgent: agentView.nullable(),
  /** Why an agent of the latest boot was not registered; null: none tried, or it was registered. */
  bootRefusal: z.string().nullable(),
  /** Priorities set for this host, its SKU and its site; null in states whose claim does not read them. */
  overrides: list(stepOverride).nullable(),
  /** Brakes in force; null in states whose claim does not read them. */
  brakes: list(brakeView).nullable(),
  /** What parts the host had, and the signed dispositions of changed ones; null in states whose claim does not read them. */
  parts: z
    .object({
      known: trusted<KnownParts>().nullable(),
      accepted: list(z.object({ id: uuid(), evidence: z.string() })),
    })
    .nullable(),
  /** SKUs for the product that the agent reported, if the host has no SKU; null: it has one, or the claim does not read them. */
  skus: list(skuCandidate).nullable(),
  /**
   * The open firmware rollout of its SKU, and whether it has decided about the plan that is made next; null: there is none, or the claim does not read it
   * (docs/adr/0148-firmware-rollouts.md).
   */
  rollout: z.object({ id: uuid(), decided: z.boolean() }).nullable(),
  /** Version of the agent image that it runs, or else that its site boots; null: the site has only the configured image, or the claim does not read it. */
  image: z.string().nullable(),
  inventory: z.object({
    bmc: drives.nullable(),
    /** Unresolved storage from the BMC, including drives that only earlier readings listed; left out: none. */
    bmcUnresolved: list(trusted<UnresolvedStorage>()).exactOptional(),
    bmcEarlier: drives.exactOptional(),
    /** Whether the agent lists a device with memory of its own; null in states in which no plan is made. */
    memoryDevices: z.boolean().nullish(),
    /** Parts that the BMC listed when it was last read; left out in states that do not compare parts. */
    bmcParts: trusted<PartsReport>().nullish(),
    agent: agentInventory.nullable(),
  }),
  /** What its BMC offers besides drives, as last read; `noPlatformFacts` in states whose claim reads no inventory. */
  platform: trusted<PlatformFacts>(),
  instance: instanceView.nullable(),
  acks: list(networkAck),
  resourcesHeld: z.number(),
  /** Open debts of this chassis or its drives, with the drive serials that they name. */
  debts: z.object({ count: z.number(), driveSerials: list(z.string()) }),
  /** Dispositions of missing drives of this chassis; null in states whose claim reads no inventory. */
  dispositions: list(disposition).nullable(),
  /** What makes procedures due, and their records; null in states whose claim does not read them. */
  assurance: z
    .object({
      tenants: list(z.string()),
      repaired: z.boolean(),
      failures: list(z.string()),
      records: list(procedureRecord),
    })
    .nullable(),
  /** Approved exceptions of its reclamation; null in states whose claim does not read them. */
  exceptions: list(trusted<GateException>()).nullable(),
  /** Its drives that belong to another host; null in states whose claim does not look. */
  elsewhere: list(driveElsewhere).nullable(),
  /** What it was when it became claimable, and since; null unless an instance has claimed it. */
  watch: watchedHost.nullable(),
  /** What is known about the identity that the BMC reported; null in all states but Verifying. */
  told: reportedIdentity.nullable(),
  /** What its TPM has proven, and how its boot was measured; null: its TPM was never asked (docs/adr/0150-measured-boot.md). */
  measurement: measurementFacts.nullable(),
  signals: list(z.object({ id: z.string(), signal })),
  effects: list(effectView),
});
export type HostView = Frozen<z.infer<typeof hostView>>;
