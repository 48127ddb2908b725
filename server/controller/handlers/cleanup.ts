// WaitingForCleanup/…: makes the plan and runs its steps.
import { ensureMeasured } from "@/server/controller/boot/measured";
import { otherCause } from "@/server/domain/cleaning/failures/cause";
import type { Cause, Causes } from "@/server/domain/cleaning/failures/cause";
import { driveOf } from "@/server/domain/cleaning/failures/of-device";
import { hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { makePlan } from "@/server/domain/cleaning/plan/plan";
import type { MadePlan } from "@/server/domain/cleaning/plan/plan";
import { withSiteSteps } from "@/server/domain/cleaning/plan/site-steps";
import { isState, topLevel } from "@/server/domain/lifecycle/states";
import type { ReclamationView } from "@/server/domain/hosts/record/reclamation";
import type { DeviceList } from "@/server/domain/cleaning/sanitization/known-devices";
import { ensureStorageReading } from "@/server/controller/inventory/bmc-storage";
import { ensureAgent } from "@/server/controller/boot/boot";
import { usableAgent } from "@/server/controller/host/usable-agent";
import { frozenDevices } from "@/server/controller/inventory/frozen-devices";
import { ensureNetwork } from "@/server/controller/network/network";
import { newContent, withoutContent } from "@/server/controller/inventory/content";
import { goOn, runSteps } from "@/server/controller/steps/clean-run";
import type { CleaningMode } from "@/server/controller/steps/cleaning-mode";
import { gatesOf } from "@/server/controller/handlers/gates-of";
import { brakedBy, enqueue } from "@/server/controller/interruptions/queued";
import { beforeBoot, broughtLate } from "@/server/controller/interruptions/interruptions";
import { knownHardware, offeredSteps } from "@/server/controller/inventory/known-hardware";
import type { Draft } from "@/server/controller/host/draft";
import { causesOr, fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";
import { plannedStep } from "@/server/controller/host/planned-step";

/** The decision wakes the host (`server/jobs/firmware-rollouts.ts`); the end of a rollout is noticed after this. */
const rolloutLookMs = 30_000;

/** Freezes the device list and makes the plan, once. Both need the agent's own report from this boot. */
export function init(draft: Draft): HandlerResult {
  const { reclamation } = draft;
  if (reclamation === null)
    return fail("ManualInterventionRequired", [{ key: "recordBroken", raw: "no reclamation" }]);
  // After a release it is already acknowledged; a host that was deleted and enrolled again may still be on a tenant's network.
  const network = ensureNetwork(draft, "admin");
  // safety: plan: the admin network first
  if (network !== null) return network;
  const left = leaveUncleaned(draft, reclamation);
  if (left !== null) return left;
  const agent = draft.view.inventory.agent;
  // Claimed in a state whose claim reads no inventory (`db/hot/host/claim.ts`); the next claim does.
  if (usableAgent(draft) && agent === null)
    return wait("reading the agent's report of this boot", draft.nowMs);
  if (!usableAgent(draft) || agent === null || agent.bootEpoch !== draft.bootEpoch) {
    draft.memory.keep({ returnTo: "WaitingForCleanup/Init" });
    // The agent's report is from another boot, so a new boot is needed.
    if (usableAgent(draft)) draft.needNewBoot();
    return goto("WaitingForCleanup/BootingAgent", "the plan needs the agent's report of this boot");
  }
  const unmeasured = ensureMeasured(draft);
  if (unmeasured !== null) return unmeasured;
  const old = withoutContent(draft);
  if (old !== null)
    return fail("AgentVersionMismatch", [{ key: "agentOutdated", device: { kind: "agent" }, raw: old }]);
  // safety: plan: the priorities that people set
  if (draft.view.overrides === null) return wait("reading the step overrides", draft.nowMs);
  if (draft.view.dispositions === null) return wait("reading the drive dispositions", draft.nowMs);
  const reading = ensureStorageReading(draft, "before");
  // safety: plan: the BMC's drives are read again
  if (reading !== null) return reading;
  const { rollout } = draft.view;
  // safety: plan: a rollout decides which firmware is wanted
  if (rollout !== null && !rollout.decided) {
    draft.memory.keepCleaning({ waitsForRollout: rollout.id });
    return wait("waiting for the decision of its SKU's firmware rollout", draft.nowMs + rolloutLookMs);
  }
  draft.memory.keepCleaning({ waitsForRollout: undefined });
  const devices = frozenDevices(draft, agent);
  const plan = withSiteSteps(
    makePlan(
      hostCatalogue(offeredSteps(draft)),
      draft.view.overrides,
      knownHardware(draft, devices.expected),
    ),
    draft.policy.requiredSteps,
    draft.view.agent?.hardwareManagers ?? [],
  );
  if (!plan.ok) return fail("CleanFailed", [{ key: "planImpossible", raw: plan.message }]);
  writePlan(draft, plan, devices);
  // safety: plan: a missing drive stops the host
  if (devices.missing.length > 0) return fail("DeviceMissing", missingDrives(devices));
  return beginPlan(draft, automated);
}

/** What happens to a host whose automated cleaning is off. Null: it is cleaned anyway. */
function leaveUncleaned(draft: Draft, { kind, content }: ReclamationView): HandlerResult | null {
  const off = automatedCleaningOff(draft);
  if (off === null) return null;
  if (kind === "release" || kind === "repairRelease") return notCleaned(draft, off);
  // A host with a debt is cleaned anyway: no setting clears a debt.
  // Nor does one let a host through that somebody may have touched: its content is compared with what it was, or it is cleaned.
  if (draft.tenancy.debts === 0 && content === null && kind !== "recheck" && kind !== "decommission") {
    draft.memory.prove({ cleaningSkipped: true });
    return goto("BomValidating/UpdatingInventory", `${off} and the host has no debt`);
  }
  return null;
}

/** Drives that the host must have and the agent does not see, as causes. */
function missingDrives({ missing, expected, unresolved = [] }: DeviceList): Causes {
  // A drive that the agent sees but cannot identify may be the missing one, so it comes first.
  const unnamed = unresolved
    .filter(({ source }) => source === "agent")
    .map(({ reason, slot, place, serial, model }): Cause => ({
      key: "driveSilent",
      device: { ...driveOf({ serial: serial ?? "", model: model ?? "" }), slot: slot ?? place },
      raw: reason,
    }));
  const causes = missing.map(({ serial, model, knownBy }): Cause => {
    const known = expected.find((device) => device.serial === serial && device.model === model);
    return {
      key: "driveMissing",
      device: driveOf(known ?? { serial, model }),
      facts: { knownBy },
      raw: `not seen by the agent: ${serial}${model === "" ? "" : ` (${model})`}, known by ${knownBy}`,
    };
  });
  return causesOr([...unnamed, ...causes], otherCause("drives are missing"));
}

/** Expected time of a plan's erases, one after the other; the reclamation's limit grows by it. */
function eraseMs(draft: Draft, plan: Extract<MadePlan, { readonly ok: true }>, devices: DeviceList): number {
  const known = knownHardware(draft, devices.expected);
  return plan.steps.reduce((sum, { step }) => sum + (step.erases ? (step.expectedMs(known, {}) ?? 0) : 0), 0);
}

/** Writes a plan and its devices into the reclamation; its step runs replace those of an earlier plan. */
export function writePlan(
  draft: Draft,
  plan: Extract<MadePlan, { readonly ok: true }>,
  devices: DeviceList,
): void {
  const managers = (draft.view.lastAgent?.hardwareManagers ?? []).map(({ name, version }) => ({
    name,
    version,
  }));
  // Only once: a retry or a new plan gives no more time.
  const { reclamation } = draft;
  if (reclamation !== null && reclamation.planEpoch === 0 && reclamation.limitAtMs !== null)
    draft.patchReclamation({ limitAtMs: reclamation.limitAtMs + eraseMs(draft, plan, devices) });
  // A plan is made, so an earlier decision to skip cleaning no longer applies to any gate.
  draft.memory.prove({ cleaningSkipped: false });
  const voided = draft.reclamation?.plan?.voided;
  draft.patchReclamation({
    devices,
    planMade: true,
    planEpoch: (draft.reclamation?.planEpoch ?? 0) + 1,
    plan: {
      managers,
      disabled: plan.disabled,
      sku: draft.view.host.sku?.name ?? null,
      ...(voided === undefined ? {} : { voided }),
    },
    content: newContent(draft),
  });
  draft.evidence.clearVerdicts();
  draft.replaceSteps(
    plan.steps.map(({ step, priority, source }, index) =>
      plannedStep(draft, index, step, {
        args: {},
        timeLimitMs: step.timeLimitMs(draft.policy, {}, knownHardware(draft, devices.expected)),
        priority,
        prioritySource: source,
        proves: step.proves,
      }),
    ),
  );
}

/** Enters the plan that was just made. */
export function beginPlan(draft: Draft, mode: CleaningMode): HandlerResult {
  const next = goOn(draft, mode);
  // The host's steps are known only now, so a brake on one of them takes effect here.
  const braked = brakedBy(draft, draft.steps.rows);
  return braked === null || next.kind !== "goto" ? next : enqueue(draft, next.state, braked);
}

/** Why automated cleaning is off, or null. The host's own setting takes precedence over its site's (docs/cleaning.md#priorities-and-overrides). */
export function automatedCleaningOff(draft: Draft): string | null {
  const own = draft.view.host.automatedClean;
  if (own ?? draft.policy.automatedClean) return null;
  return `automated cleaning is off ${own === null ? "on this site" : "for this host"}`;
}

/** A release without cleaning never leads to Ready. Recording its gates as they are documents the non-conformance. */
export function notCleaned(draft: Draft, why: string): HandlerResult {
  draft.memory.prove({ cleaningSkipped: true });
  draft.evidence.setGates(gatesOf(draft));
  draft.endReclamation("abandoned", `not conforming: ${why}; the host was released and not cleaned`);
  return goto("Manageable", `${why}; the host has a sanitization debt`);
}

/** The automated plan: each step in its own state, and a restart and a new inventory after the last one. */
export const automated: CleaningMode = {
  stateOf: (step) => step.state,
  booting: "WaitingForCleanup/BootingAgent",
  over: (draft) => {
    // safety: plan: a restart after the last step
    draft.memory.needBoot((draft.context.proven.lastStepEpoch ?? 0) + 1);
    draft.memory.keep({ returnTo: "BomValidating/UpdatingInventory" });
    return goto(
      usableAgent(draft) ? "BomValidating/UpdatingInventory" : "BomValidating/BootingAgent",
      "every planned step succeeded; restart before the inventory",
    );
  },
};

/** Entered when a step needs an agent and none is there, when the agent is lost, and for a restart that a step asks for. */
export function bootingAgent(draft: Draft): HandlerResult {
  const brought = broughtLate(draft);
  if (brought !== null) return brought;
  const waiting = beforeBoot(draft) ?? ensureAgent(draft) ?? ensureMeasured(draft);
  if (waiting !== null) return waiting;
  const { returnTo } = draft.context;
  return goto(
    returnTo !== null && isState(returnTo) && topLevel(returnTo) === "WaitingForCleanup"
      ? returnTo
      : "WaitingForCleanup/Init",
    "the agent registered",
  );
}

/** Runs in every state of the plan's steps, the agent's and the controller's. */
export const runPlan = (draft: Draft): HandlerResult => runSteps(draft, automated);
