// The model's agent: registers, carries out commands on the machine, and reports, honestly or not.
import type { Command, ExecuteCommand, ResultBody } from "@/server/domain/agents/protocol";
import type { HardwareInventory } from "@/server/domain/inventory/inventory";
import type { DeviceResult } from "@/server/domain/sanitization/device-result";
import {
  deviceResultOf,
  fingerprintOf,
  inventoryOf,
  reportOf,
  verified,
} from "@/server/controller/testing/hardware";
import { eraseEndMs, isClean, present, restart, visible } from "@/server/controller/testing/model/machine";
import type { Fingerprint } from "@/server/domain/sanitization/content";
import { storeSignal } from "@/server/controller/testing/model/world";
import type {
  Agent,
  AttemptRow,
  Drive,
  HostTables,
  Lie,
  World,
} from "@/server/controller/testing/model/world";

export interface Work {
  readonly lie: Lie | null;
  /** How long an erase takes. */
  readonly eraseMs: number;
  /** The journal does not arrive. */
  readonly silent: boolean;
  /** What goes wrong in inventory or tests; 0: nothing. */
  readonly flaw: number;
}
export const honest: Work = { lie: null, eraseMs: 0, silent: false, flaw: 0 };

/**
 * As `giveBootToken` and `db/hot/agent/register.ts`: the token must belong to the newest boot that we ordered, its window must be open and unused, and
 * its restart done. An earlier request, and a second one, mark the boot.
 */
export function register(world: World, agent: Agent): void {
  const host = world.host;
  const window = host?.windows.find((row) => row.bootEpoch === agent.tokenEpoch);
  if (
    host === null ||
    window === undefined ||
    window.expiresMs <= world.nowMs ||
    window.bootEpoch !== host.run.bootEpoch ||
    window.contested
  )
    return;
  if (!window.resetDone) {
    window.contested = true;
    host.run.evidenceSeq += 1;
    return storeSignal(host, world, {
      kind: "bootContested",
      payload: { bootEpoch: window.bootEpoch, message: "too early" },
    });
  }
  if (window.consumed) return;
  window.consumed = true;
  agent.epoch = window.bootEpoch;
  host.sessions.push({ bootEpoch: window.bootEpoch, registeredMs: world.nowMs, lastSeenMs: world.nowMs + 1 });
  host.agentInventory = {
    bootEpoch: window.bootEpoch,
    collectedMs: world.nowMs,
    body: found(world),
  };
  host.run.evidenceSeq += 1;
  storeSignal(host, world, { kind: "agentRegistered", payload: { bootEpoch: window.bootEpoch } });
}

