// The agent's tool layer lets a real TPM in software sign quotes, and the real rules of the server check them; so does `tpm2_checkquote`.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  missingPrograms,
  startSoftwareTpm,
  valueOf,
  type SoftwareTpm,
} from "@/agent/attestation/testing/software-tpm";
import { measuredPcrs, nonceBytes } from "@/server/domain/attestation/limits";
import { verifyQuote } from "@/server/domain/attestation/measured/verify-quote";

const execute = promisify(execFile);
const zeros = "0".repeat(64);
const nonce = randomBytes(nonceBytes);

describe.runIf(missingPrograms.length === 0)("a quote of a TPM in software", () => {
  let tpm: SoftwareTpm;
  beforeAll(async () => {
    tpm = await startSoftwareTpm();
    await tpm.ask("pcrextend", `4:sha256=${"4".repeat(64)}`);
  });
  afterAll(() => tpm.stop());

  const quoted = async (pcrs: readonly number[] = measuredPcrs) => ({
    ...valueOf(await tpm.tools.quote(nonce, pcrs)),
    eventLog: null,
  });
  const at = (name: string) => join(tpm.folder, name);
  /** By the program itself, as somebody on the machine would. */
  const askedFor = async (program: "gettime" | "quote", ...args: readonly string[]) => {
    const [key, message, signature] = [at("reclaim-tpm-ak.ctx"), at("m"), at("s")];
    const output =
      program === "quote" ? ["-m", message, "-s", signature] : ["--attestation", message, "-o", signature];
    await tpm.ask(program, "-c", key, "-q", nonce.toString("hex"), ...output, ...args);
    return { message: readFileSync(message), signature: readFileSync(signature) };
  };
  const newKey = async () => valueOf(await tpm.tools.makeKeys("ecc")).attestationKey;
  const asked = { nonce, pcrs: measuredPcrs };

  it("is accepted with the values of its registers", async () => {
    const found = verifyQuote(await newKey(), asked, await quoted());
    expect(found.pcrs).toMatchObject({ 0: zeros, 3: zeros, 9: zeros });
    expect(found.pcrs[4]).toMatch(/^(?!0{64})[0-9a-f]{64}$/);
    expect(Object.keys(found.pcrs)).toHaveLength(measuredPcrs.length);
    expect(found.firmware).toMatch(/^[0-9a-f]{16}$/);
    expect(found.clock).toMatch(/^[0-9]+$/);
  });

  it("is accepted with registers in whatever order they are asked for", async () => {
    const pcrs = [7, 4, 0];
    const found = verifyQuote(await newKey(), { nonce, pcrs }, await quoted(pcrs));
    expect(Object.keys(found.pcrs)).toEqual(["0", "4", "7"]);
    expect(found.pcrs[4]).not.toBe(zeros);
  });

  it("shows a register that was extended since, and not with the values of before", async () => {
    const key = await newKey();
    const before = await quoted();
    await tpm.ask("pcrextend", `9:sha256=${"9".repeat(64)}`);
    const after = await quoted();
    expect(verifyQuote(key, asked, after).pcrs[9]).not.toBe(verifyQuote(key, asked, before).pcrs[9]);
    expect(() => verifyQuote(key, asked, { ...after, pcrs: before.pcrs })).toThrow(/do not give the digest/);
  });

  it("is refused for another nonce, another selection, another bank and another key", async () => {
    const earlier = await newKey();
    const key = await newKey();
    const claim = await quoted();
    expect(() => verifyQuote(key, { ...asked, nonce: randomBytes(nonceBytes) }, claim)).toThrow(
      /another nonce/,
    );
    expect(() => verifyQuote(key, { ...asked, pcrs: [0, 4] }, claim)).toThrow(/of the registers 0, 1/);
    // The key that is there now was not the one that was proven before.
    expect(() => verifyQuote(earlier, asked, claim)).toThrow(/not one of the attestation key/);
    const sha1 = await askedFor("quote", "-l", "sha1:0,1,2,3,4,5,6,7,8,9");
    expect(() => verifyQuote(key, asked, { ...claim, ...sha1 })).toThrow(/registers of 0x4/);
  });

  it("does not stand in place of another statement that the key signed", async () => {
    const key = await newKey();
    const statement = await askedFor("gettime");
    expect(() => verifyQuote(key, asked, { pcrs: {}, eventLog: null, ...statement })).toThrow(
      /0x8019, and no quote/,
    );
  });

  it("of a key that signs whatever it is given proves nothing, whoever made the message", async () => {
    const [context, area] = [at("free.ctx"), at("free.pub")];
    await tpm.ask(
      "createprimary",
      "-C",
      "o",
      "-G",
      "ecc256:ecdsa-sha256:null",
      "-c",
      context,
      "-a",
      "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|sign",
    );
    await tpm.ask("readpublic", "-c", context, "-o", area);
    await newKey();
    const claim = await quoted();
    expect(() => verifyQuote(readFileSync(area), asked, claim)).toThrow(
      /the attestation key is not restricted/,
    );
  });

  it("is accepted again with new keys after the TPM was cleared, and none of before", async () => {
    const earlier = await newKey();
    const before = await quoted();
    expect((await tpm.tools.clear()).value).toBe(true);
    expect(await tpm.tools.quote(nonce, measuredPcrs)).toMatchObject({ value: null });
    const key = await newKey();
    const claim = await quoted();
    expect(verifyQuote(earlier, asked, before).resetCount).toBeGreaterThan(0);
    expect(verifyQuote(key, asked, claim).resetCount).toBe(0);
    expect(() => verifyQuote(key, asked, before)).toThrow(/not one of the attestation key/);
    expect(() => verifyQuote(earlier, asked, claim)).toThrow(/not one of the attestation key/);
  });

  it.each(["rsassa", "rsapss"])("of an RSA key that signs with %s is accepted", async (scheme) => {
    await newKey();
    const [ek, ak, area] = [at("reclaim-tpm-ek.ctx"), at("reclaim-tpm-ak.ctx"), at("rsa.pub")];
    await tpm.ask("createak", "-C", ek, "-c", ak, "-u", area, "-G", "rsa", "-g", "sha256", "-s", scheme);
    const registers = { 0: zeros, 5: zeros };
    const signed = await askedFor("quote", "-l", "sha256:0,5", "--scheme", scheme);
    const claim = { ...signed, pcrs: registers, eventLog: null };
    expect(verifyQuote(readFileSync(area), { nonce, pcrs: [0, 5] }, claim).pcrs).toEqual(registers);
  });

  // The program itself cannot read the values of eight registers or more (tpm2-tools issue 3542): all registers are checked without them, seven with them.
  it.each([
    ["all registers", measuredPcrs, false],
    ["seven, with their values", [0, 1, 2, 3, 4, 5, 6], true],
  ])("passes tpm2_checkquote too, which refuses another nonce (%s)", async (_what, pcrs, hasValues) => {
    const key = await newKey();
    const claim = await quoted(pcrs);
    writeFileSync(at("check.key"), key);
    writeFileSync(at("m"), claim.message);
    writeFileSync(at("s"), claim.signature);
    writeFileSync(at("v"), Buffer.from(Object.values(claim.pcrs).join(""), "hex"));
    const files = ["-u", at("check.key"), "-m", at("m"), "-s", at("s"), "-g", "sha256"];
    const values = hasValues ? ["-f", at("v"), "-l", `sha256:${pcrs.join(",")}`] : [];
    const check = (hex: string) => execute("/usr/bin/tpm2_checkquote", [...files, ...values, "-q", hex]);
    await check(nonce.toString("hex"));
    await expect(check(randomBytes(nonceBytes).toString("hex"))).rejects.toThrow(/checkquote/);
    expect(verifyQuote(key, { nonce, pcrs }, claim).pcrs).toEqual(claim.pcrs);
  });
});

if (missingPrograms.length > 0)
  it("is NOT TESTED without swtpm and tpm2-tools (Debian: apt-get install swtpm tpm2-tools)", () => {
    console.warn("NOT TESTED: quotes of a TPM in software. Debian: apt-get install swtpm tpm2-tools");
  });
