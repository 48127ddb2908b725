// One run of the property test: a world, two controllers, and a sequence of events, each chosen by one number.
import { handlerOf as builtIn } from "@/server/controller/handlers";
import { topLevel } from "@/server/domain/lifecycle/states";
import {
  agentWorks,
  commandOf,
  honest,
  hostileRegistration,
  poll,
  secondRegistration,
} from "@/server/controller/testing/model/agent";
import {
  askForDrains,
  asksForDrains,
  assuranceActs,
  drain,
  signOff,
} from "@/server/controller/testing/model/assurance";
import { runController, stepController } from "@/server/controller/testing/model/controllers";
import type { HandlerOf, ModelController } from "@/server/controller/testing/model/controllers";
import { outage, setClock } from "@/server/controller/testing/model/gap";
import {
  advance,
  eraseEndMs,
  foreignWrite,
  restart,
  tenantWrites,
} from "@/server/controller/testing/model/machine";
import { acknowledge, applyNetwork, networkPending } from "@/server/controller/testing/model/network";
import {
  ask,
  askDecommission,
  askPower,
  changePolicy,
  changeSku,
  claimHost,
  clearMaintenance,
  fitBmc,
  fitHidden,
  fitMissing,
  fitNameless,
  interruptCleaning,
  plainIntents,
  releaseInstance,
  setMaintenance,
  setPriority,
  exceptGate,
  stateDisposition,
  strayTenancy,
  workOnHidden,
} from "@/server/controller/testing/model/people";
import {
  afterRestore,
  backUp,
  checkStopped,
  lookAtDatabase,
  restoreBackup,
} from "@/server/controller/testing/model/restore";
import { endLease, holdLease, takeLease } from "@/server/controller/testing/model/leases";
import { sweep } from "@/server/controller/testing/model/calls";
import { copyOf } from "@/server/controller/testing/model/copy";
import { must } from "@/server/controller/testing/model/violation";
import {
  enroll,
  lies,
  newId,
  newWorld,
  openInstance,
  storeSignal,
} from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const second = 1_000;
const minute = 60 * second;

interface Explorer {
  readonly world: World;
  readonly a: ModelController;
  readonly b: ModelController;
  readonly handlerOf: HandlerOf;
}

const controller = (world: World): ModelController => ({ id: newId(world), phase: { kind: "idle" } });

/** Does what would come next if nothing went wrong, then runs the first controller. */
function progress(explorer: Explorer, choice: number): void {
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
  // The waiting firmware asks again.
  if (machine.waiting) advance(world, 1);
  if (
    machine.agent !== null &&
    (machine.agent.epoch === null || machine.agent.working !== null || commandOf(world) !== null)
  ) {
    // Sometimes an erase takes its time, and anything may happen meanwhile.
    if (atWork(world) || commandOf(world)?.kind === "look")
      advance(world, Math.max(1, eraseEndMs(machine) - world.nowMs));
    agentWorks(world, { ...honest, eraseMs: choice % 4 === 2 ? 20 * minute : 0 });
    if (atWork(world) && choice % 4 !== 2) {
      advance(world, Math.max(1, eraseEndMs(machine) - world.nowMs));
      agentWorks(world, honest);
    }
  } else if (networkPending(world)) applyNetwork(world, 2, false, false);
  else if (!person(world, choice)) {
    if (host.run.dueAtMs !== null) advance(world, Math.max(1, host.run.dueAtMs - world.nowMs));
    else sweep(world, new Set());
  }
}

const atWork = (world: World): boolean =>
  world.machine.agent !== null && world.machine.agent.working !== null;

