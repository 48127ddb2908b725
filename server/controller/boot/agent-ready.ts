// Whether the present agent may begin the next step: its report has frozen the drives, and its hardware managers are the ones that the plan was made with
// (docs/cleaning.md#when-something-goes-wrong).
import { ensureMeasured } from "@/server/controller/boot/measured";
import { manualFaults } from "@/server/domain/cleaning/plan/manual";
import type { PlanRecord } from "@/server/domain/cleaning/plan/plan";
import { ensureStorageReading } from "@/server/controller/inventory/bmc-storage";
import { frozenDevices } from "@/server/controller/inventory/frozen-devices";
import { isManual } from "@/server/controller/interruptions/interruptions";
import type { Draft } from "@/server/controller/host/draft";
import { fail, goto, wait } from "@/server/controller/host/handler-result";
import type { HandlerResult } from "@/server/controller/host/handler-result";

type Managers = PlanRecord["managers"];

/** How often an automated plan restarts by itself because the hardware managers changed. */
const maxVersionRestarts = 1;

const say = (managers: Managers): string =>
  managers
    .map(({ name, version }) => `${name} ${version}`)
    .sort()
    .join(", ");

/** Null if it may. Called before each command to a usable agent. */
export function agentReady(draft: Draft): HandlerResult | null {
  const unmeasured = ensureMeasured(draft);
  if (unmeasured !== null) return unmeasured;
  const managers = (draft.view.agent?.hardwareManagers ?? []).map(({ name, version }) => ({ name, version }));
  return isManual(draft) ? readyForList(draft, managers) : readyForPlan(draft, managers);
}

function readyForPlan(draft: Draft, managers: Managers): HandlerResult | null {
  const made = draft.reclamation?.plan?.managers ?? null;
  // A plan made by an earlier version does not record the managers.
  if (made === null || say(made) === say(managers)) return null;
  const { cleaning } = draft.context;
  const change = `the agent came back with ${say(managers)}; the plan was made with ${say(made)}`;
  // safety: version: a plan is begun again once only
  if (cleaning.versionRestarts >= maxVersionRestarts)
    return fail(
      "AgentVersionMismatch",
      [{ key: "agentChanged", device: { kind: "agent" }, raw: `${change}, and was already restarted once` }],
      true,
    );
  draft.memory.keepCleaning({ versionRestarts: cleaning.versionRestarts + 1 });
  return goto("WaitingForCleanup/Init", change);
}

/** The first agent freezes the drives and checks the list. An agent with other hardware managers checks the list again, and the step is repeated. */
function readyForList(draft: Draft, managers: Managers): HandlerResult | null {
  const { reclamation } = draft;
  if (reclamation === null)
    return fail("ManualInterventionRequired", [{ key: "recordBroken", raw: "this host has no step list" }]);
  const checked = reclamation.plan?.managers ?? null;
  if (checked === null || say(checked) !== say(managers)) {
    const offered = (draft.view.agent?.hardwareManagers ?? []).flatMap((manager) => manager.steps);
    const faults = manualFaults(
      draft.steps.rows.filter((step) => step.status !== "succeeded"),
      offered,
    );
    // safety: version: a list is checked against the agent that runs it
    if (faults.length > 0)
      return fail("CleanFailed", [
        { key: "planImpossible", raw: faults.map(({ message }) => message).join("; ") },
      ]);
    draft.patchReclamation({ plan: { managers, disabled: [] } });
  }
  if (reclamation.devices !== null) return null;
  const agent = draft.view.inventory.agent;
  if (agent === null) return wait("reading the agent's report of this boot", draft.nowMs);
  if (agent.bootEpoch !== draft.bootEpoch) {
    // The agent's report is from another boot, so a new boot is needed.
    draft.needNewBoot();
    return goto("ManualCleaning/BootingAgent", "an agent reported the drives in this boot");
  }
  const reading = ensureStorageReading(draft, "before");
  // safety: by hand: the BMC's drives are read again
  if (reading !== null) return reading;
  draft.patchReclamation({ devices: frozenDevices(draft, agent) });
  return null;
}
