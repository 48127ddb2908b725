// One command to one device: announced before it is sent, and recorded with the device's own answer (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import type { DeviceStatus } from "@/server/domain/causes/status";
import { techniqueTable, type Technique } from "@/server/domain/sanitization/techniques";
import { awaitErase, type EraseEnd } from "@/agent/steps/await-erase";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { clip, type DeviceTry, type JournalEvent } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Answer } from "@/agent/tools/tools";

interface Announced {
  readonly device: ErasableDevice;
  readonly technique: Technique;
  readonly announcement: JournalEvent;
}

/** Nothing is sent to a drive before the server has stored that it may erase from now on. */
export async function mayBegin(
  { reporter }: StepContext,
  { device, technique, announcement }: Announced,
): Promise<boolean> {
  const { unstoppable } = techniqueTable[technique];
  if (unstoppable) reporter.erases(device.facts.serial, null);
  reporter.note({ journal: [announcement], unstoppable });
  const { goOn } = await reporter.acknowledge();
  if (!goOn) reporter.erases(device.facts.serial, 0);
  return goOn;
}

/** Told of what did not complete: there the server says what it means. */
export const codeOf = (completed: boolean, code: DeviceStatus | undefined): Pick<DeviceTry, "code"> =>
  completed || code === undefined ? {} : { code };

/** A tool that still waits in the kernel has told nothing: the drive may be erasing. Null: it is over. */
export const stillInKernel = (answer: Answer<true>): EraseEnd | null =>
  // safety: agent: a command whose tool is not over may still erase (false)
  answer.over === false
    ? { state: "stuck", technique: null, text: "its tool still waits in the kernel, so it may go on" }
    : null;

export async function tryTechnique(
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
  const unknown = stillInKernel(answer);
  const end = unknown ?? (accepted && !over ? await awaitErase(context, device) : null);
  // Refused, or over with its answer.
  if (end === null) reporter.erases(serial, 0);
  const status = end ? `${answer.status}; ${end.text}` : answer.status;
  // Of what may go on nothing was observed: the next attempt asks the drive itself.
  if (end && unknown === null)
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