/** What a person would do for a host that waits for one. */
function person(world: World, choice: number): boolean {
  const state = world.host?.run.state;
  if (state === undefined) return false;
  if (state === "Enroll") ask(world, "manage", false);
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

/** Drives are swapped only before the inventory is compared, or while a retry would compare it again: nothing could show a swap at another time. */
function drivesMayChange(world: World): boolean {
  const run = world.host?.run;
  if (run === undefined) return true;
  const place = topLevel(run.state);
  return (
    place === "Assigned" ||
    place === "WaitingForCleanup" ||
    ((place === "Failed" || place === "Manageable" || place === "Enroll") &&
      (run.context.proven.sku === null || run.state === "Failed/MachineValidation"))
  );
}

function changeDrive(world: World, choice: number): void {
  const drive = world.machine.drives[choice % world.machine.drives.length];
  if (drive === undefined) return;
  const what = Math.floor(choice / 4) % 5;
  if (what <= 1) {
    if (drive.erasing === null && drivesMayChange(world)) {
      drive.present = !drive.present;
      world.machine.touched = true;
    }
  } else drive.behaviour = (["honest", "fails", "keeps"] as const)[what - 2] ?? "honest";
}

/** The agent goes with the host; an erase in progress continues. */
function deleteAndEnroll(world: World, explorer: Explorer): void {
  ask(world, "forceDelete", false);
  runController(world, explorer.a, explorer.handlerOf);
  if (world.host !== null) return;
  Object.assign(world.machine, { agent: null, waiting: false });
  if (eraseEndMs(world.machine) > world.nowMs) world.seen.add("enrolled again during an erase");
  enroll(world);
  world.seen.add("enrolled again");
}

const waits = [second, 20 * second, 61 * second, 4 * minute, 31 * minute, 91 * minute, 5 * 60 * minute];

type Happening = (explorer: Explorer, choice: number) => void;

/** Each event with its frequency in percent. */
const happenings: readonly (readonly [number, Happening])[] = [
  [40, progress],
  [5, ({ world, a, handlerOf }) => void stepController(world, a, handlerOf)],
  [5, ({ world, b, handlerOf }) => void stepController(world, b, handlerOf)],
  [2, ({ world, b, handlerOf }) => runController(world, b, handlerOf)],
  [3, (explorer) => standStill(explorer)],
  [4, ({ world }, choice) => ask(world, plainIntents[choice % 4] ?? "manage", choice % 3 === 0)],
  [4, ({ world }, choice) => interruptCleaning(world, choice)],
  [2, ({ world }, choice) => askPower(world, choice)],
  [
    1,
    ({ world }, choice) =>
      choice % 3 === 0 ? exceptGate(world, Math.floor(choice / 3)) : everything(world, choice),
  ],
  [2, ({ world }, choice) => (choice % 2 === 0 ? claimHost(world) : releaseInstance(world))],
  [
    1,
    ({ world }, choice) =>
      choice % 3 === 0
        ? askDecommission(world, choice % 2 === 0)
        : strayTenancy(world, choice % 2 === 0 ? "release" : "assign"),
  ],
  [
    4,
    ({ world }, choice) =>
      agentWorks(world, { ...honest, lie: lies[choice % lies.length] ?? null, flaw: choice % 4 }),
  ],
  [
    4,
    ({ world }, choice) =>
      agentWorks(world, {
        ...honest,
        eraseMs: [0, 20 * minute, 3 * 60 * minute][choice % 3] ?? 0,
        silent: choice % 5 === 0,
      }),
  ],
  [
    4,
    ({ world }, choice) => {
      advance(world, waits[choice % waits.length] ?? second);
      if (choice % 3 !== 0) poll(world);
    },
  ],
  [2, ({ world }, choice) => gap(world, choice)],
  [2, ({ world }, choice) => crash(world, choice)],
  [2, ({ world }, choice) => dieErasing(world, choice)],
  [
    3,
    ({ world }, choice) =>
      void world.machine.faults.push(
        choice % 3 === 0 ? "failed" : choice % 3 === 1 ? "lostBefore" : "lostAfter",
      ),
  ],
  [2, ({ world }, choice) => changeDrive(world, choice)],
  [
    1,
    ({ world }, choice) =>
      void world.machine.listingFaults.push(
        (["error", "short", "unnamed", "one serial"] as const)[choice % 4] ?? "error",
      ),
  ],
  [2, (explorer, choice) => kill(explorer, choice)],
  [1, ({ world }, choice) => (choice % 4 === 3 ? setBmcClockBack(world) : sweep(world, new Set()))],
  [
    1,
    ({ world }, choice) =>
      choice % 3 === 1
        ? restoreBackup(world)
        : choice % 3 === 2
          ? backUp(world)
          : takeLease(world, Math.floor(choice / 3)),
  ],
  [2, ({ world }, choice) => changePolicy(world, choice)],
  [
    2,
    ({ world }, choice) => (asksForDrains(world) ? assuranceActs(world, choice) : setPriority(world, choice)),
  ],
  [1, ({ world }, choice) => changeSku(world, choice)],
  [2, ({ world }, choice) => (choice % 2 === 0 ? setMaintenance(world) : clearMaintenance(world, choice))],
  [1, ({ world }, choice) => foreignWrite(world, choice)],
  // One row for both: how often runs reach `Ready` depends on which events the generator's largest numbers select, and another row would shift them all.
  [
    1,
    ({ world }, choice) =>
      choice % 2 === 0
        ? stateDisposition(world, Math.floor(choice / 2))
        : exceptGate(world, Math.floor(choice / 2)),
  ],
  [1, ({ world }, choice) => (choice % 2 === 0 ? void secondRegistration(world) : staleRegistration(world))],
  [1, ({ world }) => hostileRegistration(world)],
  [2, ({ world }, choice) => signalsGoAstray(world, choice)],
  [1, ({ world }, choice) => applyNetwork(world, 1 + (choice % 2), choice % 3 === 0, choice % 5 === 0)],
  [
    1,
    (explorer, choice) =>
      choice % 3 === 0 ? deleteAndEnroll(explorer.world, explorer) : strayAck(explorer.world, choice),
  ],
];
const table: readonly Happening[] = happenings.flatMap(([weight, happening]) =>
  Array.from({ length: weight }, () => happening),
);

/** An impatient person, or late requests: several intents before the controller reads one. */
function everything(world: World, choice: number): void {
  for (const intent of ["retry", "restart", "manage", "provide"] as const)
    if (choice % 2 === 0 || intent === "manage" || intent === "provide") ask(world, intent, true);
}

/** The second controller claims the host and pauses right before it asks for a permit, until something lets it continue. */
function standStill({ world, b, handlerOf }: Explorer): void {
  for (let steps = 0; steps < 3 && b.phase.kind !== "effects"; steps += 1)
    stepController(world, b, handlerOf);
}

/** An operator or time server sets the database's clock, or Reclaim is away. */
function gap(world: World, choice: number): void {
  const ms = waits[choice % waits.length] ?? minute;
  if (choice % 3 === 0) outage(world, ms);
  else setClock(world, choice % 3 === 1 ? ms : -ms);
}

/** By a time server, or because somebody replaced the BMC's battery. */
function setBmcClockBack(world: World): void {
  world.machine.clockBackMs += 60 * minute;
  world.seen.add("the BMC's clock was set back");
}

function crash(world: World, choice: number): void {
  // A machine that loses power loses the agent of an erase, not the erase.
  if (choice % 2 === 0) world.machine.agent = null;
  else if (eraseEndMs(world.machine) <= world.nowMs) restart(world);
}

/** The agent begins a long erase and dies; the drives continue. */
function dieErasing(world: World, choice: number): void {
  agentWorks(world, { ...honest, eraseMs: 3 * 60 * minute, silent: choice % 3 === 0 });
  world.machine.agent = null;
}

function kill(explorer: Explorer, choice: number): void {
  const { world } = explorer;
  const killed = choice % 2 === 0 ? explorer.a : explorer.b;
  if (choice % 3 !== 0) sweep(world, new Set([killed.id]));
  Object.assign(killed, controller(world));
}

/** An agent of an earlier boot asks once more, with that boot's token. */
function staleRegistration(world: World): void {
  const { machine, host } = world;
  if (machine.agent === null && host !== null && host.run.bootEpoch > 1)
    machine.agent = { epoch: null, tokenEpoch: host.run.bootEpoch - 1, finished: new Set(), working: null };
  agentWorks(world, honest);
}

function signalsGoAstray(world: World, choice: number): void {
  const host = world.host;
  if (host === null) return;
  const row = host.signals[choice % Math.max(1, host.signals.length)];
  if (choice % 3 === 0 || row === undefined)
    for (const signal of world.late.splice(0)) storeSignal(host, world, signal);
  else if (choice % 3 === 1) storeSignal(host, world, row.signal);
  else {
    host.signals = host.signals.filter((known) => known !== row);
    if (choice % 2 === 0) world.late.push(row.signal);
  }
}

function strayAck(world: World, choice: number): void {
  const wanted = world.host?.run.context.network;
  if (wanted != null)
    acknowledge(
      world,
      "dpu0",
      wanted.wanted.version - (choice % 2),
      choice % 2 === 0 ? "0".repeat(64) : (wanted.sha256 ?? ""),
      "terminated",
    );
}

interface Beginnings {
  /** A host just enrolled; one in a tenant's hands, with the tenant's bytes; and one on its way back. */
  readonly usual: readonly World[];
  /** A clean host in maintenance with a drive that no agent reads; somebody wrote to that drive and restarted the host. */
  readonly worked: World;
}

function beginnings(): Beginnings {
  const fresh = newWorld();
  const explorer = { world: newWorld(), handlerOf: builtIn };
  const full: Explorer = { ...explorer, a: controller(explorer.world), b: controller(explorer.world) };
  const reach = (state: string): World => {
    for (let steps = 0; explorer.world.host?.run.state !== state; steps += 1) {
      if (steps > 200)
        throw new Error(
          `the model does not reach ${state}; it is in ${explorer.world.host?.run.state ?? "no host"}: ${explorer.world.host?.run.lastError ?? ""}`,
        );
      progress(full, 3);
    }
    explorer.world.seen.clear();
    return copyOf(explorer.world);
  };
  const ready = reach("Ready");
  const used = reach("Assigned/Ready");
  tenantWrites(used);
  const cleaning = reach("WaitingForCleanup/HostCleanup");
  reach("Ready");
  const usedAgain = reach("Assigned/Ready");
  tenantWrites(usedAgain);
  fitHidden(explorer.world);
  // A BMC that reported the restart would cause everything to be erased again.
  Object.assign(explorer.world.machine, { tellsResets: false, networkFirst: true });
  setMaintenance(explorer.world);
  const worked = reach("ReturnToAllocation/AwaitingHealth");
  workOnHidden(worked);
  return { usual: [used, ready, fresh, cleaning, usedAgain], worked };
}

/** A policy other than the seeded one, also for the present reclamation. */
function beginUnder(world: World, choice: number): void {
  changePolicy(world, choice);
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
}

/** A real site whose policy does not require what Reclaim cannot check, also for the present reclamation. */
function requireNothing(world: World): void {
  const requires = {
    platformAtBaseline: false,
    attestationPassed: false,
    healthy: false,
    assuranceSigned: false,
  };
  world.policy = { ...world.policy, requires };
  for (const row of world.host?.reclamations ?? []) row.view = { ...row.view, policy: world.policy };
}

let known: Beginnings | null = null;

/** What a run reached. Throws a `Violation` if a promise is broken. `told` gets the world after each event, for reading a counterexample. */
export function explore(
  numbers: readonly number[],
  handlerOf: HandlerOf = builtIn,
  told?: (world: World, happening: number) => void,
): ReadonlySet<string> {
  known ??= beginnings();
  const [first = 0, ...rest] = numbers;
  const isWorked = first % 64 === 43;
  const world = copyOf(isWorked ? known.worked : (known.usual[first % known.usual.length] ?? newWorld()));
  // Mostly a demo site: elsewhere gates that are not implemented hold every host, unless the site does not require them.
  world.demo = first % 32 < 30;
  if (first % 32 === 30) requireNothing(world);
  if (first % 3 === 0) beginUnder(world, Math.floor(first / 3));
  if (first % 4 === 1) fitBmc(world);
  if (first % 16 === 9) fitNameless(world);
  if (first % 32 === 13) fitMissing(world);
  if (first % 64 === 11) fitHidden(world);
  if (first % 32 === 19 || first % 32 === 22) askForDrains(world);
  // A BMC that reports no resets: the host's own restarts show only if its firmware asks the network first.
  if (first % 5 === 4) Object.assign(world.machine, { tellsResets: false, networkFirst: true });
  // Something to go back to.
  if (first % 2 === 0) backUp(world);
  const explorer: Explorer = { world, a: controller(world), b: controller(world), handlerOf };
  for (const number of rest) {
    advance(world, 7);
    const before = {
      state: world.host?.run.state,
      instance: openInstance(world)?.id,
      confirmed: world.database.confirmed,
    };
    (table[number % table.length] ?? progress)(explorer, Math.floor(number / table.length));
    if (world.host !== null) holdLease(world.host.run);
    checkStopped(world, before);
    told?.(world, number % table.length);
    must(
      !world.personMaintenance || world.host === null || world.host.run.maintenance,
      "only a person ends the maintenance that a person set",
    );
    if (openInstance(world) !== null) world.seen.add("instance");
  }
  return world.seen;
}
