// A drive that has erased and keeps its media readable, so that what a sanitize left can be read before it is deallocated
// (NVMe Base Specification 2.1, 8.1.24; TP4152).
import { awaitErase, stillInKernel, type EraseEnd } from "@/agent/steps/await-erase";
import type { ErasableDevice } from "@/agent/steps/erasable-device";
import { clip } from "@/agent/steps/results";
import type { StepContext } from "@/agent/steps/step";
import type { Verification } from "@/agent/verification/verify";

export type ReadBack = () => Promise<Verification>;

/** The returned end is that of the device: only a device that left the state is completed. */
export async function leaveMediaVerification(
  context: StepContext,
  device: ErasableDevice,
): Promise<EraseEnd> {
  const answer = (await device.leaveMediaVerification?.()) ?? null;
  if (answer === null)
    return { state: "mediaVerification", technique: null, text: "it has no command that ends this state" };
  const said = `${answer.command} answered ${answer.exitCode}: ${answer.status}`;
  const unknown = stillInKernel(answer);
  if (unknown !== null) return { ...unknown, text: `${said}; ${unknown.text}` };
  const end = await awaitErase(context, device, { ran: true, left: answer.value === true });
  // It waits and erases nothing.
  if (end.state === "mediaVerification") context.reporter.erases(device.facts.serial, 0);
  return { ...end, text: clip(`${said}; ${end.text}`) };
}

/** If an erase ended in that state, reads back in it and then leaves it, whatever was read. */
export async function passMediaVerification(
  context: StepContext,
  device: ErasableDevice,
  end: EraseEnd,
  readBack: ReadBack | null,
): Promise<{ readonly end: EraseEnd; readonly seen: Verification | null }> {
  if (end.state !== "mediaVerification") return { end, seen: null };
  const seen = readBack === null ? null : await readBack();
  const left = await leaveMediaVerification(context, device);
  return { end: { ...left, text: `${end.text}; ${left.text}` }, seen };
}

/**
 * Either reading can refute the erase. The one in the state is recorded as a kind of its own; if nothing could be read in it, the later reading is
 * all there is, as on a drive without the state.
 */
export function withSeen(seen: Verification | null, after: Verification): Verification {
  if (seen === null) return after;
  // safety: agent: what was seen in the media verification state refutes
  if (seen.result === "failed") return { ...seen, kind: "media-verification" };
  return seen.result === "passed" && after.result === "passed"
    ? { ...seen, kind: "media-verification" }
    : after;
}
