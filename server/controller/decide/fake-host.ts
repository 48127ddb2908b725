// Handlers for hosts of type `fake`, which replace waiting for hardware and network that they do not have (docs/adr/0015-fake-hardware.md).
import { fakeIsOff } from "@/server/domain/hosts/fake/fake-type";
import { makePlan } from "@/server/domain/cleaning/plan/plan";
import { catalogueOf } from "@/server/domain/hosts/fake/fake-steps";
import type { State } from "@/server/domain/lifecycle/states";
import { runSteps } from "@/server/controller/steps/clean-run";
import type { CleaningMode } from "@/server/controller/steps/cleaning-mode";
import type { Handler } from "@/server/controller/handlers";
import { released } from "@/server/controller/handlers/assigned";
import { automatedCleaningOff, beginPlan, notCleaned, writePlan } from "@/server/controller/handlers/cleanup";
import { knownHardware } from "@/server/controller/inventory/known-hardware";
import { endOfInstance } from "@/server/controller/network/release";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

/** Fake hardware is switched off: the host is not worked on, says why, and may only be deleted. A Ready host leaves allocation. */
export function switchedOff(draft: Draft): HandlerResult {
  draft.inbox.refuseRest(fakeIsOff);
  // safety: fake: Ready ends where it is switched off (always)
  if (draft.state !== "Ready" || draft.tenancy.instance !== null) return wait(fakeIsOff, null);
  draft.run.setAllocatable(false);
  return goto("Manageable", fakeIsOff);
}

/** Runs each step of the plan as a step of the controller; no inventory or tests follow. */
const mode: CleaningMode = {
  stateOf: () => "WaitingForCleanup/PlatformCleanup",
  booting: "WaitingForCleanup/BootingAgent",
  over: () => goto("ReturnToAllocation/EvaluatingGates", "every planned step ran"),
};

/** The plan of a fake host, which has no drives, agent or network. */
function init(draft: Draft): HandlerResult {
  const { reclamation } = draft;
  if (reclamation === null)
    return fail("ManualInterventionRequired", [{ key: "recordBroken", raw: "no reclamation" }]);
  const off = automatedCleaningOff(draft);
  if (off !== null && !draft.leaves) {
    // safety: fake: a release that is not cleaned is not Ready
    if (reclamation.kind === "release" || reclamation.kind === "repairRelease") return notCleaned(draft, off);
    draft.memory.prove({ cleaningSkipped: true });
    return goto("ReturnToAllocation/EvaluatingGates", off);
  }
  if (draft.view.overrides === null) return wait("reading the step overrides", draft.nowMs);
  const plan = makePlan(catalogueOf(draft.view.host, []), draft.view.overrides, knownHardware(draft, []));
  if (!plan.ok) return fail("CleanFailed", [{ key: "planImpossible", raw: plan.message }]);
  writePlan(draft, plan, { expected: [], excluded: [], missing: [] });
  return beginPlan(draft, mode);
}

const runPlan: Handler = (draft) => runSteps(draft, mode);

/** A tenant claims, uses and releases it like any host, but there is nothing to boot and no port to move. */
const toTenant: Handler = (draft) => {
  const release = released(draft);
  if (release !== null) return release;
  draft.request("bootDisk", {});
  return goto("Assigned/WaitingForRebootToReady", "fake hardware has no network to switch");
};

const fromTenant: Handler = (draft) => {
  draft.takeIntent("release");
  endOfInstance(draft);
  return goto(
    "WaitingForCleanup/Queued",
    "fake hardware has nothing to boot and no network to switch; the instance ended",
  );
};

const handlers: Partial<Record<State, Handler>> = {
  "Assigned/WaitingForNetworkConfig": toTenant,
  "Assigned/BootingWithDiscoveryImage": fromTenant,
  "WaitingForCleanup/Init": init,
  "WaitingForCleanup/PlatformCleanup": runPlan,
};

/** The handler for a state in which a real host waits for its machine. Null: a fake host uses the ordinary handler. */
export const fakeHandlerOf = (state: State): Handler | null => handlers[state] ?? null;
