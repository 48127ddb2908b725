// The step `deploy.clear_tpm`: gives the TPM a new owner seed, and with it removes the previous system's keys and authorizations. Proven by the key that the TPM
// derives from the seed: it is another one afterwards (docs/cleaning.md).
import type { Step, StepOutcome } from "@/agent/steps/step";
import type { Answer, TpmState, TpmTools } from "@/agent/tools/tools";

const failed = (message: string): StepOutcome => ({ result: "ERROR", message, devices: [] });
const words = (answer: Answer<unknown>): string =>
  `${answer.command} answered ${answer.exitCode}: ${answer.status}`;

/** Enough to tell two keys apart. */
const short = (key: string): string => `${key.slice(0, 16)}…`;

/** Why the TPM would refuse, which must be known before it is asked: one wrong lockout authorization locks it. */
function refusalOf({ clearDisabled, lockoutSet }: TpmState): string | null {
  if (clearDisabled) return "a previous system disabled its clearing (disableClear)";
  return lockoutSet
    ? "a previous system set a lockout authorization, which only its firmware can remove"
    : null;
}

/** What the firmware offers instead. */
async function byFirmware(tpm: TpmTools): Promise<string> {
  const offered = (await tpm.onRequest()).value;
  if (offered === "alone") return "its firmware can clear it without a person";
  return offered === "withPerson"
    ? "its firmware clears it only with a person at the console"
    : "its firmware offers no clear to the system, only in its setup";
}

/** Clears it, and says by which key that is proven. */
export async function cleared(tpm: TpmTools): Promise<StepOutcome> {
  const state = await tpm.state();
  if (state.value === null) return failed(words(state));
  const refusal = refusalOf(state.value);
  // safety: agent: a TPM with an authorization of somebody else is not asked
  if (refusal !== null) return failed(`the TPM cannot be cleared: ${refusal}; ${await byFirmware(tpm)}`);
  const clear = async (): Promise<StepOutcome | null> => {
    const answer = await tpm.clear();
    return answer.value === true ? null : failed(`${words(answer)}; ${await byFirmware(tpm)}`);
  };
  let before = await tpm.ownerKey();
  const stopped = await clear();
  if (stopped !== null) return stopped;
  const wasOwned = before.value === null && state.value.ownerSet;
  if (wasOwned) {
    // The owner's authorization hid the key. It is gone now, so a second clear can be compared.
    before = await tpm.ownerKey();
    const again = await clear();
    if (again !== null) return again;
  }
  if (before.value === null) return failed(`the TPM's owner key could not be read: ${words(before)}`);
  const after = await tpm.ownerKey();
  if (after.value === null)
    return failed(`after the clear the TPM's owner key could not be read: ${words(after)}`);
  // safety: agent: a TPM that derives the same key was not cleared
  if (after.value === before.value)
    return failed(
      `the TPM accepted the clear, and still derives the owner key ${short(after.value)}: it was not cleared`,
    );
  const found = await tpm.state();
  if (found.value === null) return failed(words(found));
  const { ownerSet, endorsementSet, lockoutSet } = found.value;
  const left = Object.entries({
    owner: ownerSet,
    endorsement: endorsementSet,
    lockout: lockoutSet,
  }).flatMap(([name, set]) => (set ? [name] : []));
  // safety: agent: an authorization that outlives a clear
  if (left.length > 0)
    return failed(`after the clear these authorizations are still set: ${left.join(", ")}`);
  return {
    result: "OK",
    message: `the TPM was cleared${wasOwned ? " twice" : ""}: it derives the owner key ${short(after.value)} instead of ${short(before.value)}, and no authorization is set`,
    devices: [],
  };
}

export const clearTpm: Step = {
  interface: "deploy",
  step: "clear_tpm",
  run: ({ tools: { tpm } }) => cleared(tpm),
};
