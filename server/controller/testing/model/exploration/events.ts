// Everything that may happen in a run, each with its frequency.
import { minute } from "@/server/controller/testing/host-view";
import { agentWorks, poll } from "@/server/controller/testing/model/agent/agent";
import {
  hostileRegistration,
  secondRegistration,
} from "@/server/controller/testing/model/agent/registration";
import { honest, lies } from "@/server/controller/testing/model/agent/work";
import { asksForDrains, assuranceActs } from "@/server/controller/testing/model/assurance";
import { attestationActs, requiresAttestation } from "@/server/controller/testing/model/attestation";
import { sweep } from "@/server/controller/testing/model/calls";
import { runController, stepController } from "@/server/controller/testing/model/controllers";
import type { Explorer } from "@/server/controller/testing/model/exploration/explorer";
import {
  changeDrive,
  crash,
  dieErasing,
  kill,
  signalsGoAstray,
  staleRegistration,
  strayAck,
} from "@/server/controller/testing/model/exploration/mishaps";
import { progress } from "@/server/controller/testing/model/exploration/progress";
import { outage, setClock } from "@/server/controller/testing/model/gap";
import { takeLease } from "@/server/controller/testing/model/leases";
import {
  advance,
  askFrom,
  eraseEndMs,
  foreignWrite,
  stepBmcClock,
} from "@/server/controller/testing/model/machine";
import { applyNetwork } from "@/server/controller/testing/model/network";
import { enroll } from "@/server/controller/testing/model/new-world";
import { exceptGate, stateDisposition } from "@/server/controller/testing/model/people/approvals";
import {
  ask,
  askDecommission,
  askPower,
  interruptCleaning,
  plainIntents,
} from "@/server/controller/testing/model/people/intents";
import { clearMaintenance, setMaintenance } from "@/server/controller/testing/model/people/maintenance";
import { changePolicy, changeSku, setPriority } from "@/server/controller/testing/model/people/settings";
import { claimHost, releaseInstance, strayTenancy } from "@/server/controller/testing/model/people/tenants";
import { backUp, restoreBackup } from "@/server/controller/testing/model/restore";
import type { World } from "@/server/controller/testing/model/world";

const second = 1_000;

const waits = [second, 20 * second, 61 * second, 4 * minute, 31 * minute, 91 * minute, 5 * 60 * minute];

type Happening = (explorer: Explorer, choice: number) => void;

/** Each event with its weight. */
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
        (["failed", "lostBefore", "lostAfter", "failed", "ignored", "lostAfter"] as const)[choice % 6] ??
          "failed",
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
  [
    1,
    ({ world }, choice) =>
      choice % 4 === 3 ? stepBmcClock(world, Math.floor(choice / 4)) : sweep(world, new Set()),
  ],
  [
    1,
    ({ world }, choice) =>
      choice % 3 === 1
        ? restoreBackup(world)
        : choice % 3 === 2
          ? backUp(world)
          : takeLease(world, Math.floor(choice / 3)),
  ],
  [
    2,
    ({ world }, choice) =>
      requiresAttestation(world) && choice % 2 === 0
        ? attestationActs(world, Math.floor(choice / 2))
        : changePolicy(world, choice),
  ],
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
  // Anything in the provisioning network may ask how the host should boot, too.
  [
    1,
    ({ world }, choice) => (
      hostileRegistration(world),
      askFrom(world, choice % 2 === 0 ? "inside" : "outside")
    ),
  ],
  [2, ({ world }, choice) => signalsGoAstray(world, choice)],
  [1, ({ world }, choice) => applyNetwork(world, 1 + (choice % 2), choice % 3 === 0, choice % 5 === 0)],
  [
    1,
    (explorer, choice) =>
      choice % 3 === 0 ? deleteAndEnroll(explorer.world, explorer) : strayAck(explorer.world, choice),
  ],
];
export const table: readonly Happening[] = happenings.flatMap(([weight, happening]) =>
  Array.from({ length: weight }, () => happening),
);

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
