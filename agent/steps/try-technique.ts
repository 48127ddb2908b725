// One command to one device: announced before it is sent, and recorded with the device's own answer
// (docs/design/sanitization.md#an-agent-that-restarts-during-an-erase).
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import { techniqueTable, type Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { awaitErase, stillInKernel, type EraseEnd } from "@/agent/steps/await-erase";
import { isReadable, type ErasableDevice } from "@/agent/steps/erasable-device";
import { passMediaVerification, type ReadBack } from "@/agent/steps/media-verification";
import { clip, type DeviceTry, type JournalEvent } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Verification } from "@/agent/verification/verify";

interface Announced {
  readonly device: ErasableDevice;
  readonly technique: Technique;
  readonly announcement: JournalEvent;
}

/** Nothing is sent to a drive before the server has stored that it may be erasing from now on. */
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

/** Reported only if the try did not complete; the server explains what it means. */
export const codeOf = (completed: boolean, code: DeviceStatus | undefined): Pick<DeviceTry, "code"> =>
  completed || code === undefined ? {} : { code };

interface Attempt {
  readonly entry: DeviceTry;
  readonly stuck: EraseEnd | null;
  /** What was read while the device held its media readable; null: it did not. */
  readonly seen: Verification | null;
}

interface How {
  /** With it the device is asked to hold what the technique left, and is read in that state. */
  readonly hold: ReadBack | null;
  /** Whether what was on the device is seen to be gone. */
  readonly agrees: () => Promise<boolean>;
}

/** How the erase ended by the device's own status; null: its answer was already the end, or a refusal that its status confirms. */
async function endOf(
  context: StepContext,
  device: ErasableDevice,
  { answer, over }: Awaited<ReturnType<ErasableDevice["send"]>>,
  agrees: How["agrees"],
): Promise<EraseEnd | null> {
  const unknown = stillInKernel(answer);
  if (unknown !== null) return unknown;
  // safety: agent: a refusal because of an erase in progress is an erase in progress
  if (answer.inProgress === true)
    return awaitErase(context, device, {
      // Idle does not contradict that refusal, unless the device can be read.
      ran: false,
      agrees: () => isReadable(device, context.tools.blocks),
    });
  if (over) return null;
  if (answer.value === true) return awaitErase(context, device, { ran: false, agrees });
  const status = await device.readStatus();
  // safety: agent: after a refused sanitize nothing is sent to a device whose status is unknown
  if (!status.ok) return { state: "stuck", technique: null, text: status.problem };
  return status.value.state === "running" ? awaitErase(context, device, { ran: true }) : null;
}

export async function tryTechnique(
  context: StepContext,
  device: ErasableDevice,
  technique: Technique,
  { hold, agrees }: How,
): Promise<Attempt> {
  const { clock, reporter } = context;
  const { serial, model } = device.facts;
  const startedAt = clock.now().toISOString();
  const reply = await device.send(technique, hold !== null);
  const { answer } = reply;
  const accepted = answer.value === true;
  const sent = { serial, model, technique, at: clock.now().toISOString(), status: clip(answer.status) };
  reporter.note({ journal: [{ ...sent, event: "sent" }] });
  const first = await endOf(context, device, reply, agrees);
  const passed = first && (await passMediaVerification(context, device, first, hold));
  const end = passed?.end ?? null;
  // Refused, or the answer came after the end.
  if (end === null) reporter.erases(serial, 0);
  const status = end ? `${answer.status}; ${end.text}` : answer.status;
  // If it may still be running, nothing was observed: the next attempt asks the drive itself.
  if (end && end.state !== "stuck")
    reporter.note({
      journal: [{ ...sent, event: "observed", at: clock.now().toISOString(), status: clip(end.text) }],
    });
  const completed = end
    ? accepted && end.state === "completed" && (end.technique === technique || end.technique === null)
    : accepted;
  const logged = end?.state === "completed" && !completed ? end.technique : null;
  return {
    entry: {
      technique,
      command: clip(answer.command),
      startedAt,
      endedAt: clock.now().toISOString(),
      exitCode: answer.exitCode,
      status: clip(status),
      // Why it was refused says more than the status of an earlier erase.
      ...codeOf(completed, accepted ? (end?.code ?? answer.code) : (answer.code ?? end?.code)),
      completed,
      ...(logged === null ? {} : { logged }),
    },
    stuck: end?.state === "stuck" ? end : null,
    seen: passed?.seen ?? null,
  };
}

/** Tries the technique with the media held, if the device offers that; if it refuses, once more without. */
export async function tryAndSee(
  context: StepContext,
  announced: Announced,
  readBack: ReadBack,
): Promise<Omit<Attempt, "entry"> & { readonly tries: readonly [DeviceTry, ...DeviceTry[]] }> {
  const { device, technique } = announced;
  const holds = device.holds?.(technique) === true;
  const agrees = async () => (await readBack()).result === "passed";
  const { entry, ...asked } = await tryTechnique(context, device, technique, {
    hold: holds ? readBack : null,
    agrees,
  });
  const refused = holds && asked.stuck === null && entry.exitCode !== 0;
  if (!refused || context.aborted.aborted) return { ...asked, tries: [entry] };
  // safety: agent: what is sent again without media verification is announced again
  if (!(await mayBegin(context, announced))) return { ...asked, tries: [entry] };
  const plain = await tryTechnique(context, device, technique, { hold: null, agrees });
  return { ...plain, tries: [entry, plain.entry] };
}
