// What goes wrong in a run: drives change, processes and agents die, messages are lost, late or doubled.
import { topLevel } from "@/server/domain/lifecycle/states";
import { minute } from "@/server/controller/testing/host-view";
import { agentWorks } from "@/server/controller/testing/model/agent/agent";
import { honest } from "@/server/controller/testing/model/agent/work";
import { sweep } from "@/server/controller/testing/model/calls";
import { controller } from "@/server/controller/testing/model/exploration/explorer";
import type { Explorer } from "@/server/controller/testing/model/exploration/explorer";
import type { Drive } from "@/server/controller/testing/model/machine-state";
import { restart, survivesReset } from "@/server/controller/testing/model/machine";
import { acknowledge } from "@/server/controller/testing/model/network";
import { openInstance, storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

/** Drives are swapped only before the inventory is compared, or while a retry would compare it again: nothing could show a swap at another time. */
function drivesMayChange(world: World, drive: Drive): boolean {
  const run = world.host?.run;
  if (run === undefined) return true;
  const place = topLevel(run.state);
  return (
    place === "Assigned" ||
    // A drive that the BMC lists is missed at the hand-over.
    (run.state === "Ready" && !drive.nameless && openInstance(world) === null) ||
    place === "WaitingForCleanup" ||
    ((place === "Failed" || place === "Manageable" || place === "Enroll") &&
      (run.context.proven.sku === null || run.state === "Failed/MachineValidation"))
  );
}

export function changeDrive(world: World, choice: number): void {
  const drive = world.machine.drives[choice % world.machine.drives.length];
  if (drive === undefined) return;
  const what = Math.floor(choice / 4) % 7;
  if (what <= 1) {
    if (drive.erasing === null && drivesMayChange(world, drive)) {
      drive.present = !drive.present;
      world.machine.touched = true;
      if (world.host?.run.state === "Ready") world.seen.add("a drive changed while Ready");
    }
  } else if (what <= 4) {
    drive.behaviour = (["honest", "fails", "keeps"] as const)[what - 2] ?? "honest";
    drive.says = "truth";
  } else drive.says = what === 5 ? "idle" : "running";
}

export function crash(world: World, choice: number): void {
  // A machine that loses power loses the agent of an erase, not the erase.
  if (choice % 2 === 0) world.machine.agent = null;
  else if (survivesReset(world)) restart(world);
}

/** The agent begins a long erase and dies; the drives continue. */
export function dieErasing(world: World, choice: number): void {
  agentWorks(world, { ...honest, eraseMs: 3 * 60 * minute, silent: choice % 3 === 0 });
  world.machine.agent = null;
}

export function kill(explorer: Explorer, choice: number): void {
  const { world } = explorer;
  const killed = choice % 2 === 0 ? explorer.a : explorer.b;
  if (choice % 3 !== 0) sweep(world, new Set([killed.id]));
  Object.assign(killed, controller(world));
}

/** An agent of an earlier boot asks once more, with that boot's token. */
export function staleRegistration(world: World): void {
  const { machine, host } = world;
  if (machine.agent === null && host !== null && host.run.bootEpoch > 1)
    machine.agent = { epoch: null, tokenEpoch: host.run.bootEpoch - 1, finished: new Set(), working: null };
  agentWorks(world, honest);
}

export function signalsGoAstray(world: World, choice: number): void {
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

export function strayAck(world: World, choice: number): void {
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
