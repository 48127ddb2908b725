// What a commit writes for a batch of hosts: one list per table, each row with its host.
import { z } from "zod";
import { standings } from "@/server/domain/assurance/standing";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { Policy } from "@/server/domain/cleaning/policy/policy";
import { gateStatuses, gateNames } from "@/server/domain/reclamations/gates/gate-names";
import {
  counter,
  flag,
  float,
  int,
  json,
  oneOf,
  state,
  text,
  texts,
  time,
  trusted,
  uuid,
} from "@/server/domain/hosts/record/column";
import { effectKinds } from "@/server/domain/hosts/record/effect";
import {
  attemptVerdicts,
  judgedDevice,
  outcomes,
  reclamationBegun,
  reclamationChanges,
  stepView,
} from "@/server/domain/hosts/record/reclamation";
import { runWrite } from "@/server/domain/hosts/record/run";
import type { PlanRecord } from "@/server/domain/cleaning/plan/plan";
import type { PlatformRecord } from "@/server/domain/hosts/platform/judge";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import type { KnownParts } from "@/server/domain/hosts/parts/changes";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { DeviceList, UnresolvedStorage } from "@/server/domain/cleaning/sanitization/known-devices";

/** What is stored of a BMC reading. A reading of the drives alone leaves the other stored members as they are. */
export interface BmcReading {
  readonly storage: readonly StorageDevice[];
  /** Listed by earlier readings since `manage`, but not by this one. */
  readonly earlier: readonly StorageDevice[];
  readonly unresolved: readonly UnresolvedStorage[];
  readonly platform: PlatformFacts;
  readonly firmware?: unknown;
  readonly macs?: readonly string[];
  /** Null: the BMC reports none. */
  readonly parts?: PartsReport | null;
}

const hostId = uuid();
const reclamationId = uuid().nullable();

/** `…Set`: the field next to it is written; otherwise the row keeps its value. */
const runs = z.object({
  hostId,
  /** The fence: the generation of the claim behind this decision. */
  generation: counter(),
  wakeSeq: counter(),
  strict: flag(),
  expectEvidenceSeq: counter().nullable(),
  keepLease: flag(),
  /** How many states were entered. */
  entered: int(),
  ...runWrite.omit({ command: true, cleanProgress: true }).shape,
  touchedSet: flag(),
  maintenanceSet: flag(),
  erasingSet: flag(),
  commandSet: flag(),
  command: runWrite.shape.command.unwrap(),
  cleanBegins: flag(),
  cleanSet: flag(),
  cleanPercent: float().nullable(),
  cleanMessage: text().nullable(),
  bootProven: flag(),
});

/** Documents are null if they are not to be written. */
const reclamations = z.object({
  hostId,
  hostSerial: text(),
  isNew: flag(),
  ...reclamationBegun.shape,
  ...reclamationChanges.shape,
  outcome: oneOf(outcomes).nullable(),
  /** What it proved; null: it is open. */
  standing: oneOf(standings).nullable(),
  policy: json(trusted<Policy>()).nullable(),
  devicesSet: flag(),
  devices: json(trusted<DeviceList>()).nullable(),
  planSet: flag(),
  plan: json(trusted<PlanRecord>()).nullable(),
  platformSet: flag(),
  platform: json(trusted<PlatformRecord>()).nullable(),
  contentSet: flag(),
  content: json(trusted<Omit<ContentRecord, "read">>()).nullable(),
  contentRead: json(trusted<NonNullable<ContentRecord["read"]>>()).nullable(),
});

