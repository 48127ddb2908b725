// How the model's agent begins and ends a step, and which attempt takes its journal, progress and report.
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { deviceResultOf, reportOf } from "@/server/controller/testing/hardware";
import { contentOf } from "@/server/controller/testing/model/agent/readings";
import { hangingReport, honestReport, lyingReport } from "@/server/controller/testing/model/agent/reports";
import type { Work } from "@/server/controller/testing/model/agent/work";
import { eraseEndMs, statusOf, visible } from "@/server/controller/testing/model/machine";
import type { Agent, Drive } from "@/server/controller/testing/model/machine-state";
import type { AttemptRow, HostTables } from "@/server/controller/testing/model/tables";
import { storeSignal } from "@/server/controller/testing/model/world";
import type { World } from "@/server/controller/testing/model/world";

const treatedBy = (step: string, drive: Drive): boolean =>
  step === "erase_nvme"
    ? drive.device.transport === "nvme"
    : step === "erase_disks" && drive.device.transport === "sata";

export function beginStep(
  world: World,
  host: HostTables,
  agent: Agent,
  command: ExecuteCommand,
  how: Work,
): void {
  const { machine } = world;
  const reclamationId = host.steps.find((row) => row.view.id === command.stepRunId)?.reclamationId ?? "";
  const treated = visible(machine).filter((drive) => treatedBy(command.step, drive));
  agent.working = {
    commandId: command.id,
    stepRunId: command.stepRunId,
    attempt: command.attempt,
    step: command.step,
    lie: how.lie,
    reclamationId,
    // A drive of which nobody knows whether it erases is sent nothing, and not waited for once more.
    sinceMs: treated.some((drive) => statusOf(drive) === "unknown") ? 0 : world.nowMs,
  };
  const attempt = openAttempt(host, agent, command.stepRunId, command.attempt);
  if (how.lie === null && agent.hostile !== true) {
    // The journal reaches the server before a command is sent, or nothing is sent (docs/design/sanitization.md). An erase that still runs is joined.
    for (const drive of treated)
      // One that seems to be erasing already is waited for.
      if (drive.behaviour === "honest" && attempt !== null && !how.silent && drive.says !== "running")
        drive.erasing ??= {
          untilMs: eraseUntilMs(world, host, drive, command, how),
          reclamationId,
          technique: techniqueOf(drive),
        };
    if (command.step === "verify_mem_overwrite") machine.memory.askedIn = reclamationId;
    if (command.step === "reset_infiniband") machine.infiniband = { tenant: false, resetIn: reclamationId };
  }
  if (attempt === null || how.silent) return;
  const at = new Date(world.nowMs).toISOString();
  for (const drive of treated) {
    const { serial, model } = drive.device;
    attempt.journal.push({ serial, model, event: "about-to-send", technique: techniqueOf(drive), at });
  }
  if (eraseEndMs(machine) > 0 || treated.some((drive) => statusOf(drive) !== "idle")) {
    tellProgress(world, attempt, treated);
    host.run.erasing = true;
  }
  host.run.evidenceSeq += 1;
}

const techniqueOf = ({ device, formats }: Drive): Technique =>
  device.transport !== "nvme"
    ? "ata-secure-erase"
    : formats
      ? "nvme-format-user-data"
      : "nvme-sanitize-block";

/** A drive that does not say how long it takes ends within the step's time limit, which follows from it: nothing could protect a slower one. */
function eraseUntilMs(
  { nowMs }: World,
  host: HostTables,
  { says }: Drive,
  { stepRunId }: ExecuteCommand,
  { eraseMs }: Work,
): number {
  const limitMs = host.steps.find((row) => row.view.id === stepRunId)?.view.deadlineAtMs ?? nowMs;
  return Math.max(nowMs, Math.min(nowMs + eraseMs, says === "truth" ? Infinity : limitMs));
}

/** Anchors durations as `db/hot/agent/report.ts` does: what is not reported stays as it was. */
function tellProgress(world: World, attempt: AttemptRow, told: readonly Drive[]): void {
  const ends = Object.fromEntries(
    told.map((drive) => [
      drive.device.serial,
      statusOf(drive) === "idle"
        ? world.nowMs
        : drive.says === "truth" && drive.erasing !== null
          ? drive.erasing.untilMs
          : null,
    ]),
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

/** No progress for the policy's time: a drive that tells the truth makes some. */
const givesUp = ({ nowMs, policy }: World, { working }: Agent, waitedFor: readonly Drive[]): boolean =>
  waitedFor.every(({ says }) => says !== "truth") &&
  nowMs - (working?.sinceMs ?? nowMs) >= policy.sanitization.erase.noProgressTimeoutMs;

export function finishStep(world: World, host: HostTables, agent: Agent, how: Work, stopped: boolean): void {
  const { working } = agent;
  if (working === null) return;
  const drives = visible(world.machine).filter((drive) => treatedBy(working.step, drive));
  const hanging = drives.filter((drive) => statusOf(drive) !== "idle");
  if (hanging.length > 0 ? !givesUp(world, agent, hanging) : eraseEndMs(world.machine) > world.nowMs) {
    // It reports one drive now, not the one that takes longest.
    const attempt = openAttempt(host, agent, working.stepRunId, working.attempt);
    const [first] = drives;
    if (attempt !== null && first !== undefined && how.flaw % 2 === 0) tellProgress(world, attempt, [first]);
    return;
  }
  agent.working = null;
  agent.finished.add(working.commandId);
  const attempt = openAttempt(host, agent, working.stepRunId, working.attempt);
  if (attempt === null) return;
  const lie = working.lie ?? how.lie;
  if (stopped) world.seen.add("a step was stopped");
  if (hanging.length > 0) world.seen.add("a drive hung");
  attempt.report =
    hanging.length > 0
      ? hangingReport(working.attempt, working.reclamationId, drives)
      : stopped
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