/** What the agent finds. @param overlooked how many drives it does not see */
function found({ machine, seen }: World, overlooked = 0): HardwareInventory {
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

/** A tenant's system that still runs, or runs again, requests the token of the newest boot; if it gets one it registers and is then the agent. */
export function hostileRegistration(world: World): void {
  const { machine, host } = world;
  if (!machine.foreign || machine.agent !== null || host === null) return;
  const agent: Agent = {
    epoch: null,
    tokenEpoch: host.run.bootEpoch,
    finished: new Set(),
    working: null,
    hostile: true,
  };
  register(world, agent);
  world.seen.add("a tenant's system asked to be the agent");
  if (agent.epoch !== null) machine.agent = agent;
}

/** A second agent answers in the same boot and registers with a token that it was given in time (`agent-register.ts`, `conflict`). */
export function secondRegistration(world: World): void {
  const { host } = world;
  const window = host?.windows.find(
    (row) => row.bootEpoch === host.run.bootEpoch && row.consumed && row.expiresMs > world.nowMs,
  );
  if (host === null || window === undefined) return;
  window.contested = true;
  host.run.evidenceSeq += 1;
  storeSignal(host, world, {
    kind: "agentIdentityConflict",
    payload: { bootEpoch: window.bootEpoch, message: "two machines answered" },
  });
}

/** The command that this agent has not finished. */
export function commandOf(world: World): Exclude<Command, { kind: "none" }> | null {
  const agent = world.machine.agent;
  const run = world.host?.run;
  const command = run?.command ?? null;
  if (
    agent === null ||
    agent.epoch === null ||
    command === null ||
    command.kind === "none" ||
    run?.commandEpoch !== agent.epoch ||
    agent.finished.has(command.id)
  )
    return null;
  return command;
}

/** Counts as heard from, as with any of its calls. */
export function poll(world: World): void {
  const session = world.host?.sessions.find((row) => row.bootEpoch === world.machine.agent?.epoch);
  if (session !== undefined) session.lastSeenMs = world.nowMs;
}

/** One step of the agent's work: begins a command, or ends it when the devices are done. */
export function agentWorks(world: World, how: Work): void {
  const { machine, host } = world;
  const agent = machine.agent;
  if (agent === null || host === null) return;
  if (agent.epoch === null) return register(world, agent);
  poll(world);
  const command = commandOf(world);
  if (agent.working !== null) {
    // A step that can be stopped is stopped, but what a drive does is not.
    const stopped =
      command?.kind === "abort" &&
      command.stepRunId === agent.working.stepRunId &&
      eraseEndMs(machine) <= world.nowMs;
    if (stopped) agent.finished.add(command.id);
    return finishStep(world, host, agent, how, stopped);
  }
  switch (command?.kind) {
    case "execute":
      return beginStep(world, host, agent, command, how);
    case "discover":
      agent.finished.add(command.id);
      return discover(world, host, agent, command.id, how.flaw);
    case "validate":
      agent.finished.add(command.id);
      return validate(world, host, agent, command, how.flaw);
    case "look":
      agent.finished.add(command.id);
      return look(world, host, agent, command.id);
    case "restart":
      return restart(world);
    case "abort":
      agent.finished.add(command.id);
      return;
    case undefined:
      return;
  }
}

const treatedBy = (step: string, drive: Drive): boolean =>
  step === "erase_nvme"
    ? drive.device.transport === "nvme"
    : step === "erase_disks" && drive.device.transport === "sata";

function beginStep(world: World, host: HostTables, agent: Agent, command: ExecuteCommand, how: Work): void {
  const { machine } = world;
  const reclamationId = host.steps.find((row) => row.view.id === command.stepRunId)?.reclamationId ?? "";
  agent.working = {
    commandId: command.id,
    stepRunId: command.stepRunId,
    attempt: command.attempt,
    step: command.step,
    lie: how.lie,
    reclamationId,
  };
  const treated = visible(machine).filter((drive) => treatedBy(command.step, drive));
  const attempt = openAttempt(host, agent, command.stepRunId, command.attempt);
  if (how.lie === null && agent.hostile !== true) {
    // The journal reaches the server before a command is sent, or nothing is sent (docs/design/sanitization.md). An erase that still runs is joined.
    for (const drive of treated)
      if (drive.behaviour === "honest" && attempt !== null && !how.silent)
        drive.erasing ??= { untilMs: world.nowMs + how.eraseMs, reclamationId };
    if (command.step === "verify_mem_overwrite") machine.memory.askedIn = reclamationId;
    if (command.step === "reset_infiniband") machine.infiniband = { tenant: false, resetIn: reclamationId };
  }
  if (attempt === null || how.silent) return;
  attempt.journal.push({
    serial: "NVME1",
    model: "P5520",
    event: "about-to-send",
    technique: "nvme-sanitize-crypto",
    at: new Date(world.nowMs).toISOString(),
  });
  if (eraseEndMs(machine) > 0) {
    tellProgress(world, attempt, treated);
    host.run.erasing = true;
  }
  host.run.evidenceSeq += 1;
}

/** Anchors durations as `db/hot/agent/report.ts` does: what is not reported stays as it was. */
function tellProgress(world: World, attempt: AttemptRow, told: readonly Drive[]): void {
  const ends = Object.fromEntries(
    told.map((drive) => [drive.device.serial, drive.erasing?.untilMs ?? world.nowMs]),
  );
  attempt.progress = {
    ends: { ...attempt.progress.ends, ...ends },
    reportedAtMs: world.nowMs,
    movedAtMs: world.nowMs,
  };
}

/** As `db/hot/agent/report.ts`: this boot's running attempt without a report, or one that was given up and not replaced. */
function openAttempt(host: HostTables, agent: Agent, stepRunId: string, attempt: number): AttemptRow | null {
  const step = host.steps.find((row) => row.view.id === stepRunId)?.view;
  const row = host.attempts.find(
    (known) => known.stepRunId === stepRunId && known.attempt === attempt && known.bootEpoch === agent.epoch,
  );
  if (step === undefined || row === undefined || step.attempt !== attempt || row.report !== null) return null;
  if (step.status === "running" && row.verdict === null) return row;
  const open = host.reclamations.find((known) => !known.ended)?.view;
  const current = host.steps.some(
    ({ view, reclamationId, planEpoch }) =>
      view.id === stepRunId && reclamationId === open?.id && planEpoch === open.planEpoch,
  );
  return row.verdict === "lost" &&
    current &&
    agent.epoch === host.run.bootEpoch &&
    (step.status === "planned" || step.status === "failed")
    ? row
    : null;
}

function finishStep(world: World, host: HostTables, agent: Agent, how: Work, stopped: boolean): void {
  const { working } = agent;
  if (working === null) return;
  if (eraseEndMs(world.machine) > world.nowMs) {
    // It reports one drive now, not the one that takes longest.
    const attempt = openAttempt(host, agent, working.stepRunId, working.attempt);
    const [first] = visible(world.machine).filter((drive) => treatedBy(working.step, drive));
    if (attempt !== null && first !== undefined && how.flaw % 2 === 0) tellProgress(world, attempt, [first]);
    return;
  }
  agent.working = null;
  agent.finished.add(working.commandId);
  const attempt = openAttempt(host, agent, working.stepRunId, working.attempt);
  if (attempt === null) return;
  const drives = visible(world.machine).filter((drive) => treatedBy(working.step, drive));
  const lie = working.lie ?? how.lie;
  if (stopped) world.seen.add("a step was stopped");
  attempt.report = stopped
    ? reportOf(working.attempt, [], { result: "ERROR", message: "aborted: stopped" })
    : agent.hostile === true
      ? reportOf(
          working.attempt,
          drives.map((drive) => deviceResultOf(drive.device, { fingerprint: contentOf(drive) })),
          {},
        )
      : lie === null
        ? honestReport(working.attempt, working.reclamationId, drives)
        : lyingReport(world, working, drives, lie);
  host.run.evidenceSeq += 1;
  storeSignal(host, world, {
    kind: "stepReport",
    payload: { stepRunId: working.stepRunId, attempt: working.attempt },
  });
}

/** What an agent reads from the drive now. */
const contentOf = (drive: Drive): Fingerprint => fingerprintOf(drive.device, drive.bytes.join(" "));

const failedReading = { ...verified, mismatches: 7, result: "failed" } as const;

function honestReport(attempt: number, reclamationId: string, drives: readonly Drive[]): ResultBody {
  // Read-back decides: whatever was on a drive that was not erased is found again.
  const devices = drives.map((drive) => {
    if (drive.behaviour === "fails")
      return deviceResultOf(drive.device, { result: "ERROR", message: "the device refuses" });
    return drive.erasedIn === reclamationId && isClean(drive)
      ? deviceResultOf(drive.device, { fingerprint: contentOf(drive) })
      : deviceResultOf(drive.device, {
          result: "ERROR",
          verification: failedReading,
          message: "old content was read",
        });
  });
  return reportOf(
    attempt,
    devices,
    devices.some((device) => device.result === "ERROR")
      ? { result: "ERROR", message: "a device failed" }
      : {},
  );
}

const told: Readonly<Record<Lie, (honestly: DeviceResult, world: World) => readonly DeviceResult[]>> = {
  "no devices": () => [],
  "fewer devices": () => [],
  "technique without level": (device) => [tried(device, "blkdiscard")],
  "technique below minimum": (device, world) => [
    belowMinimum(world, device)
      ? tried(device, device.media === "nvme" ? "nvme-format-user-data" : "ata-secure-erase")
      : tried(device, "blkdiscard"),
  ],
  "exception only": (device) => [tried(device, "nvme-format-crypto")],
  "status only": (device) => [
    { ...device, verification: { ...verified, kind: "status-only", samples: 0, markersWritten: 0 } },
  ],
  "not read back": ({ verification: _, ...device }) => [device],
  mismatches: (device) => [{ ...device, verification: { ...verified, mismatches: 1 } }],
  "markers found": (device) => [{ ...device, verification: { ...verified, markersFound: 1 } }],
  "impossible to sample": (device) => [{ ...device, verification: { ...verified, result: "impossible" } }],
  "device twice": (device) => [device, device],
  "other model": (device) => [{ ...device, model: "other" }],
  "media of its own": (device, world) => [
    belowMinimum(world, device)
      ? { ...tried(device, "raid-kit-format"), media: "raid-kit" }
      : { ...device, serial: "other" },
  ],
  "not completed": (device) => [
    { ...device, tries: device.tries.map((row) => ({ ...row, completed: false })) },
  ],
  "other technique last": (device) => [
    {
      ...device,
      tries: [...device.tries, ...device.tries.map((row) => ({ ...row, technique: "blkdiscard" as const }))],
    },
  ],
  "step error": (device) => [device],
  "no technique": ({ technique: _, ...device }) => [device],
  "no content": ({ fingerprint: _, ...device }) => [device],
};

/** If the policy accepts Clear, a technique that only clears is not a lie that anything could show. */
function belowMinimum(world: World, device: DeviceResult): boolean {
  const minimum = world.host?.reclamations.find((row) => !row.ended)?.view.policy.sanitization.minimum;
  return minimum?.[device.media] === "purge";
}

function tried(device: DeviceResult, technique: NonNullable<DeviceResult["technique"]>): DeviceResult {
  return { ...device, technique, tries: device.tries.map((row) => ({ ...row, technique })) };
}

function lyingReport(
  world: World,
  { attempt, reclamationId }: { readonly attempt: number; readonly reclamationId: string },
  drives: readonly Drive[],
  lie: Lie,
): ResultBody {
  // An exception may let the first drive through, and then the others count by themselves, so they are reported honestly.
  const { devices: others } = honestReport(attempt, reclamationId, drives);
  // Only one device is lied about; a step without devices can only report failure.
  const devices = drives.flatMap((drive, index) => {
    const other = others[index];
    if (index > 0 && lie !== "no devices") return other === undefined ? [] : [other];
    // The present content is reported honestly, so only the judgement of the erase itself can find the lie.
    return told[lie](deviceResultOf(drive.device, { fingerprint: contentOf(drive) }), world);
  });
  return reportOf(
    attempt,
    devices,
    lie === "step error" || drives.length === 0 ? { result: "ERROR", message: "no" } : {},
  );
}

function discover(world: World, host: HostTables, agent: Agent, command: string, flaw: number): void {
  host.agentInventory = {
    bootEpoch: agent.epoch ?? 0,
    collectedMs: world.nowMs,
    body: found(world, flaw === 1 ? 1 : 0),
  };
  host.run.evidenceSeq += 1;
  storeSignal(host, world, { kind: "discovery", payload: { bootEpoch: agent.epoch ?? 0, command } });
}

function look(world: World, host: HostTables, agent: Agent, command: string): void {
  const drives = visible(world.machine).map(({ device, erasing }) => ({
    serial: device.serial,
    state: erasing === null ? ("idle" as const) : ("erasing" as const),
    status: "",
    remainingMs: erasing === null ? 0 : null,
  }));
  host.run.evidenceSeq += 1;
  world.seen.add("looked at the drives");
  storeSignal(host, world, {
    kind: "drives",
    payload: { bootEpoch: agent.epoch ?? 0, command, busy: false, drives },
  });
}

function validate(
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