export const commitLists = {
  runs,
  reclamations,
  history: z.object({
    hostId,
    n: int(),
    entered: int(),
    state: state(),
    reason: text(),
    /** Why the host failed, for a failed state (docs/adr/0063-causes.md). */
    causes: json(trusted<readonly Cause[]>()).nullable(),
    reclamationId,
  }),
  ended: z.object({
    hostId,
    id: uuid(),
    outcome: oneOf(outcomes),
    standing: oneOf(standings),
    message: text().nullable(),
  }),
  refusals: z.object({ hostId, intent: text(), reason: text(), requestId: text() }),
  steps: z.object({ hostId, reclamationId, planEpoch: int(), ...stepView.shape }),
  attempts: z.object({
    hostId,
    stepRunId: uuid(),
    attempt: int(),
    bootEpoch: int(),
    ended: flag(),
    verdict: oneOf(attemptVerdicts).nullable(),
    message: text().nullable(),
    /** Of an attempt that did not succeed. */
    causes: json(trusted<readonly Cause[]>()).nullable(),
    eraseEnds: json(trusted<Readonly<Record<string, null>>>()),
  }),
  devices: z.object({
    hostId,
    reclamationId,
    stepRunId: uuid(),
    attempt: int(),
    planEpoch: int(),
    ...judgedDevice.shape,
  }),
  /** The result of the remnant probe after the final boot's reading. */
  probes: z.object({
    hostId,
    reclamationId: uuid(),
    bootEpoch: int(),
    serial: text(),
    model: text(),
    firmware: text().nullable(),
    technique: text(),
    places: int(),
    remnants: int(),
  }),
  gates: z.object({
    hostId,
    reclamationId,
    gate: oneOf(gateNames),
    status: oneOf(gateStatuses),
    reason: text(),
    evidence: json(z.unknown()),
  }),
  debts: z.object({
    hostId,
    id: uuid(),
    chassisSerial: text(),
    driveSerials: texts(),
    instanceId: uuid(),
    tenantId: uuid(),
  }),
  cleared: z.object({ hostId, chassisSerial: text(), reclamationId, note: text() }),
  instances: z.object({ hostId, id: uuid(), ended: flag(), ready: flag() }),
  instanceHistory: z.object({ hostId, instanceId: uuid(), status: text(), message: text() }),
  windows: z.object({ hostId, bootEpoch: int(), expiresAtMs: time() }),
  effects: z.object({
    hostId,
    id: uuid(),
    kind: oneOf(effectKinds),
    request: json(z.unknown()),
    requestHash: text(),
  }),
  read: z.object({ hostId, id: uuid() }),
  consumed: z.object({ hostId, id: counter() }),
  /** Null: unchanged. */
  hosts: z.object({
    hostId,
    links: json(z.unknown()),
    manufacturer: text().nullable(),
    model: text().nullable(),
    powerState: text().nullable(),
    macs: texts(),
    serial: text().nullable(),
    systemUuid: uuid().nullable(),
    certificateSeen: json(z.unknown()),
    bmcCertificate: text().nullable(),
    /** Detected from its manufacturer; null: it was given. */
    hardwareType: text().nullable(),
    networkInterfaces: texts().nullable(),
    /** A SKU that the host matches, assigned if it has none, and the version of it that was compared. */
    skuId: uuid().nullable(),
    skuVersion: text().nullable(),
  }),
  inventories: z.object({
    hostId,
    bootEpoch: int(),
    body: json(trusted<BmcReading>()),
    leftOut: texts().nullable(),
    /** Stored apart from the body, which every claim reads. */
    bios: json(trusted<BiosAttributes>()).nullable(),
    bmcSettings: json(trusted<BmcSettings>()).nullable(),
  }),
  /** Parts that the host is verified with, if they are not the ones that were known; `dispositionId`: how a change was accepted. */
  parts: z.object({
    hostId,
    bootEpoch: int(),
    known: json(trusted<KnownParts>()),
    dispositionId: uuid().nullable(),
  }),
  /** For a host that becomes Ready. */
  certificates: z.object({
    hostId,
    id: uuid(),
    reclamationId: uuid(),
    kind: text(),
    type: text(),
    statement: text(),
    sha256: text(),
  }),
  erases: z.object({ hostId, chassisSerial: text(), eraseUntilMs: time() }),
  deleted: z.object({ hostId }),
  feed: z.object({ hostId, tenantId: uuid().nullable() }),
};

/** The lists of a commit while they are being filled. */
export type CommitLists = { [K in keyof typeof commitLists]: Readonly<z.infer<(typeof commitLists)[K]>>[] };

/** Built by `server/controller/loop/commit-rows.ts`, stored by `server/db/hot/host/commit.ts`. */
export type CommitPayload = { readonly [K in keyof CommitLists]: readonly CommitLists[K][number][] };

/** What a decision says of a row: all of it but its host, and what the commit adds. */
export type Written<
  List extends keyof CommitLists,
  Added extends keyof CommitLists[List][number] = never,
> = Readonly<Omit<CommitLists[List][number], Added | "hostId">>;

export const emptyLists = (): CommitLists => ({
  runs: [],
  reclamations: [],
  history: [],
  ended: [],
  refusals: [],
  steps: [],
  attempts: [],
  devices: [],
  probes: [],
  gates: [],
  debts: [],
  cleared: [],
  instances: [],
  instanceHistory: [],
  windows: [],
  effects: [],
  read: [],
  consumed: [],
  hosts: [],
  inventories: [],
  parts: [],
  certificates: [],
  erases: [],
  deleted: [],
  feed: [],
});
