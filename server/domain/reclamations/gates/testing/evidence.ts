// The evidence of a host that passes every gate, and variations of it for tests.
import { judgePlatform, nothingRead } from "@/server/domain/hosts/platform/judge";
import type { PlatformReading } from "@/server/domain/hosts/platform/reading";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import type { DisabledStep } from "@/server/domain/cleaning/plan/plan";
import type { GateEvidenceInput } from "@/server/domain/reclamations/gates/gate-rule";
import type { GateName, GateStatus } from "@/server/domain/reclamations/gates/gate-names";
import type { StepStatus } from "@/server/domain/hosts/record/reclamation";
import { unresolved } from "@/server/domain/cleaning/sanitization/known-devices";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";

export const drive: StorageDevice = {
  serial: "A",
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  removable: false,
};

export const wanted = {
  host: "h",
  version: 4,
  network: "admin" as const,
  tenant: null,
  interfaces: ["dpu0"],
  extensionServices: false,
};

export const ack = { interface: "dpu0", version: 4, sha256: "s", extensionServices: "terminated" as const };

export const run = (step: string, proves: readonly GateName[], status: StepStatus = "succeeded") => ({
  interface: "deploy",
  step,
  status,
  id: step,
  attempt: 1,
  proves,
});

/** A frozen list that expects these drives. */
export const listed = (
  expected: readonly (StorageDevice & { readonly outOfBand?: true })[],
  more: Partial<DeviceList> = {},
): DeviceList => ({
  expected: expected.map((device) => ({ ...device, sources: ["bmc", "agent"] })),
  ...{ excluded: [], missing: [], ...more },
});

export const gpu = { kind: "gpu", slot: "0000:17:00.0", model: "NVIDIA H100 PCIe", serial: "1653" } as const;

/** A platform on which nobody left anything. */
export const clean: PlatformReading = {
  ...nothingRead,
  accounts: { value: [] },
  keys: { absent: "the BMC shows none" },
  subscriptions: { value: [] },
  media: { value: [] },
  bootEntries: { value: [{ name: "PXE", own: true, toAddress: false }] },
  secureBoot: { absent: "the BMC shows none" },
  tpm: { absent: "the BMC shows none" },
};

export const good: GateEvidenceInput = {
  fake: false,
  kind: "release",
  instanceOpen: false,
  attestation: "off",
  measurement: null,
  resourcesHeld: 0,
  network: { wanted, sha256: "s", acks: [ack] },
  planMade: true,
  plan: [
    run("erase_nvme", ["storageSanitized"]),
    run("verify_mem_overwrite", ["memoryOverwritten"]),
    run("reset_infiniband", ["infinibandClean"]),
    run("clear_device_memory", ["deviceMemoryCleared"]),
  ],
  disabled: [],
  devices: listed([drive]),
  deviceVerdicts: [{ serial: "A", model: "M", verdict: "sanitized", reason: "" }],
  content: { drives: [drive], read: { epoch: 2 } },
  standing: [],
  skuHasStorage: true,
  infinibandPresent: true,
  guest: false,
  proven: {
    lastStepEpoch: 1,
    memoryStepEpoch: 1,
    cleaningSkipped: false,
    networkVersion: 4,
    sku: { epoch: 2, name: "S", differences: 0, storage: null },
    tests: { epoch: 2, passed: 1, names: ["t"], failed: [], skipped: [] },
    memoryDevices: { epoch: 2, why: null, devices: [gpu] },
    memoryCleared: {
      stepRunId: "clear_device_memory",
      at: "2026-11-29T11:00:00.000Z",
      devices: [{ ...gpu, cleared: true, canary: "absent", said: "the GPU reported its memory clear" }],
    },
    outOfBand: { epoch: 2, readAt: "2026-11-29T12:00:00.000Z", drives: [] },
  },
  baseline: {},
  platform: {
    epoch: 2,
    readAt: "2026-11-29T12:00:00.000Z",
    sku: "S",
    tpm: "none",
    items: judgePlatform({}, clean),
  },
  agentTpm: false,
  boot: { bootEpoch: 2, afterReset: true, contested: false },
  voided: null,
  testsWanted: ["t"],
  requiredSteps: [],
  maintenance: false,
  maintenanceReason: null,
  health: { sources: ["monitor"], classifications: [], alerts: [], more: 0 },
  debts: 1,
  elsewhere: [],
  procedures: [],
  assurance: null,
  skuName: "S",
  nowMs: 1_000,
  requires: allRequired,
  policyOrigin: { version: 3, setBy: "Ada" },
  cleaningSetFor: "site",
};

export const proven = (changes: Partial<GateEvidenceInput["proven"]>): Partial<GateEvidenceInput> => ({
  proven: { ...good.proven, ...changes },
});

export const skipped = {
  ...proven({ cleaningSkipped: true }),
  plan: [],
  planMade: false,
  devices: listed([]),
  deviceVerdicts: [],
};

/** A step disabled by the site. */
export const off = (
  step: string,
  proves: readonly GateName[],
  devices: readonly StorageDevice[] = [],
): DisabledStep => ({ interface: "deploy", step, source: "site", proves, devices });

export const noErase = {
  disabled: [off("erase_nvme", ["storageSanitized"], [drive])],
  plan: good.plan.slice(1),
  deviceVerdicts: [],
};

export const noMemory = {
  disabled: [off("verify_mem_overwrite", ["memoryOverwritten"])],
  plan: good.plan.filter((row) => row.step !== "verify_mem_overwrite"),
};

export const noInfiniband = {
  disabled: [off("reset_infiniband", ["infinibandClean"])],
  plan: good.plan.filter((row) => row.step !== "reset_infiniband"),
};

export const withoutDrives = { devices: listed([]), deviceVerdicts: [], skuHasStorage: false };

export const answer = {
  serial: "Z",
  model: "",
  knownBy: "sanitization debt",
  disposition: {
    id: "d-1",
    key: "Z",
    model: "",
    slot: null,
    kind: "removed-destroyed" as const,
    reason: "shredded",
    by: "Ada",
    at: "2026-11-22T08:00:00.000Z",
    signature: "signed" as const,
    signedBy: "Bea",
  },
};

export const recheck: Partial<GateEvidenceInput> = {
  kind: "recheck",
  planMade: false,
  plan: [],
  deviceVerdicts: [],
  debts: 0,
};

export const second: StorageDevice = { ...drive, serial: "B" };

export const unnamed = unresolved({
  source: "bmc",
  place: "bay 3",
  slot: "3",
  serial: null,
  model: null,
  reason: "Drive in bay 3 has no serial number.",
});

export type GateCase = readonly [GateName, GateStatus, string, Partial<GateEvidenceInput>];
