// Two controllers that work on one host in micro steps: each may stop for any time between claim, commit, permit, request and settlement.
import { provesRestarts, resetMarkMoved, type MarkReading } from "@/server/domain/hosts/reset-mark";
import { networkWanted } from "@/server/domain/hosts/network/network-protocol";
import { decide } from "@/server/controller/decide/decide";
import type { DecideOptions } from "@/server/controller/decide/decide";
import type { Decision } from "@/server/controller/host/decision";
import type { HostView } from "@/server/domain/hosts/record/view";
import { chassisSerial, systemUuid } from "@/server/controller/testing/hardware";
import { beginStep, begins, listing, progressOf } from "@/server/controller/testing/model/bmc";
import { checkCommit } from "@/server/controller/testing/model/checks/every-commit";
import type { Machine } from "@/server/controller/testing/model/machine-state";
import type { EffectRow } from "@/server/controller/testing/model/tables";
import { newId } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";
import { advance, bmcReset, resetMarkOf, stepBmcClock } from "@/server/controller/testing/model/machine";
import { effectMs, permit, settle } from "@/server/controller/testing/model/calls";
import type { Settled } from "@/server/controller/testing/model/calls";
import { claim } from "@/server/controller/testing/model/claim";
import { commit } from "@/server/controller/testing/model/commit";

type Phase =
  | { readonly kind: "idle" }
  | { readonly kind: "decided"; readonly view: HostView; readonly decision: Decision }
  | {
      readonly kind: "effects";
      readonly hostId: string;
      readonly left: readonly EffectRow[];
      readonly stage: number;
      readonly permittedMs: number | null;
    };

export interface ModelController {
  id: string;
  phase: Phase;
}

export type HandlerOf = NonNullable<DecideOptions["handlerOf"]>;

type Request = "put" | "setBoot" | "reset" | "step";

/** The requests of an effect that change something, in order; each needs a permit. */
const stages = {
  verify: [],
  readSystem: [],
  lookBoot: [],
  network: ["put"],
  bootDisk: ["setBoot", "reset"],
  bootAgent: ["setBoot", "reset"],
  step: [],
  leftovers: [],
  power: ["reset"],
} as const;

/** One micro step; false when there is nothing to do. */
export function stepController(world: World, controller: ModelController, handlerOf: HandlerOf): boolean {
  const { phase } = controller;
  if (phase.kind !== "idle") advance(world, 1);
  if (phase.kind === "idle") {
    const view = claim(world, controller.id);
    if (view === null) return false;
    controller.phase = {
      kind: "decided",
      view,
      decision: decide(view, { newId: () => newId(world), handlerOf }),
    };
  } else if (phase.kind === "decided") {
    controller.phase = finish(world, controller, phase.view, phase.decision);
  } else {
    controller.phase = carryOut(world, controller, phase);
  }
  return true;
}

function finish(world: World, controller: ModelController, view: HostView, decision: Decision): Phase {
  const before = {
    host: world.host,
    debts: world.debts.filter((debt) => debt.clearedBy === null),
    openInstances: world.instances.filter((row) => !row.ended).map((row) => row.id),
  };
  const { hostId } = view.run;
  if (!commit(world, controller.id, view, decision)) {
    world.seen.add("lost fence");
    const run = world.host?.run;
    if (
      run?.hostId === hostId &&
      String(run.generation) === view.run.generation &&
      run.leaseOwner === controller.id
    )
      Object.assign(run, { leaseOwner: null, dueAtMs: world.nowMs });
    return { kind: "idle" };
  }
  checkCommit(world, before, view, decision);
  for (const { state } of decision.entered) world.seen.add(state);
  const written = decision.effects
    .map((effect) => world.host?.effects.find((row) => row.id === effect.id))
    .filter((row): row is EffectRow => row !== undefined);
  return written.length === 0
    ? { kind: "idle" }
    : { kind: "effects", hostId, left: written, stage: 0, permittedMs: null };
}

function carryOut(
  world: World,
  controller: ModelController,
  phase: Extract<Phase, { kind: "effects" }>,
): Phase {
  const [effect, ...rest] = phase.left;
  if (effect === undefined) return { kind: "idle" };
  const over = (outcome: Settled): Phase => {
    settle(world, controller.id, phase.hostId, effect, outcome, rest.length === 0);
    return rest.length === 0 ? { kind: "idle" } : { ...phase, left: rest, stage: 0, permittedMs: null };
  };
  const requests: readonly Request[] = begins(effect)
    ? ["step"]
    : effect.kind === "power" && effect.request["look"] === true
      ? []
      : effect.kind === "power" && effect.request["network"] === true
        ? ["setBoot", "reset"]
        : isSetBoot(effect)
          ? ["setBoot"]
          : stages[effect.kind];
  const stage = requests[phase.stage];
  if (stage === undefined) return over(read(world, effect));
  if (phase.permittedMs === null) {
    if (permit(world, controller.id, phase.hostId, effect, stage === "reset", stage, resetMarkOf(world)))
      return { ...phase, permittedMs: world.nowMs };
    return over({ status: "failed", error: { kind: "refused", message: "not permitted" } });
  }
  // The request's own time limit: a process that stood still for longer no longer sends it.
  if (world.nowMs - phase.permittedMs > effectMs)
    return over({ status: "unknown", error: { kind: "unreachable", message: "no answer in time" } });
  const { faults } = world.machine;
  // As `PowerInterface.restart`: nothing is sent that could not be proven.
  if (stage === "reset" && isResetOnly(effect) && !provable(effect))
    return over({ status: "failed", error: { kind: "unsupported", message: "it cannot prove a reset" } });
  // Only a restart can be accepted and ignored.
  const fault = faults[0] === "ignored" && stage !== "reset" ? undefined : faults.shift();
  if (fault === "failed") return over({ status: "failed", error: { kind: "refused", message: "503" } });
  if (stage === "setBoot") readWithBoot(world, effect);
  if (fault === "ignored") stepBmcClock(world, world.machine.readings);
  else if (fault !== "lostBefore") send(world, effect, stage);
  if (fault !== undefined && !(fault === "ignored" && effect.kind === "bootAgent"))
    return over({ status: "unknown", error: { kind: "unreachable", message: "no answer" } });
  if (phase.stage + 1 < requests.length) return { ...phase, stage: phase.stage + 1, permittedMs: null };
  if (effect.kind === "bootAgent") return over(restarted(world, effect, fault === undefined));
  return over({
    status: "done",
    value: effect.kind === "step" ? progressOf(world, effect) : system(world),
  });
}

