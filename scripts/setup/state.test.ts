// What is kept between starts: secrets and the fleet. Neither may change while data depends on it.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stateFiles } from "@/scripts/folders.mjs";
import { UsageError } from "@/scripts/start-options.mjs";
import { readState, writeState } from "@/scripts/state-file.mjs";
import { chooseFleet } from "@/scripts/setup/fleet.mjs";
import { loadSecrets } from "@/scripts/setup/secrets.mjs";

let files: ReturnType<typeof stateFiles>;
beforeEach(() => (files = stateFiles(mkdtempSync(join(tmpdir(), "reclaim state ")))));
afterEach(() => rmSync(files.folder, { recursive: true }));

const fleet = (wanted: { hosts?: number; seed?: number; empty?: boolean } = {}) =>
  chooseFleet(files, { hosts: wanted.hosts, seed: wanted.seed, empty: wanted.empty ?? false });

describe("state files", () => {
  it("are for their owner only", () => {
    writeState(files.run, { a: 1 });
    expect(statSync(files.run).mode & 0o777).toBe(0o600);
    expect(readState(files.run)).toEqual({ a: 1 });
  });

  it("say when they are damaged", () => {
    writeFileSync(files.run, "{");
    expect(() => readState(files.run)).toThrow(/is not JSON/);
  });
});

describe("loadSecrets", () => {
  it("makes them once", () => {
    const made = loadSecrets(files);
    expect(loadSecrets(files)).toEqual(made);
    expect(new Set(Object.values(made)).size).toBe(Object.keys(made).length);
    expect(Buffer.from(made.encryptionKey, "base64")).toHaveLength(32);
  });

  it("refuses to make new ones for old data", () => {
    writeState(files.postgres, { dataDir: "/somewhere" });
    expect(() => loadSecrets(files)).toThrow(/secrets.json is missing/);
  });

  it("names the one that is missing", () => {
    const { networkToken: _, ...rest } = loadSecrets(files);
    writeState(files.secrets, rest);
    expect(() => loadSecrets(files)).toThrow(/has no networkToken/);
  });
});

describe("chooseFleet", () => {
  it("is 200 hosts at first, and the same again afterwards", async () => {
    const first = await fleet();
    expect(first).toMatchObject({ hosts: 200, seed: 1 });
    expect(await fleet()).toEqual(first);
  });

  it("grows, and then stays so", async () => {
    const first = await fleet({ hosts: 5, seed: 9 });
    expect(await fleet({ hosts: 50 })).toEqual({ ...first, hosts: 50 });
    expect(await fleet()).toEqual({ ...first, hosts: 50 });
  });

  it.each([{ hosts: 4 }, { seed: 8 }, { empty: true }])(
    "refuses %j over a fleet of 5 with seed 9",
    async (wanted) => {
      await fleet({ hosts: 5, seed: 9 });
      const before = readFileSync(files.fleet, "utf8");
      await expect(fleet(wanted)).rejects.toThrow(UsageError);
      expect(readFileSync(files.fleet, "utf8")).toBe(before);
    },
  );

  it("stays empty until a fleet is asked for", async () => {
    expect(await fleet({ empty: true })).toBeUndefined();
    expect(await fleet()).toBeUndefined();
    expect(await fleet({ hosts: 3 })).toMatchObject({ hosts: 3 });
  });
});
