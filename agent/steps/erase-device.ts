// One device from the sent command to the verdict: every try recorded with the device's own answer, then read back (docs/design/sanitization.md).
import type { Fingerprint } from "@/server/domain/sanitization/content";
import { techniqueTable, type Technique } from "@/server/domain/sanitization/techniques";
import type { DeviceStatus } from "@/server/domain/causes/status";
import type { DeviceProblem, PassedOver } from "@/server/domain/sanitization/device-result";
import { awaitErase, type EraseEnd } from "@/agent/steps/await-erase";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { aboutToSend } from "@/agent/steps/journal";
import { prepareErase, type Prepared, type PreparedErase } from "@/agent/steps/prepare-device";
import { clip, type DeviceResult, type DeviceTry } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import { takeFingerprint } from "@/agent/verification/fingerprint";
import { verify, type Verification } from "@/agent/verification/verify";

interface Verdict {
  readonly tries: readonly DeviceTry[];
  readonly passedOver?: PassedOver[];
  readonly technique?: Technique;
  readonly verification?: Verification;
  readonly fingerprint?: Fingerprint;
  readonly result: "OK" | "ERROR";
  readonly message: string;
  /** What no command's answer tells. */
  readonly problem?: DeviceProblem;
  readonly problemSeconds?: number;
}

/** No progress for the policy's time: it may still erase. */
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

/** What the policy names and the device does not offer; left out where it offers all. */
const passedOverOf = (prepared: Prepared): Pick<Verdict, "passedOver"> =>
  prepared.kind === "join" || (prepared.passedOver ?? []).length === 0
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

/** Never rejects for a fault of the device: what went wrong is in the result. */
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
    case "erase":
      if (!mayErase || context.aborted.aborted) context.reporter.erases(prepared.device.facts.serial, 0);
      if (!mayErase || context.aborted.aborted)
        return { tries: [], result: "ERROR", message: "stopped before anything was sent to it" };
      return erase(context, prepared);
  }
}

/** Waits for an erase that an earlier attempt sent, and verifies it against what that attempt wrote down; where that fails, erases anew. */
async function join(context: StepContext, prepared: Extract<Prepared, { kind: "join" }>): Promise<Verdict> {
  const { device, earlier, ended, evidence, areas, healthBefore } = prepared;
  const { technique } = earlier;
  const startedAt = context.clock.now().toISOString();
  const end = await awaitErase(context, device);
  const completed = end.state === "completed" && (end.technique === technique || end.technique === null);
  const at = context.clock.now().toISOString();
  const entry: DeviceTry = {
    technique,
    command: "(sent by an earlier attempt; joined)",
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
    const verification = await verify(
      context.tools.blocks,
      areas,
      evidence,
      technique,
      /* safety: agent: markers that cannot be read are no proof of an erase that is over */ ended,
    );
    if (verification.result === "passed")
      return conclude(context, device, [entry], technique, verification, []);
  }
  // The status has been read and nothing runs, so sending is allowed: the command may never have left, or the device is on its second chance.
  if (context.aborted.aborted)
    return { tries: [entry], result: "ERROR", message: "stopped before anything was sent to it" };
  const again = await prepareErase(context, device, areas, healthBefore);
  if (again.kind !== "erase") return notSent(again, [entry], end.text);
  if (!(await mayBegin(context, again)))
    return { tries: [entry], result: "ERROR", message: "stopped before anything was sent to it" };
  return { ...(await erase(context, again, [entry])), ...passedOverOf(again) };
}

/** Nothing is sent to a drive before the server has stored that it may erase from now on. */
async function mayBegin(
  { reporter }: StepContext,
  { device, technique, announcement }: Pick<PreparedErase, "device" | "technique" | "announcement">,
): Promise<boolean> {
  const { unstoppable } = techniqueTable[technique];
  if (unstoppable) reporter.erases(device.facts.serial, null);
  reporter.note({ journal: [announcement], unstoppable });
  const { goOn } = await reporter.acknowledge();
  if (!goOn) reporter.erases(device.facts.serial, 0);
  return goOn;
}

