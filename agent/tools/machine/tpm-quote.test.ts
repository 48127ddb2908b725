// What the tool layer makes of the files of a quote, and of the kernel's file with the event log. A real TPM signs in agent/attestation.
import { describe, expect, it } from "vitest";
import { printing, treeOf } from "@/agent/tools/machine/testing/recorded";
import { readValues } from "@/agent/tools/machine/tpm-quote";
import { tpmTools } from "@/agent/tools/machine/tpm-tools";
import { maxEventLogBytes } from "@/server/domain/attestation/limits";
import type { Files } from "@/agent/tools/machine/program/files";

const folder = "/sys/kernel/security";
const file = `${folder}/tpm0/binary_bios_measurements`;
const logOf = (files: Files) => tpmTools(printing(""), files).eventLog();
const log = (bytes: number) => treeOf({ [`${folder}/lsm`]: "", [file]: Buffer.alloc(bytes, 1) });

describe("the event log", () => {
  it("is what the kernel shows, and none if it shows none", async () => {
    expect((await logOf(log(maxEventLogBytes))).value).toHaveLength(maxEventLogBytes);
    expect(await logOf(treeOf({ [`${folder}/lsm`]: "" }))).toMatchObject({ exitCode: 0, value: null });
    expect(await logOf(treeOf({ [`${folder}/tpm0/other`]: "" }))).toMatchObject({ exitCode: 0, value: null });
  });

  it.each<[string, Files, RegExp]>([
    ["without its file system", treeOf({}), /security is not mounted/],
    ["with an empty folder", { ...treeOf({}), list: () => Promise.resolve([]) }, /security is not mounted/],
    ["that cannot be read", { ...log(1), read: () => Promise.resolve(null) }, /measurements cannot be read/],
    ["that is too long", log(maxEventLogBytes + 1), /has 524289 bytes, and at most 524288 are accepted/],
  ])("%s is not taken for none", async (_what, files, words) => {
    expect(await logOf(files)).toMatchObject({
      exitCode: 1,
      status: expect.stringMatching(words),
      value: null,
    });
  });
});

describe("the values of a quote", () => {
  const bytes = Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
  it("are those of the registers in ascending order, one for each", () => {
    expect(readValues(bytes, [10, 9])).toEqual({ 9: "01".repeat(32), 10: "02".repeat(32) });
    expect(readValues(bytes, [9])).toBeNull();
    expect(readValues(bytes, [9, 10, 11])).toBeNull();
    expect(readValues(bytes.subarray(1), [9, 10])).toBeNull();
  });

  it("are refused if the program left none", async () => {
    const answer = await tpmTools(printing(""), treeOf({})).quote(Buffer.alloc(32), [0]);
    expect(answer).toMatchObject({ value: null, status: "its output file cannot be read" });
    expect(answer.command).toContain(`-l sha256:0 -g sha256 -q ${"00".repeat(32)} -m`);
  });
});