/** A boot reads the drives before its restart, with its first request, if it was asked to. */
function watched(world: World, found: NonNullable<ReturnType<typeof listing>>): object {
  const seen = system(world);
  world.seen.add("compared before a hand-over");
  return {
    system: seen,
    watched: {
      power: seen.power,
      drives: found.storage.map(({ serial, model }) => ({ serial, model })),
      unnamed: found.unresolved.map(({ key }) => key),
      resetMark: seen.resetMark,
      bmcTime: seen.markClock?.bmcTime ?? null,
      firmware: null,
      intrusion: null,
    },
  };
}

function readWithBoot(world: World, effect: EffectRow): void {
  const { storage } = effect.request;
  if (effect.kind !== "bootAgent" || storage === undefined) return;
  const found = listing(world);
  effect.drives = {
    storage: { of: storage, read: found === null ? null : { system: system(world), ...found } },
  };
  world.seen.add("drives read with a boot");
}

/** A person set the disk as the boot device of every boot. */
const isSetBoot = ({ kind, request }: EffectRow): boolean =>
  kind === "power" && request["intent"] === "setBoot";

function send(world: World, effect: EffectRow, stage: Request): void {
  if (stage === "put") world.machine.asked = networkWanted.parse(effect.request);
  else if (stage === "step") beginStep(world, effect);
  else if (stage === "setBoot")
    Object.assign(world.machine, {
      override: effect.kind !== "bootDisk" && !isSetBoot(effect),
      bootsDisk: isSetBoot(effect),
    });
  else bmcReset(world, effect.kind === "bootAgent" && isResetOnly(effect));
}

/** A boot that is a reset or nothing (`PowerInterface.restart`). */
const isResetOnly = ({ request }: EffectRow): boolean => request["resetOnly"] === true;

function read(world: World, effect: EffectRow): Settled {
  const { faults } = world.machine;
  if (faults[0] !== "ignored" && faults.shift() !== undefined)
    return { status: "failed", error: { kind: "unreachable", message: "no answer" } };
  if (effect.kind === "step") return { status: "done", value: progressOf(world, effect) };
  if (effect.kind === "leftovers") return { status: "done", value: [] };
  if (effect.kind !== "verify") return { status: "done", value: system(world) };
  // A BMC that leaves out just the drive that was added shows nothing.
  if (effect.request["only"] === "watch")
    world.machine.listingFaults = world.machine.listingFaults.filter((fault) => fault !== "short");
  const found = listing(world);
  if (found !== null && effect.request["only"] === "watch")
    return { status: "done", value: watched(world, found) };
  if (found === null)
    return {
      status: "failed",
      error: { kind: "failed", message: "GET /redfish/v1/Systems/1/Storage was answered 500" },
    };
  return {
    status: "done",
    value: {
      links: {},
      system: system(world),
      ...found,
      macs: ["00:11:22:33:44:55"],
      firmware: [],
      leftOut: [],
    },
  };
}

/** Whether the mark can prove a restart. */
const provable = ({ before, request }: EffectRow): boolean =>
  before !== null && request["offAndOn"] !== true && request["powerCycle"] !== true && provesRestarts(before);

/** As `PowerInterface.restart` reports it: by power off and on where the mark cannot prove it. */
function restarted(world: World, { before, drives, request }: EffectRow, happened: boolean): Settled {
  const read = system(world);
  const byMark = before !== null && request["offAndOn"] !== true && provesRestarts(before);
  if (byMark ? !resetMarkMoved(before, read) : !happened) {
    world.seen.add("a restart was not proven");
    return { status: "unknown", error: { kind: "ignored", message: "the machine is on as before" } };
  }
  return {
    status: "done",
    value: {
      ...read,
      restart: {
        proof: byMark ? "resetMark" : "powerOff",
        before: before?.resetMark ?? null,
        beforeClock: before?.markClock,
      },
      ...drives,
    },
  };
}

const system = (world: World) => systemOf(world.machine, resetMarkOf(world));

const systemOf = (machine: Machine, mark: MarkReading) => ({
  ...mark,
  power: "on",
  bootOverride: { source: machine.override ? "uefiHttp" : "none", enabled: machine.override },
  serial: chassisSerial,
  uuid: systemUuid,
  manufacturer: "Dell Inc.",
  model: "PowerEdge R760",
  settings: {
    devices: null,
    device: machine.override ? "uefihttp" : machine.bootsDisk ? "disk" : null,
    persistent: machine.bootsDisk,
    mode: "uefi",
    secureBoot: false,
  },
});

/** Works until nothing is left to do now. */
export function runController(world: World, controller: ModelController, handlerOf: HandlerOf): void {
  for (let steps = 0; stepController(world, controller, handlerOf); steps += 1) {
    if (steps > 200) throw new Error(`the controller finds no rest in ${world.host?.run.state ?? "no host"}`);
  }
}
