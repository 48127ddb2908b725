// What a handler sees of one host: all that the claim returns, and nothing else.
import { z } from "zod";
import type { HardwareManager } from "@/server/domain/agents/protocol";
import { brakeDimensions } from "@/server/domain/cleaning/queue/brake";
import { overrideScopes } from "@/server/domain/cleaning/plan/priorities";
import { int, json, list, oneOf, text, time, trusted, uuid } from "@/server/domain/host-record/column";
import type { Frozen } from "@/server/domain/host-record/column";
import { effectView } from "@/server/domain/host-record/effect";
import {
  hostFacts,
  instanceView,
  networkAck,
  reportedIdentity,
  siteFacts,
} from "@/server/domain/host-record/host";
import {
  attemptView,
  deviceVerdict,
  reclamationDocuments,
  reclamationView,
  stepView,
} from "@/server/domain/host-record/reclamation";
import { runView } from "@/server/domain/host-record/run";
import type { HardwareInventory, StorageDevice } from "@/server/domain/inventory/inventory";
import type { SkuComponents } from "@/server/domain/inventory/sku";
import type { PlatformFacts } from "@/server/domain/inventory/platform";
import { signal } from "@/server/domain/lifecycle/signals";
import type { GateException } from "@/server/domain/gates/exceptions";
import { disposition } from "@/server/domain/sanitization/dispositions";
import type { UnresolvedStorage } from "@/server/domain/sanitization/known-devices";

/** An agent that registered in a boot that we ordered. */
export const agentView = z.object({
  bootEpoch: int(),
  lastSeenMs: time("last_seen_at"),
  registeredMs: time("registered_at"),
  agentVersion: text(),
  hardwareManagers: json(list(trusted<HardwareManager>())),
  /** The restart of its boot was done before it registered. */
  afterReset: z.boolean(),
  /** Something asked too early in its boot, or a second one registered: nothing of it counts. */
  contested: z.boolean(),
});
export type AgentView = Frozen<z.infer<typeof agentView>>;

/** A brake of the site that is in force (docs/cleaning.md#the-brake). */
export const brakeView = z.object({
  id: uuid(),
  dimension: oneOf(brakeDimensions),
  value: text(),
  message: text(),
});
export type BrakeView = Readonly<z.infer<typeof brakeView>>;

export const stepOverride = z.object({
  scope: oneOf(overrideScopes),
  interface: text(),
  step: text(),
  priority: int(),
});

/** The record of a manual procedure that may count for the open reclamation. */
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
  /** Of the row that was read: one that was changed since is not assigned. */
  version: text(),
  /** People set priorities of clean steps for it. */
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
  /** What the newest reclamation knew when the host became Ready; null in every state but Ready. */
  lastReady: reclamationDocuments.omit({ plan: true }).nullable(),
  steps: list(stepView),
  attempt: attemptView.nullable(),
  deviceVerdicts: list(deviceVerdict),
  /** Of the newest boot. */
  agent: agentView.nullable(),
  /** The newest one that ever registered, also of an earlier boot: what its hardware managers offer. */
  lastAgent: agentView.nullable(),
  /** Why an agent of the newest boot was not registered; null: none told of itself, or it was. */
  bootRefusal: z.string().nullable(),
  /** Priorities that people set for this host, its SKU and its site; null in states whose claim brings none. */
  overrides: list(stepOverride).nullable(),
  /** Brakes in force; null in states whose claim brings none. */
  brakes: list(brakeView).nullable(),
  /** SKUs of the product that its agent reported, for a host without a SKU; null: it has one, or the claim brings none. */
  skus: list(skuCandidate).nullable(),
  /** The agent image that runs on it, else the one that its site boots, by its version; null: the site has none but the configured one, or the claim brings none. */
  image: z.string().nullable(),
  inventory: z.object({
    bmc: drives.nullable(),
    /** What else the BMC said of its storage, and drives that only earlier readings listed; left out: none. */
    bmcUnresolved: list(trusted<UnresolvedStorage>()).exactOptional(),
    bmcEarlier: drives.exactOptional(),
    agent: agentInventory.nullable(),
  }),
  /** What its BMC offers besides drives, as last read; `noPlatformFacts` in states whose claim brings no inventory. */
  platform: trusted<PlatformFacts>(),
  instance: instanceView.nullable(),
  acks: list(networkAck),
  resourcesHeld: z.number(),
  /** Standing debts of this chassis or its drives, with the drive serials that they name. */
  debts: z.object({ count: z.number(), driveSerials: list(z.string()) }),
  /** What people stated of drives of this chassis that nobody finds; null in states whose claim brings no inventory. */
  dispositions: list(disposition).nullable(),
  /** What makes procedures due, and their records; null in states whose claim brings none. */
  assurance: z
    .object({
      tenants: list(z.string()),
      repaired: z.boolean(),
      failures: list(z.string()),
      records: list(procedureRecord),
    })
    .nullable(),
  /** Exceptions of its reclamation that another person approved; null in states whose claim brings none. */
  exceptions: list(trusted<GateException>()).nullable(),
  /** What the fleet knows of the identity that the BMC told; null in states other than Verifying. */
  told: reportedIdentity.nullable(),
  signals: list(z.object({ id: z.string(), signal })),
  effects: list(effectView),
});
export type HostView = Frozen<z.infer<typeof hostView>>;
