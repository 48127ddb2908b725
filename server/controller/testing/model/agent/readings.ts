// What the model's agent reads from the machine: its inventory, the state and content of its drives, and its tests.
import type { Command } from "@/server/domain/agents/protocol";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { fingerprintOf, inventoryOf } from "@/server/controller/testing/hardware";
import type { Fingerprint } from "@/server/domain/cleaning/sanitization/content";
import { present, statusOf, visible } from "@/server/controller/testing/model/machine";
import type { Agent, Drive } from "@/server/controller/testing/model/machine-state";
import type { HostTables } from "@/server/controller/testing/model/tables";
import { storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

export function discover(world: World, host: HostTables, agent: Agent, command: string, flaw: number): void {
  host.agentInventory = {
    bootEpoch: agent.epoch ?? 0,
    collectedMs: world.nowMs,
    body: found(world, flaw === 1 ? 1 : 0),
  };
  host.run.evidenceSeq += 1;
  storeSignal(host, world, { kind: "discovery", payload: { bootEpoch: agent.epoch ?? 0, command } });
}

export function look(world: World, host: HostTables, agent: Agent, command: string): void {
  const drives = visible(world.machine).map((drive) => {
    const state = statusOf(drive);
    if (state === "unknown") world.seen.add("a status that nobody knows");
    return {
      serial: drive.device.serial,
      state,
      status: "",
      remainingMs: state === "idle" ? 0 : null,
    };
  });
  host.run.evidenceSeq += 1;
  world.seen.add("looked at the drives");
  storeSignal(host, world, {
    kind: "drives",
    payload: { bootEpoch: agent.epoch ?? 0, command, busy: false, drives },
  });
}

export function validate(
  world: World,
  host: HostTables,
  agent: Agent,
  command: Extract<Command, { kind: "validate" }>,
  flaw: number,
): void {
  const time = new Date(world.nowMs).toISOString();
  const results = command.tests.map((name, index) => ({
    name,
    result:
      index === 0 && flaw === 1
        ? ("failed" as const)
        : index === 0 && flaw === 2
          ? ("skipped" as const)
          : ("passed" as const),
    message: "",
    startedAt: time,
    endedAt: time,
  }));
  const tests = flaw === 3 ? results.slice(1) : results;
  const reclamation = host.reclamations.find((row) => !row.ended);
  if (reclamation !== undefined)
    world.machine.passed.set(
      reclamation.view.id,
      tests.filter((test) => test.result === "passed").map((test) => test.name),
    );
  host.run.evidenceSeq += 1;
  storeSignal(host, world, {
    kind: "validation",
    payload: {
      bootEpoch: agent.epoch ?? 0,
      command: command.id,
      tests,
      ...(command.fingerprint === undefined
        ? {}
        : {
            content: visible(world.machine).map((drive) => ({
              serial: drive.device.serial,
              model: drive.device.model,
              fingerprint: contentOf(drive),
            })),
          }),
    },
  });
}

/** What the agent finds. @param overlooked how many drives it does not see */
export function found({ machine, seen }: World, overlooked = 0): HardwareInventory {
  const inventory = inventoryOf(
    visible(machine)
      .slice(overlooked)
      .map(({ device }) => device),
  );
  const nameless = present(machine).filter((drive) => drive.nameless);
  if (nameless.length === 0) return inventory;
  seen.add("the agent cannot name a drive");
  const unnamed = nameless.map(({ device: { model, media, transport, capacityBytes } }, index) => ({
    ...{ model, media, transport, capacityBytes, removable: false },
    serial: "",
    place: `pci-0000:0${index}:00.0`,
  }));
  return { ...inventory, unnamed };
}

/** What an agent reads from the drive now. */
export const contentOf = (drive: Drive): Fingerprint => fingerprintOf(drive.device, drive.bytes.join(" "));
