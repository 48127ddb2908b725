// A program's libraries, compared with what this machine's loader says about the same program.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linkingOf } from "@/scripts/image/elf.mjs";

describe("what a program loads", () => {
  it("is what the loader finds for it, but for what those load in turn", () => {
    const linking = linkingOf(readFileSync(process.execPath));
    const loaded = execFileSync("ldd", [process.execPath], { encoding: "utf8" });
    expect(linking?.interpreter).toMatch(/^\/lib.*\/ld-/);
    expect(linking?.needed.length).toBeGreaterThan(2);
    for (const name of linking?.needed ?? []) expect(loaded).toContain(name);
  });

  it.each([
    [
      "a text",
      Buffer.from("#!/bin/sh\necho a text of some length that is no program, but long enough for a head\n"),
    ],
    ["nothing", Buffer.alloc(0)],
    ["a program of 32 bits", Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1]), Buffer.alloc(80)])],
  ])("is unknown of %s", (_what, bytes) => {
    expect(linkingOf(bytes)).toBeNull();
  });
});
