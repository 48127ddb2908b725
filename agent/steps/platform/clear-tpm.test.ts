// What `deploy.clear_tpm` says of a TPM, whatever it answers: only another owner key and no authorization are a clear. `clear-tpm.itest.ts` has a software TPM.
import { describe, expect, it } from "vitest";
import { cleared } from "@/agent/steps/platform/clear-tpm";
import type { Answer, TpmState, TpmTools } from "@/agent/tools/tools";

const free: TpmState = {
  ...{ ownerSet: false, endorsementSet: false, lockoutSet: false, clearDisabled: false },
};
const said = <Value>(value: Value | null, status = "success"): Promise<Answer<Value>> =>
  Promise.resolve({ command: "tpm2", exitCode: value === null ? 1 : 0, status, value });

/** The clear asks for none of it. */
const unasked = () => said<never>(null);

interface Tpm {
  /** Attributes before and after the clears; the last one stays. */
  readonly states?: readonly (TpmState | null)[];
  /** Keys in the order in which they are asked for. */
  readonly keys?: readonly (string | null)[];
  readonly refuses?: boolean;
  readonly firmware?: "alone" | "withPerson" | "never";
}

async function run({
  states = [free],
  keys = ["a".repeat(128), "b".repeat(128)],
  refuses = false,
  firmware = "never",
}: Tpm) {
  const [left, derived] = [[...states], [...keys]];
  let clears = 0;
  const tpm: TpmTools = {
    found: () => said(true),
    clear: () => {
      clears += 1;
      return refuses ? said<true>(null, "Esys_Clear(0x921) - lockout mode") : said<true>(true);
    },
    state: () => said((left.length > 1 ? left.shift() : left[0]) ?? null),
    ownerKey: () => said(derived.shift() ?? null, "no key"),
    onRequest: () => said(firmware),
    ...{ endorsementCertificates: unasked, makeKeys: unasked, activateCredential: unasked },
    ...{ quote: unasked, eventLog: unasked },
  };
  const { result, message } = await cleared(tpm);
  return { result, message, clears };
}

it("another key and no authorization are a clear", async () =>
  expect(await run({})).toEqual({
    ...{ result: "OK", clears: 1 },
    message:
      "the TPM was cleared: it derives the owner key bbbbbbbbbbbbbbbb… instead of aaaaaaaaaaaaaaaa…, and no authorization is set",
  }));

it("an owner authorization hides the key: it is cleared twice, and the second clear is compared", async () =>
  expect(
    await run({
      states: [{ ...free, ownerSet: true }, free],
      keys: [null, "a".repeat(128), "b".repeat(128)],
    }),
  ).toMatchObject({ result: "OK", clears: 2, message: expect.stringMatching(/^the TPM was cleared twice/) }));

describe("no clear is", () => {
  it.each<[string, Tpm, number, RegExp]>([
    ["the same key", { keys: ["a", "a"] }, 1, /still derives the owner key a…: it was not cleared$/],
    ["a key that is not told before", { keys: [null, "b"] }, 1, /owner key could not be read/],
    [
      "a key that is not told afterwards",
      { keys: ["a", null] },
      1,
      /after the clear the TPM's owner key could/,
    ],
    [
      "an authorization that stays",
      { states: [free, { ...free, endorsementSet: true }] },
      1,
      /these authorizations are still set: endorsement$/,
    ],
    ["a state that is not told", { states: [null] }, 0, /^tpm2 answered 1/],
    ["a state that is not told afterwards", { states: [free, null] }, 1, /^tpm2 answered 1/],
    ["a refusal", { refuses: true }, 1, /Esys_Clear\(0x921\) - lockout mode; its firmware offers no clear/],
    [
      "a lockout authorization, which is not tried",
      { states: [{ ...free, lockoutSet: true }], firmware: "withPerson" },
      0,
      /lockout authorization.*; its firmware clears it only with a person at the console$/,
    ],
    [
      "a clear that is disabled, which is not tried",
      { states: [{ ...free, clearDisabled: true }], firmware: "alone" },
      0,
      /\(disableClear\); its firmware can clear it without a person$/,
    ],
  ])("%s", async (_what, tpm, clears, message) =>
    expect(await run(tpm)).toEqual({ result: "ERROR", clears, message: expect.stringMatching(message) }),
  );
});
