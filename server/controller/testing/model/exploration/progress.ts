// What would come next if nothing went wrong: on the machine, in the network, and from people.
import { topLevel } from "@/server/domain/lifecycle/states";
import { minute } from "@/server/controller/testing/host-view";
import { agentWorks, commandOf, poll } from "@/server/controller/testing/model/agent/agent";
import { honest } from "@/server/controller/testing/model/agent/work";
import { drain, signOff } from "@/server/controller/testing/model/assurance";
import {
  impostor,
  owesQuote,
  promote,
  requiresAttestation,
  waitsForBundle,
} from "@/server/controller/testing/model/attestation";
import { sweep } from "@/server/controller/testing/model/calls";
import { runController } from "@/server/controller/testing/model/controllers";
import type { Explorer } from "@/server/controller/testing/model/exploration/explorer";
import { endLease } from "@/server/controller/testing/model/leases";
import { advance, eraseEndMs, present, tenantWrites } from "@/server/controller/testing/model/machine";
import { applyNetwork, networkPending } from "@/server/controller/testing/model/network";
import { enroll } from "@/server/controller/testing/model/new-world";
import { ask, interruptCleaning } from "@/server/controller/testing/model/people/intents";
import { clearMaintenance } from "@/server/controller/testing/model/people/maintenance";
import { claimHost, releaseInstance } from "@/server/controller/testing/model/people/tenants";
import { afterRestore, lookAtDatabase } from "@/server/controller/testing/model/restore";
import type { World } from "@/server/controller/testing/model/world";

/** Does what would come next if nothing went wrong, then runs the first controller. */
export function progress(explorer: Explorer, choice: number): void {
  const { world, a, handlerOf } = explorer;
  const { machine, host } = world;
  if (world.database.stopped) afterRestore(world);
  else if (!world.database.confirmed) lookAtDatabase(world);
  else if (host === null) enroll(world);
  else if (host.run.outsideLease) endLease(world);
  else if (host.run.dueAtMs === null || host.run.dueAtMs > world.nowMs) nextEvent(world, choice);
  else if (host.run.leaseOwner !== null) {
    runController(world, explorer.b, handlerOf);
    if (a.phase.kind === "idle" && host.run.leaseOwner !== null)
      advance(world, Math.max(0, host.run.leaseUntilMs - world.nowMs) + 1);
  }
  if (machine.agent !== null) poll(world);
  runController(world, a, handlerOf);
}

function nextEvent(world: World, choice: number): void {
  const { machine, host } = world;
  if (host === null) return;
  if (requiresAttestation(world) && choice % 8 === 5) impostor(world);
  // The waiting firmware asks again.
  if (machine.waiting) advance(world, 1);
  if (
    machine.agent !== null &&
    (machine.agent.epoch === null ||
      machine.agent.working !== null ||
      commandOf(world) !== null ||
      owesQuote(world))
  ) {
    // Sometimes an erase takes its time, and anything may happen meanwhile.
    if (atWork(world) || commandOf(world)?.kind === "look") advance(world, patienceMs(world));
    agentWorks(world, { ...honest, eraseMs: choice % 4 === 2 ? 20 * minute : 0 });
    if (atWork(world) && choice % 4 !== 2) {
      advance(world, patienceMs(world));
      agentWorks(world, honest);
    }
  } else if (networkPending(world)) applyNetwork(world, 2, false, false);
  else if (!person(world, choice)) {
    if (host.run.dueAtMs !== null) advance(world, Math.max(1, host.run.dueAtMs - world.nowMs));
    else sweep(world, new Set());
  }
}

/** Until the erases are over, or an agent gives up on drives whose status shows no end. */
function patienceMs({ machine, nowMs, policy }: World): number {
  const givesUpMs = policy.sanitization.erase.noProgressTimeoutMs;
  return present(machine).some(({ says }) => says === "running")
    ? givesUpMs
    : Math.max(
        1,
        Math.min(
          eraseEndMs(machine) - nowMs,
          present(machine).some(({ says }) => says === "idle") ? givesUpMs : Infinity,
        ),
      );
}

const atWork = (world: World): boolean =>
  world.machine.agent !== null && world.machine.agent.working !== null;

/** What a person would do for a host that waits for one. */
function person(world: World, choice: number): boolean {
  const state = world.host?.run.state;
  if (state === undefined) return false;
  if (state === "Enroll") ask(world, "manage", false);
  else if (waitsForBundle(world) && promote(world)) return true;
  else if (state === "Manageable" && choice % 5 === 0) interruptCleaning(world, 4 * choice + 3);
  else if (state === "Manageable") ask(world, "provide", false);
  else if (topLevel(state) !== "Failed" && state.endsWith("/OnHold")) interruptCleaning(world, 2);
  else if (state === "Ready" && world.host?.run.maintenance === true) clearMaintenance(world, choice);
  else if (state === "Ready") claimHost(world);
  else if (state === "Assigned/Ready") {
    tenantWrites(world);
    releaseInstance(world);
  } else if (state === "ReturnToAllocation/AwaitingHealth") clearMaintenance(world, choice);
  else if (state === "ReturnToAllocation/AwaitingProcedure") drain(world, choice);
  else if (state === "ReturnToAllocation/AwaitingSignOff") signOff(world, choice);
  else if (
    (state === "Failed/GateUnsatisfied" || state === "Failed/CleanFailed") &&
    choice % 3 !== 0 &&
    world.overrides.length > 0
  )
    world.overrides = [];
  else if (state === "Failed/GateUnsatisfied") ask(world, choice % 4 === 0 ? "manage" : "restart", false);
  else if (topLevel(state) === "Failed")
    ask(world, choice % 4 === 0 ? "restart" : choice % 4 === 1 ? "manage" : "retry", false);
  else return false;
  return true;
}