async function erase(
  context: StepContext,
  prepared: PreparedErase,
  before: readonly DeviceTry[] = [],
): Promise<Verdict> {
  const { device, areas, evidence, refusals } = prepared;
  const tries: DeviceTry[] = [...before];
  for (const [index, technique] of [prepared.technique, ...prepared.next].entries()) {
    if (index > 0) {
      if (!context.command.erase.fallback || context.aborted.aborted) break;
      const announcement = aboutToSend(device.facts, technique, context.clock.now(), {
        seed: evidence.seed,
        markersWritten: evidence.markersWritten,
        areas,
      });
      if (!(await mayBegin(context, { device, technique, announcement }))) break;
    }
    const attempt = await tryTechnique(context, device, technique);
    tries.push(attempt.entry);
    if (attempt.stuck !== null) return stuck({ ...attempt.stuck, text: attempt.entry.status }, tries);
    if (!attempt.entry.completed) continue;
    return conclude(
      context,
      device,
      tries,
      technique,
      await verify(context.tools.blocks, areas, evidence, technique),
      refusals,
    );
  }
  const answers = tries.map(
    ({ technique, exitCode, status }) => `${technique} answered ${exitCode}: ${status}`,
  );
  return { tries, result: "ERROR", message: ["not erased", ...answers, ...refusals].join("; ") };
}

/** Told of what did not complete: there the server says what it means. */
const codeOf = (completed: boolean, code: DeviceStatus | undefined): Pick<DeviceTry, "code"> =>
  completed || code === undefined ? {} : { code };

async function tryTechnique(
  context: StepContext,
  device: ErasableDevice,
  technique: Technique,
): Promise<{ entry: DeviceTry; stuck: EraseEnd | null }> {
  const { clock, reporter } = context;
  const { serial, model } = device.facts;
  const startedAt = clock.now().toISOString();
  const { answer, over } = await device.send(technique);
  const accepted = answer.value === true;
  const sent = { serial, model, technique, at: clock.now().toISOString(), status: clip(answer.status) };
  reporter.note({ journal: [{ ...sent, event: "sent" }] });
  const end = accepted && !over ? await awaitErase(context, device) : null;
  // Refused, or over with its answer.
  if (end === null) reporter.erases(serial, 0);
  const status = end ? `${answer.status}; ${end.text}` : answer.status;
  if (end)
    reporter.note({
      journal: [{ ...sent, event: "observed", at: clock.now().toISOString(), status: clip(end.text) }],
    });
  const completed = end
    ? end.state === "completed" && (end.technique === technique || end.technique === null)
    : accepted;
  return {
    entry: {
      technique,
      command: clip(answer.command),
      startedAt,
      endedAt: clock.now().toISOString(),
      exitCode: answer.exitCode,
      status: clip(status),
      ...codeOf(completed, end?.code ?? answer.code),
      completed,
    },
    stuck: end?.state === "stuck" ? end : null,
  };
}

/** A cryptographic erase may leave nothing that can be read: then nothing was seen to be gone. */
const goneOf = ({ bytes, samples, markersWritten }: Verification): string =>
  bytes === "0"
    ? "none of its blocks can be read any more"
    : `${samples} samples and ${markersWritten} markers gone`;

/** A verified erase is followed by renewing the device, and by the fingerprint of what is on it then; an erase that reading back refutes stays a failure whatever else works. */
async function conclude(
  context: StepContext,
  device: ErasableDevice,
  tries: readonly DeviceTry[],
  technique: Technique,
  verification: Verification,
  refusals: readonly string[],
): Promise<Verdict> {
  const base = { tries, technique, verification };
  if (verification.result === "failed") {
    return {
      ...base,
      result: "ERROR",
      message: `${technique} reported success, but ${verification.mismatches} of ${verification.samples} samples and ${verification.markersFound} of ${verification.markersWritten} markers are still there`,
    };
  }
  if (verification.result === "impossible")
    return {
      ...base,
      result: "ERROR",
      message: `${technique} reported success, but the device cannot be read back`,
    };
  const renewed = await device.renew();
  if (!renewed.ok) return { ...base, result: "ERROR", message: `erased, but ${renewed.problem}` };
  const { fingerprint: wanted } = context.command;
  const taken = wanted === undefined ? null : await takeFingerprint(context.tools.blocks, device, wanted);
  if (taken?.ok === false)
    return {
      ...base,
      result: "ERROR",
      message: `erased, but its content could not be read for later comparison: ${taken.problem}`,
      problem: "notRecorded",
    };
  return {
    ...base,
    ...(taken === null ? {} : { fingerprint: taken.value }),
    result: "OK",
    message: [`${technique}, ${goneOf(verification)}`, ...refusals, ...renewed.value].join("; "),
  };
}
