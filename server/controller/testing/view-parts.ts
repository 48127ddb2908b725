// The parts that a case adds to a host's view: a reclamation with its plan and attempts, an agent, an inventory, an instance and a network.
import { plainPolicy } from "@/server/testing/test-policy";
import { nothingKnown } from "@/server/domain/cleaning/steps/step";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import type { InstanceView } from "@/server/domain/hosts/record/host";
import { noProgress } from "@/server/domain/hosts/record/reclamation";
import type { AttemptView, ReclamationView, StepView } from "@/server/domain/hosts/record/reclamation";
import type { AgentView, HostView } from "@/server/domain/hosts/record/view";
import type { RunContext } from "@/server/domain/lifecycle/context";
import type { NetworkWanted } from "@/server/domain/hosts/network/network-protocol";
import { wantedDigest } from "@/server/domain/hosts/network/wanted-digest";
import type { ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import { freezeDevices } from "@/server/domain/cleaning/sanitization/known-devices";
import { newReclamation } from "@/server/controller/host/new-reclamation";
import { allDrives, fingerprintOf, interfaces, inventoryOf } from "@/server/controller/testing/hardware";
import {
  by,
  demoSite,
  hostId,
  instanceId,
  minute,
  now,
  reclamationId,
  stepId,
  tenantId,
} from "@/server/controller/testing/host-view";
import type { ViewChanges } from "@/server/controller/testing/host-view";

/** A release in progress, without a plan. */
export function reclamation(changes: Partial<ReclamationView> = {}): ReclamationView {
  const site = { ...demoSite, policy: plainPolicy() };
  return {
    ...newReclamation({ nowMs: now - 10 * minute, site }, reclamationId, "release", by, null),
    instanceId,
    tenantId,
    ...changes,
  };
}

/** The same with a frozen device list and a plan. */
export function planned(changes: Partial<ReclamationView> = {}): ReclamationView {
  return reclamation({
    devices: freezeDevices(allDrives, allDrives, [], []),
    content: contentOf(),
    planMade: true,
    planEpoch: 1,
    plan: { managers: [], disabled: [] },
    ...changes,
  });
}

/** All drives were fingerprinted when they were erased, and found unchanged in boot epoch 3. */
export function contentOf(changes: Partial<ContentRecord> = {}): ContentRecord {
  return {
    secret: "secret",
    since: "erase",
    drives: allDrives.map((device) => ({
      serial: device.serial,
      model: device.model,
      fingerprint: fingerprintOf(device),
    })),
    read: { epoch: 3, at: new Date(now).toISOString() },
    ...changes,
  };
}

/** The default plan; `changes` by step name. */
export function plan(changes: Readonly<Record<string, Partial<StepView>>> = {}): readonly StepView[] {
  const usual = cleanSteps.filter((step) =>
    ["erase_nvme", "erase_disks", "verify_mem_overwrite", "reset_infiniband"].includes(step.step),
  );
  return usual.map((step, index) => ({
    id: stepId(index + 1),
    position: index + 1,
    interface: step.interface,
    step: step.step,
    where: step.where,
    args: {},
    abortable: step.abortable,
    timeLimitMs: step.timeLimitMs(plainPolicy(), {}, { ...nothingKnown, storage: allDrives }),
    priority: step.priority,
    prioritySource: "default",
    proves: step.proves,
    status: "planned",
    attempt: 0,
    maxAttempts: 2,
    startedAtMs: null,
    endedAtMs: null,
    deadlineAtMs: null,
    message: null,
    ...changes[step.step],
  }));
}

/** Every step of the plan succeeded. */
export function succeededPlan(): readonly StepView[] {
  return plan().map((step) => ({
    ...step,
    status: "succeeded",
    attempt: 1,
    startedAtMs: now - 9 * minute,
    endedAtMs: now - 5 * minute,
  }));
}

export const allSanitized: HostView["deviceVerdicts"] = allDrives.map(({ serial, model }) => ({
  serial,
  model,
  verdict: "sanitized",
  reason: "purge",
}));

export function attempt(changes: Partial<AttemptView> = {}): AttemptView {
  return {
    stepRunId: stepId(1),
    attempt: 1,
    bootEpoch: 3,
    report: null,
    verdict: null,
    progress: noProgress,
    journal: [],
    ...changes,
  };
}

/** Progress in which the only drive reported ends at this time. */
export const endsAt = (atMs: number | null): AttemptView["progress"] => ({
  ends: { NVME1: atMs },
  reportedAtMs: now - minute,
  movedAtMs: now - minute,
});

/** An agent of boot epoch 3, heard from 5 s ago. */
export function agent(changes: Partial<AgentView> = {}): AgentView {
  return {
    bootEpoch: 3,
    lastSeenMs: now - 5_000,
    registeredMs: now - 5 * minute,
    agentVersion: "1.0.0",
    hardwareManagers: [],
    afterReset: true,
    contested: false,
    ...changes,
  };
}

/** What BMC and agent found, in boot epoch 3. */
export function inventory(bootEpoch = 3, collectedMs = now - 5 * minute): HostView["inventory"] {
  return { bmc: allDrives, agent: { bootEpoch, collectedMs, body: inventoryOf(allDrives) } };
}

export function instance(changes: Partial<InstanceView> = {}): InstanceView {
  return {
    id: instanceId,
    tenantId,
    network: null,
    releaseRequestedMs: null,
    repairRelease: false,
    ...changes,
  };
}

/** The context of a host that requested a network, in version 2. */
export function networkContext(
  network: NetworkWanted["network"],
  changes: Partial<NonNullable<RunContext["network"]>> = {},
): NonNullable<RunContext["network"]> {
  const wanted: NetworkWanted = {
    host: hostId,
    version: 2,
    network,
    tenant: network === "tenant" ? tenantId : null,
    interfaces: [...interfaces],
    extensionServices: network === "tenant",
  };
  return {
    wanted,
    sha256: wantedDigest(wanted),
    askedAt: new Date(now - minute).toISOString(),
    retryAt: null,
    failures: 0,
    ...changes,
  };
}

/** An acknowledgement of what that context requests, by every interface. */
export function acksOf(context: NonNullable<RunContext["network"]>): HostView["acks"] {
  return context.wanted.interfaces.map((name) => ({
    interface: name,
    version: context.wanted.version,
    sha256: context.sha256 ?? "",
    extensionServices: "terminated",
  }));
}

const admin = networkContext("admin");
/** A host in the cleaning queue, with its agent and inventory, on the admin network. */
export const queued = {
  reclamation: reclamation(),
  acks: acksOf(admin),
  context: { network: admin, minEpoch: 3 },
  agent: agent(),
  inventory: inventory(),
} satisfies ViewChanges;
