// One device, from the command to the verdict: every try is recorded with the device's own answer, then the device is read back
// (docs/design/sanitization.md).
import { joinedCommand, type DeviceProblem } from "@/server/domain/cleaning/sanitization/device-result";
import { awaitErase, type EraseEnd } from "@/agent/steps/await-erase";
import { aboutToSend } from "@/agent/steps/journal";
import { conclude, type Verdict } from "@/agent/verification/conclude";
import { barred, prepareErase, type Prepared, type PreparedErase } from "@/agent/steps/prepare-device";
import { clip, type DeviceResult, type DeviceTry } from "@/agent/steps/results";
import { bringOut } from "@/agent/steps/bring-out";
import { passMediaVerification, withSeen } from "@/agent/steps/media-verification";
import { codeOf, mayBegin, tryAndSee } from "@/agent/steps/try-technique";
import type { StepContext } from "@/agent/steps/step";
import { verify } from "@/agent/verification/verify";

/** No progress for the policy's time; it may still be erasing. */
const stuck = (
  { text, stuckSeconds }: Pick<EraseEnd, "stuckSeconds" | "text">,
  tries: readonly DeviceTry[],
): Verdict => ({
  tries,
  result: "ERROR",
  message: text,
  problem: "hangs",
  ...(stuckSeconds === undefined ? {} : { problemSeconds: stuckSeconds }),
});

/** Techniques of the policy that the device does not offer; omitted if it offers all. */
const passedOverOf = (prepared: Prepared): Pick<Verdict, "passedOver"> =>
  prepared.kind === "join" || prepared.kind === "recover" || (prepared.passedOver ?? []).length === 0
    ? {}
    : { passedOver: [...(prepared.passedOver ?? [])] };

/** Nothing was sent, or nothing more. */
const notSent = (prepared: Prepared, tries: readonly DeviceTry[], otherwise: string): Verdict => {
  if (prepared.kind !== "cannot") return { tries, result: "ERROR", message: otherwise };
  const { problem, what, seconds } = prepared;
  return {
    tries,
    result: "ERROR",
    message: problem,
    ...(what === undefined ? {} : { problem: what }),
    ...(seconds === undefined ? {} : { problemSeconds: seconds }),
  };
};

/** Never rejects because of the device: its errors are in the result. */
export async function eraseDevice(
  context: StepContext,
  prepared: Prepared,
  mayErase: boolean,
): Promise<DeviceResult> {
  const { device, healthBefore } = prepared;
  const verdict = await judge(context, prepared, mayErase);
  const healthAfter = await device.health();
  const { removable: _removable, ...facts } = device.facts;
  return {
    ...facts,
    ...passedOverOf(prepared),
    ...verdict,
    tries: [...verdict.tries],
    message: clip(verdict.message),
    tool: device.tool,
    ...(healthBefore === undefined ? {} : { healthBefore }),
    ...(healthAfter === undefined ? {} : { healthAfter }),
  };
}

async function judge(context: StepContext, prepared: Prepared, mayErase: boolean): Promise<Verdict> {
  switch (prepared.kind) {
    case "cannot":
      return notSent(prepared, [], prepared.problem);
    case "join":
      return join(context, prepared);
    case "recover":
    case "erase":
      if (mayErase && !context.aborted.aborted)
        return prepared.kind === "erase" ? erase(context, prepared) : recover(context, prepared);
      context.reporter.erases(prepared.device.facts.serial, 0);
      return stopped([]);
  }
}

const stopped = (tries: readonly DeviceTry[]): Verdict => ({
  tries,
  result: "ERROR",
  message: "stopped before anything was sent to it",
});

/** An earlier sanitize left the drive unreadable: brings it out of that state, then erases it like any other drive. */
async function recover(
  context: StepContext,
  prepared: Extract<Prepared, { kind: "recover" }>,
  before: readonly DeviceTry[] = [],
): Promise<Verdict> {
  const out = await bringOut(context, prepared);
  const tries = [...before, ...out.tries];
  if (out.stuck !== null) return stuck(out.stuck, tries);
  if (out.problem !== null) return { tries, result: "ERROR", message: out.problem, ...kindOf(out.what) };
  return anew(
    context,
    prepared,
    tries,
    `it was brought out of ${prepared.from === "failed" ? "a failed sanitize" : "the media verification state"}`,
  );
}

