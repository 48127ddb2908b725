// What must hold after every commit, judged by what the model's machine really holds and not by the gates.
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import { isClaimable, isFailed, topLevel } from "@/server/domain/lifecycle/states";
import type { BeforeCommit } from "@/server/controller/testing/model/checks/before-commit";
import { checkDecommissioned } from "@/server/controller/testing/model/checks/decommissioned";
import { checkReady } from "@/server/controller/testing/model/checks/ready";
import { eraseEndMs, named, serialsOf } from "@/server/controller/testing/model/machine";
import type { HostTables } from "@/server/controller/testing/model/tables";
import { must } from "@/server/controller/testing/model/violation";
import { openDebts, openInstance } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function checkCommit(world: World, before: BeforeCommit, view: HostView, decision: Decision): void {
  const host = before.host;
  if (host === null) return;
  checkHistory(host);
  checkSteps(host, decision);
  notePlan(world, view, decision);
  checkJournal(host, decision);
  checkCommanded(world, view, host);
  if (decision.endInstance !== null) checkEnd(world, before, view, decision.endInstance, decision.deleteHost);
  must(
    view.run.state !== "Ready" ||
      decision.run.state !== "Assigned/WaitingForNetworkConfig" ||
      view.instance?.releaseRequestedMs != null ||
      (!world.machine.writtenInReady &&
        serialsOf(named(world.machine).map(({ device }) => device)) === world.machine.readyDrives),
    "no tenant gets a host that changed while it waited",
  );
  must(
    world.host === null || host.run.erasing || eraseEndMs(world.machine) <= world.nowMs,
    "a host on which a drive erases is known to be erasing",
  );
  const readyIndex = decision.entered.findIndex((row) => row.state === "Ready");
  const leaves = decision.entered.some(({ state }) => state === "Decommissioning/RemovingLeftovers");
  must(
    decision.clearDebts === null || readyIndex >= 0 || leaves || decision.reclamation?.outcome === "cleaned",
    "a debt is cleared only by a reclamation that leads to Ready, out of the fleet, or of a retired host",
  );
  must(host.reclamations.filter((row) => !row.ended).length <= 1, "a host has at most one open reclamation");
  const began = decision.reclamation?.isNew === true ? decision.reclamation.row : null;
  must(
    began?.kind !== "release" ||
      world.instances.some((row) => row.id === began.instanceId && row.releaseRequestedMs !== null),
    "only an instance that was given up is released",
  );
  if (readyIndex >= 0) {
    checkReady(world, before, host, view, decision);
    Object.assign(world.machine, { writtenInReady: false, readyDrives: serialsOf(host.bmcInventory ?? []) });
  }
  if (decision.run.state === "Decommissioned") checkDecommissioned(world, before, host, decision);
  const { run } = host;
  const instance = world.host === null ? null : openInstance(world);
  must(
    !run.allocatable || (run.state === "Ready" && !run.maintenance && instance === null),
    "only a Ready host without instance and maintenance is allocatable",
  );
  must(
    !run.allocatable || host.reclamations.every((row) => row.ended || row.view.kind !== "decommission"),
    "a host that leaves the fleet is not allocatable",
  );
  must(!run.allocatable || !run.touched, "a host that somebody may have touched is not allocatable");
  must(
    instance === null || run.state === "Ready" || topLevel(run.state) === "Assigned" || isFailed(run.state),
    `a host in ${run.state} has no instance`,
  );
}

/** A plan follows the settings of the moment it was made. Computed here from the overrides themselves, not from the plan. */
function notePlan(world: World, view: HostView, decision: Decision): void {
  const now = decision.reclamation?.row;
  const policy = now?.policy ?? view.reclamation?.policy;
  if (decision.run.context.proven.cleaningSkipped && !view.run.context.proven.cleaningSkipped)
    must(
      policy !== undefined && !(view.host.automatedClean ?? policy.automatedClean),
      "cleaning is left out only where it is off",
    );
  if (
    now === undefined ||
    now.planEpoch === (view.reclamation?.id === now.id ? view.reclamation.planEpoch : 0)
  )
    return;
  const specific = { site: 0, sku: 1, host: 2 };
  const set = new Map(
    [...(view.overrides ?? [])]
      .sort((a, b) => specific[a.scope] - specific[b.scope])
      .map((row) => [`${row.interface}.${row.step}`, row.priority]),
  );
  world.disabledIn.set(
    now.id,
    new Set([...set].filter(([, priority]) => priority === 0).map(([name]) => name)),
  );
}

function checkHistory(host: HostTables): void {
  const last = host.history.at(-1);
  must(
    last?.version === host.run.stateVersion &&
      last.version === host.history.length &&
      last.state === host.run.state,
    "the history has no gap and ends with the state",
  );
}

function checkSteps(host: HostTables, decision: Decision): void {
  for (const attempt of decision.attempts) {
    if (attempt.verdict !== "succeeded") continue;
    must(
      host.attempts.filter((row) => row.stepRunId === attempt.stepRunId && row.verdict === "succeeded")
        .length <= 1,
      "no step run succeeds twice",
    );
  }
}

/** What an unmeasured agent may be asked: to stop, to restart, and what its drives do (docs/attestation.md). */
const ofAnybody: ReadonlySet<string> = new Set(["none", "abort", "restart", "look"]);

function checkCommanded(world: World, view: HostView, { run }: HostTables): void {
  const { agent } = world.machine;
  const policy = view.reclamation?.policy ?? view.site.policy;
  if (policy.attestation !== "required" || agent?.hostile !== true || agent.epoch !== run.bootEpoch) return;
  world.seen.add("a tenant's system waits to be measured");
  must(
    run.command === null || run.commandEpoch !== agent.epoch || ofAnybody.has(run.command.kind),
    "no work goes to an agent that was not measured",
  );
}

/** Without the journal an agent would resend what may still run, and forget the tenant's data that it must find gone. */
function checkJournal(host: HostTables, { run: { command } }: Decision): void {
  if (command?.kind !== "execute" || command.attempt === 1) return;
  const written = host.attempts
    .filter((row) => row.stepRunId === command.stepRunId && row.attempt < command.attempt)
    .flatMap((row) => row.journal);
  must(
    command.journal.length > 0 || written.length === 0,
    "a later attempt gets the journal of those before it",
  );
}

function checkEnd(
  world: World,
  before: BeforeCommit,
  view: HostView,
  instanceId: string,
  deleted: boolean,
): void {
  must(before.openInstances.includes(instanceId), "an instance ends exactly once");
  must(
    isClaimable(view.run.state) || openDebts(world).some((debt) => debt.instanceId === instanceId),
    "what an instance leaves is a debt, unless it never got its host",
  );
  must(
    deleted || [...world.machine.ports.values()].every((port) => port.network !== "tenant"),
    "an instance ends only when its network is gone",
  );
  world.seen.add("instance ended");
}
