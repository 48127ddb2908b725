// `deploy.clear_tpm` on a software TPM (swtpm) with the real tpm2-tools: a key of the last owner is gone, and what the TPM refuses is said without locking it.
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  missingPrograms,
  startSoftwareTpm,
  type SoftwareTpm,
} from "@/agent/attestation/testing/software-tpm";
import { cleared } from "@/agent/steps/platform/clear-tpm";

let tpm: SoftwareTpm;
beforeEach(async () => {
  if (missingPrograms.length > 0) throw new Error("install the Debian packages swtpm and tpm2-tools");
  tpm = await startSoftwareTpm();
});
afterEach(() => tpm.stop());

async function clearedHere() {
  const { result, message } = await cleared(tpm.tools);
  return { result, message };
}
/** What one of tpm2-tools prints. */
const told = async (program: string, ...args: readonly string[]): Promise<string> =>
  Buffer.from(await tpm.ask(program, ...args))
    .toString()
    .trim();

it("a TPM that nobody owns has another seed afterwards", async () => {
  expect(await clearedHere()).toMatchObject({
    result: "OK",
    message: expect.stringMatching(
      /^the TPM was cleared: it derives the owner key (\w{16})… instead of (?!\1)\w{16}…, and no/,
    ),
  });
});

it("keys, storage and authorizations of the last owner are gone", async () => {
  const saved = join(tpm.folder, "key.ctx");
  await tpm.ask("createprimary", "-C", "o", "-G", "ecc", "-c", saved);
  await tpm.ask("evictcontrol", "-C", "o", "-c", saved, "0x81000001");
  await tpm.ask("nvdefine", "0x1500016", "-C", "o", "-s", "32");
  await tpm.ask("changeauth", "-c", "o", "secret");
  await tpm.ask("changeauth", "-c", "e", "secret");
  expect(await clearedHere()).toMatchObject({
    result: "OK",
    message: expect.stringMatching(/^the TPM was cleared twice: it derives the owner key/),
  });
  expect(await told("getcap", "handles-persistent")).toBe("");
  expect(await told("nvreadpublic")).toBe("");
});

it("a lockout authorization of somebody else is not guessed, which would lock the TPM", async () => {
  await tpm.ask("changeauth", "-c", "l", "secret");
  expect(await clearedHere()).toEqual({
    result: "ERROR",
    message:
      "the TPM cannot be cleared: a previous system set a lockout authorization, which only its firmware can remove; its firmware offers no clear to the system, only in its setup",
  });
  // It is not locked: its owner can still use the authorization.
  await tpm.ask("clear", "-c", "l", "secret");
});

it("a clear that a previous system disabled is not tried", async () => {
  await tpm.ask("clearcontrol", "-C", "l", "s");
  expect(await clearedHere()).toMatchObject({
    result: "ERROR",
    message: expect.stringContaining("disableClear"),
  });
});

it("a refusal is told in the TPM's words", async () => {
  await tpm.ask("changeauth", "-c", "l", "secret");
  expect(await tpm.tools.clear()).toMatchObject({
    value: null,
    status: expect.stringMatching(
      /^Esys_Clear\(0x98E\) - tpm:session\(1\):the authorization HMAC check failed/,
    ),
  });
});