const kindOf = (problem: DeviceProblem | undefined) => (problem === undefined ? {} : { problem });

/** Allowed to send, because the status was read and nothing is running. */
async function anew(
  context: StepContext,
  { device, areas, healthBefore }: Extract<Prepared, { kind: "join" | "recover" }>,
  tries: readonly DeviceTry[],
  otherwise: string,
): Promise<Verdict> {
  if (context.aborted.aborted) return stopped(tries);
  const again = await prepareErase(context, device, areas, healthBefore);
  if (again.kind !== "erase") return notSent(again, tries, otherwise);
  if (!(await mayBegin(context, again))) return stopped(tries);
  return { ...(await erase(context, again, tries)), ...passedOverOf(again) };
}

/** Waits for an erase sent by an earlier attempt and verifies it against what that attempt recorded; if that fails, erases again. */
async function join(context: StepContext, prepared: Extract<Prepared, { kind: "join" }>): Promise<Verdict> {
  const { device, earlier, ended, evidence, areas } = prepared;
  const { technique } = earlier;
  const startedAt = context.clock.now().toISOString();
  const readBack = () => verify(context.tools.blocks, areas, evidence, technique, ended);
  // It was found running, or over with our markers gone.
  const first = await awaitErase(context, device, { ran: true });
  const { end, seen } = await passMediaVerification(context, device, first, readBack);
  const completed = end.state === "completed" && (end.technique === technique || end.technique === null);
  const at = context.clock.now().toISOString();
  const entry: DeviceTry = {
    technique,
    command: joinedCommand,
    startedAt,
    endedAt: at,
    exitCode: completed ? 0 : 1,
    status: clip(end.text),
    ...codeOf(completed, end.code),
    completed,
  };
  context.reporter.note({
    journal: [
      {
        serial: device.facts.serial,
        model: device.facts.model,
        event: "observed",
        technique,
        at,
        status: clip(end.text),
      },
    ],
  });
  if (end.state === "stuck") return stuck(end, [entry]);
  if (completed) {
    const verification = withSeen(seen, await readBack());
    if (verification.result === "passed")
      return conclude(context, prepared, [entry], technique, verification, []);
  }
  // The command may never have been sent, or the device is on its second chance.
  const from = await barred(context, end.state, areas);
  if (from !== null)
    return context.aborted.aborted
      ? stopped([entry])
      : recover(context, { ...prepared, kind: "recover", from }, [entry]);
  return anew(context, prepared, [entry], end.text);
}

async function erase(
  context: StepContext,
  prepared: PreparedErase,
  before: readonly DeviceTry[] = [],
): Promise<Verdict> {
  const { device, areas, evidence, refusals } = prepared;
  const tries: DeviceTry[] = [...before];
  for (const [index, technique] of [prepared.technique, ...prepared.next].entries()) {
    if (index > 0 && (!context.command.erase.fallback || context.aborted.aborted)) break;
    const announcement = aboutToSend(device.facts, technique, context.clock.now(), {
      seed: evidence.seed,
      markersWritten: evidence.markersWritten,
      areas,
    });
    const announced = { device, technique, announcement };
    if (index > 0 && !(await mayBegin(context, announced))) break;
    const readBack = () => verify(context.tools.blocks, areas, evidence, technique);
    const attempt = await tryAndSee(context, announced, readBack);
    tries.push(...attempt.tries);
    const [last = attempt.tries[0]] = attempt.tries.slice(-1);
    if (attempt.stuck !== null) return stuck({ ...attempt.stuck, text: last.status }, tries);
    if (!last.completed) continue;
    const verification = withSeen(attempt.seen, await readBack());
    return conclude(context, prepared, tries, technique, verification, refusals);
  }
  const answers = tries.map(
    ({ technique, exitCode, status }) => `${technique} answered ${exitCode}: ${status}`,
  );
  const isLocked = tries.length > 0 && tries.every(({ code }) => deniesAccess(code));
  const message = ["not erased", ...answers, ...refusals].join("; ");
  return { tries, result: "ERROR", message, ...(isLocked ? { problem: "locked" as const } : {}) };
}

/** Access Denied of NVMe: a range of the drive is locked by its own encryption (TCG), whose key we do not have. */
const deniesAccess = (code: DeviceTry["code"]): boolean =>
  code?.bus === "nvme" && code.sct === 2 && code.sc === 0x86;
