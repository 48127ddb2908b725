// What must hold after every commit, judged by what the model's machine really holds and not by the gates.
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/host-record/view";
import { isFailed, topLevel } from "@/server/domain/lifecycle/states";
import { gateNames } from "@/server/domain/gates/gate-names";
import { isClean, isTenants, present } from "@/server/controller/testing/model/machine";
import { must } from "@/server/controller/testing/model/violation";
import { openInstance, openDebts } from "@/server/controller/testing/model/world";
import type {
  DebtRow,
  Drive,
  HostTables,
  ReclamationRow,
  World,
} from "@/server/controller/testing/model/world";

export interface BeforeCommit {
  readonly host: HostTables | null;
  readonly debts: readonly DebtRow[];
  readonly openInstances: readonly string[];
}

export function checkCommit(world: World, before: BeforeCommit, view: HostView, decision: Decision): void {
  const host = before.host;
  if (host === null) return;
  checkHistory(host);
  checkSteps(host, decision);
  notePlan(world, view, decision);
  checkJournal(host, decision);
  if (decision.endInstance !== null) checkEnd(world, before, decision.endInstance, decision.deleteHost);
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
  if (readyIndex >= 0) checkReady(world, before, host, view, decision);
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

function checkEnd(world: World, before: BeforeCommit, instanceId: string, deleted: boolean): void {
  must(before.openInstances.includes(instanceId), "an instance ends exactly once");
  must(
    openDebts(world).some((debt) => debt.instanceId === instanceId),
    "what an instance leaves is a debt",
  );
  must(
    deleted || [...world.machine.ports.values()].every((port) => port.network !== "tenant"),
    "an instance ends only when its network is gone",
  );
  world.seen.add("instance ended");
}

function checkReady(
  world: World,
  before: BeforeCommit,
  host: HostTables,
  view: HostView,
  decision: Decision,
): void {
  const { machine } = world;
  // The reclamation that led there: the one that the host had, or one begun in this decision.
  const reclamation = host.reclamations.find(
    (row) =>
      row.outcome === "ready" &&
      (row.view.id === view.reclamation?.id || row.view.id === decision.reclamation?.row.id),
  );
  must(reclamation !== undefined && reclamation.ended, "the reclamation of a Ready host ended ready");
  if (reclamation === undefined) return;
  const id = reclamation.view.id;
  must(reclamation.view.kind !== "decommission", "a host that leaves the fleet does not become Ready");
  must(
    decision.run.state !== "Ready" || host.run.reclamationId === id,
    "a Ready host names the reclamation that proved it",
  );
  must(reclamation.gates.length === gateNames.length, "every gate of a Ready host is recorded");
  checkImplemented(world, host, reclamation);
  const excepted = checkExceptions(world, reclamation, view.nowMs);
  must(openInstance(world) === null, "no instance is on a Ready host");
  must(openDebts(world).length === 0, "no debt stands on a Ready host");
  must(!host.run.maintenance, "a host in maintenance does not become Ready");
  for (const drive of present(machine))
    must(
      isClean(drive) ||
        excepted.has(drive.device.serial) ||
        (!isTenants(drive) && (skippedCleaning(view, decision) || mayKeep(world, before, id, drive))),
      `no tenant byte is on ${drive.device.serial} of a Ready host`,
    );
  checkBesidesDrives(world, excepted);
  checkTests(world, reclamation);
  const skipped = skippedCleaning(view, decision);
  const looked = reclamation.view.kind === "recheck" && !reclamation.view.planMade;
  must(
    !skipped ||
      ((reclamation.view.kind === "onboarding" || reclamation.view.kind === "recheck") &&
        before.debts.length === 0),
    "cleaning is left out only by a host that owes nothing",
  );
  if (!skipped && !looked) checkCleaned(world, before, host, id, excepted);
  if (excepted.size > 0) world.seen.add("Ready, by an exception");
  world.seen.add(
    skipped
      ? "Ready, not cleaned"
      : looked
        ? "Ready, looked at again"
        : before.debts.length > 0
          ? "Ready after a tenant"
          : "Ready, cleaned",
  );
}

function checkBesidesDrives({ machine }: World, excepted: ReadonlySet<string>): void {
  must(
    !machine.memory.tenant || excepted.has("memoryOverwritten"),
    "no tenant byte is in the memory of a Ready host",
  );
  must(
    !machine.infiniband.tenant || excepted.has("infinibandClean"),
    "the tenant's InfiniBand configuration is gone from a Ready host",
  );
  for (const [name, port] of machine.ports)
    must(
      port.network === "admin" && port.services !== "running",
      `${name} of a Ready host is on the admin network`,
    );
}

const neverExcepted = [
  "instanceReleased",
  "tenantNetworkReleased",
  "adminNetworkSynced",
  "extensionServicesTerminated",
  "healthy",
  "inventoryMatches",
  "validationPassed",
];

/** Checks that every gate of a Ready host is proven, not required, or excepted by two people. Returns the excepted gates and drives. */
function checkExceptions(world: World, { gates, view }: ReclamationRow, nowMs: number): ReadonlySet<string> {
  must(
    gates.every(({ status }) => status !== "unsatisfied"),
    "no gate of a Ready host is unsatisfied",
  );
  const found = new Set<string>();
  for (const { gate } of gates.filter(({ status }) => status === "excepted")) {
    must(!neverExcepted.includes(gate), `${gate} is never excepted`);
    const own = world.exceptions.filter(
      (each) =>
        // A step that stopped at a drive is covered by the drive's exception.
        (each.gate === gate || (gate === "cleanupCompleted" && each.gate === "storageSanitized")) &&
        each.reclamationId === view.id &&
        each.planEpoch === view.planEpoch &&
        each.validUntilMs > nowMs,
    );
    must(own.length > 0, `an exception stands for ${gate} of a Ready host`);
    if (gate !== "storageSanitized") found.add(gate);
    for (const { device } of own) if (device !== null) found.add(device.serial);
  }
  return found;
}

/** Checks that nothing of a tenant leaves with the machine, whatever the settings, and that it is gone from Reclaim. */
function checkDecommissioned(world: World, before: BeforeCommit, host: HostTables, decision: Decision): void {
  const reclamation = host.reclamations.find((row) => row.outcome === "decommissioned");
  must(reclamation?.view.kind === "decommission", "only a decommission ends decommissioned");
  must(decision.deleteHost && world.host === null, "a decommissioned host is no host any more");
  must(openInstance(world) === null, "no instance is on a decommissioned host");
  must(openDebts(world).length === 0, "no debt stands on a decommissioned host");
  const { touched, context } = decision.run;
  must(!touched && context.cleaning.voided === undefined, "nobody touched it since it was proven");
  for (const drive of present(world.machine)) {
    must(isClean(drive), `nothing is on ${drive.device.serial} of a decommissioned host`);
    must(
      drive.erasedIn === reclamation?.view.id,
      `${drive.device.serial} was erased in the reclamation that led out of the fleet`,
    );
  }
  must(!world.machine.memory.tenant, "no tenant byte is in the memory of a decommissioned host");
  must(
    world.machine.memory.overwrittenIn === reclamation?.view.id,
    "memory was overwritten in the reclamation that led out of the fleet",
  );
  must(
    !world.machine.infiniband.tenant,
    "the tenant's InfiniBand configuration is gone from a decommissioned host",
  );
  for (const [name, port] of world.machine.ports)
    must(port.network === "quarantine", `${name} of a decommissioned host is quarantined`);
  world.seen.add(before.debts.length > 0 ? "decommissioned after a tenant" : "decommissioned");
}

/** Checks that what cannot be checked holds a host back, unless the site is a demo or its policy does not require it. */
function checkImplemented({ demo }: World, host: HostTables, reclamation: ReclamationRow): void {
  const { gates, view } = reclamation;
  checkSigned(host, reclamation);
  const missing = gates.filter(({ status }) => status === "not implemented");
  must(
    demo || missing.length === 0,
    "a site that is not a demo gets no host past gates that are not implemented",
  );
  // The policy names procedures explicitly: without any there is nothing to sign (docs/adr/0102-approvals-and-procedures.md).
  const required = Object.entries(view.policy.requires).flatMap(([gate, isRequired]) =>
    isRequired && (gate !== "assuranceSigned" || asksForProcedures(view)) ? [gate] : [],
  );
  for (const { gate, status } of gates)
    must(
      status !== "not required" || !required.includes(gate),
      `${gate}, which the site requires, is not left out`,
    );
}

/** A recheck cleans nothing and asks for no procedures. */
const asksForProcedures = ({ policy, kind, planMade }: ReclamationRow["view"]): boolean =>
  policy.procedures.length > 0 && !(kind === "recheck" && !planMade);

function checkSigned(host: HostTables, { view, gates }: ReclamationRow): void {
  // `checkExceptions` verifies that two people let it through.
  if (gates.some(({ gate, status }) => gate === "assuranceSigned" && status === "excepted")) return;
  const isSigned = host.records.some(
    (row) => row.reclamationId === view.id && row.decision === "approved" && !row.voided,
  );
  must(
    isSigned || !view.policy.requires.assuranceSigned || !asksForProcedures(view),
    "the procedures of a Ready host were signed off in its reclamation",
  );
}

const disabledFor = (world: World, before: BeforeCommit, reclamationId: string): ReadonlySet<string> =>
  before.debts.length > 0 ? new Set() : (world.disabledIn.get(reclamationId) ?? new Set());

/** Someone has set that drives like this one are not erased, and nothing is owed, so what is on it belongs to no tenant. */
const mayKeep = (
  world: World,
  before: BeforeCommit,
  reclamationId: string,
  { device, hidden }: Drive,
): boolean =>
  disabledFor(world, before, reclamationId).has(
    hidden
      ? "raid.secure_erase_drives"
      : device.transport === "nvme"
        ? "deploy.erase_nvme"
        : "deploy.erase_disks",
  );

const skippedCleaning = (view: HostView, decision: Decision): boolean =>
  view.run.context.proven.cleaningSkipped || decision.run.context.proven.cleaningSkipped;

function checkTests(world: World, { view }: ReclamationRow): void {
  const passed = world.machine.passed.get(view.id) ?? [];
  for (const test of view.policy.validationTests)
    must(passed.includes(test), `the test ${test} passed in this reclamation`);
}

/** Checks that everything was done in this reclamation, on every drive known to the BMC or a debt. */
function checkCleaned(
  world: World,
  before: BeforeCommit,
  host: HostTables,
  reclamationId: string,
  excepted: ReadonlySet<string>,
): void {
  const { machine } = world;
  // With a debt nothing may be left out, whatever the settings.
  const disabled = disabledFor(world, before, reclamationId);
  if (disabled.size > 0) world.seen.add("Ready, a step disabled");
  if (present(machine).some(({ hidden }) => hidden))
    world.seen.add("Ready, with a drive that no agent reads");
  const known = new Set([
    ...(host.bmcInventory ?? []).map((device) => device.serial),
    ...before.debts.flatMap((debt) => debt.driveSerials),
  ]);
  for (const drive of machine.drives) {
    const { serial } = drive.device;
    // Two people may have stated what became of it, and answer for that (docs/adr/0023-drive-dispositions.md).
    const said = world.dispositions.some(({ key, signature }) => key === serial && signature === "signed");
    if (known.has(serial) && !said) must(drive.present, `the known drive ${serial} of a Ready host is in it`);
    if (drive.present)
      must(
        drive.erasedIn === reclamationId ||
          excepted.has(serial) ||
          mayKeep(world, before, reclamationId, drive),
        `${serial} was erased in the reclamation that led to Ready`,
      );
  }
  must(
    machine.memory.overwrittenIn === reclamationId ||
      machine.memory.drainedIn === reclamationId ||
      disabled.has("deploy.verify_mem_overwrite") ||
      excepted.has("memoryOverwritten"),
    "memory was overwritten in the reclamation that led to Ready",
  );
  if (machine.memory.overwrittenIn !== reclamationId && machine.memory.drainedIn === reclamationId)
    world.seen.add("Ready, drained");
  const planned = (step: string): boolean =>
    host.steps.some(
      (row) =>
        row.reclamationId === reclamationId && row.view.step === step && row.view.status === "succeeded",
    );
  must(
    !planned("recommit") || machine.bios.appliedIn === reclamationId,
    "the BIOS settings that a plan wrote are in force after a restart",
  );
  must(
    machine.infiniband.resetIn === reclamationId ||
      disabled.has("deploy.reset_infiniband") ||
      excepted.has("infinibandClean"),
    "InfiniBand was reset in the reclamation that led to Ready",
  );
}
