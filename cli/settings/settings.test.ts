// Where settings come from, and the file that stores them.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandError } from "@/cli/exit-codes";
import { readAllSettings, serverUrl } from "@/cli/settings/settings";
import type { GlobalOptions } from "@/cli/settings/settings";
import { writeSettings } from "@/cli/settings/settings-file";
import { loadEnvironmentConfig } from "@/cli/surroundings";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "reclaim-settings-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => join(home, ".config", "reclaim");
function keep(name: string, text: string, mode = 0o600): string {
  mkdirSync(folder(), { recursive: true });
  const path = join(folder(), name);
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}
const read = (options: GlobalOptions = {}, env: Record<string, string> = {}) => {
  const stream = new PassThrough();
  return readAllSettings(options, {
    args: [],
    environment: loadEnvironmentConfig(env),
    home,
    stdin: stream,
    stdout: stream,
    stderr: stream,
    now: () => new Date(0),
    interrupted: new AbortController().signal,
  });
};
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) =>
      error instanceof CommandError
        ? { exit: error.exit, message: error.message, advice: error.advice }
        : error,
  );

describe("a setting", () => {
  const stored = JSON.stringify({
    url: "https://file.example",
    token: "file-token",
    output: "yaml",
    utc: true,
  });
  it("is the flag's, then the environment's, then the file's, then the default", async () => {
    expect(await read()).toMatchObject({
      url: "http://localhost:3000",
      urlFrom: "default",
      token: null,
      output: "table",
      utc: false,
      yes: false,
    });
    const path = keep("config.json", stored);
    expect(await read()).toMatchObject({
      url: "https://file.example",
      urlFrom: path,
      token: "file-token",
      tokenFrom: path,
      output: "yaml",
      utc: true,
    });
    const env = { RECLAIM_URL: "https://env.example/", RECLAIM_TOKEN: "env-token" };
    expect(await read({}, env)).toMatchObject({
      url: "https://env.example",
      urlFrom: "RECLAIM_URL",
      token: "env-token",
      tokenFrom: "RECLAIM_TOKEN",
      output: "yaml",
    });
    expect(
      await read({ url: "https://flag.example/base/", token: "flag-token", output: "json" }, env),
    ).toMatchObject({
      url: "https://flag.example/base",
      urlFrom: "--url",
      token: "flag-token",
      tokenFrom: "--token",
      output: "json",
    });
  });
  it("that is empty in the environment is not set", async () =>
    expect(await read({}, { RECLAIM_URL: "", RECLAIM_TOKEN: "" })).toMatchObject({
      urlFrom: "default",
      token: null,
    }));
  it.each(["localhost:3000", "ftp://x", "https://user:pw@x", "https://x?a=b", "https://x#a", "nonsense", ""])(
    "url %j is refused",
    (text) => expect(() => serverUrl(text, "--url")).toThrow(CommandError),
  );
});

describe("the file of settings", () => {
  it("may be YAML, or anywhere", async () => {
    const path = keep("config.yaml", "url: https://yaml.example\noutput: json\n");
    expect(await read()).toMatchObject({ url: "https://yaml.example", output: "json", file: path });
    expect(await read({ config: path })).toMatchObject({ file: path });
    expect(await read({}, { RECLAIM_CONFIG: path, XDG_CONFIG_HOME: "/nowhere" })).toMatchObject({
      file: path,
    });
    expect(await read({}, { XDG_CONFIG_HOME: "/nowhere" })).toMatchObject({
      file: "/nowhere/reclaim/config.json",
      urlFrom: "default",
    });
  });
  it.each([0o604, 0o640, 0o620, 0o666])("with a token is refused with mode %o", async (mode) => {
    const path = keep("config.json", '{"token":"secret"}', mode);
    expect(await refusal(read())).toEqual({
      exit: "usage",
      message: expect.stringContaining(path),
      advice: expect.stringContaining("chmod 600"),
    });
    keep("config.json", '{"url":"https://x"}', mode);
    expect(await read()).toMatchObject({ url: "https://x" });
  });
  it.each([
    ["no JSON", "config.json", "{"],
    ["no object", "config.json", "[]"],
    ["an unknown key", "config.json", '{"uri":"x"}'],
    ["a wrong kind", "config.json", '{"utc":"yes"}'],
    ["an unknown form", "config.json", '{"output":"xml"}'],
    ["no YAML", "config.yml", "a: [b"],
  ])("with %s is refused, naming it", async (_words, name, text) => {
    keep(name, text);
    expect(await refusal(read())).toMatchObject({ exit: "usage", message: expect.stringContaining(name) });
  });
  it("that was named and is not there is refused", async () =>
    expect(await refusal(read({ config: join(home, "none.json") }))).toMatchObject({
      exit: "usage",
      message: expect.stringContaining("none.json"),
    }));
  it("twice is refused", async () => {
    keep("config.json", "{}");
    keep("config.yaml", "");
    expect(await refusal(read())).toMatchObject({
      exit: "usage",
      message: expect.stringContaining("config.yaml"),
    });
  });
  it("is written for its owner alone, also over one that was open, and leaves nothing else", async () => {
    const path = join(folder(), "config.json");
    await writeSettings(path, { token: "a" });
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o666);
    await writeSettings(path, { token: "b", url: "https://x" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ token: "b", url: "https://x" });
    expect(readdirSync(folder())).toEqual(["config.json"]);
    await writeSettings(join(folder(), "other.yaml"), { url: "https://y" });
    expect(readFileSync(join(folder(), "other.yaml"), "utf8")).toBe("url: https://y\n");
    expect(existsSync(path)).toBe(true);
  });
});

it("colour is off where somebody says so", () => {
  expect(loadEnvironmentConfig({}).colour).toBe(true);
  expect(loadEnvironmentConfig({ NO_COLOR: "1" }).colour).toBe(false);
  expect(loadEnvironmentConfig({ NO_COLOR: "" }).colour).toBe(true);
  expect(loadEnvironmentConfig({ TERM: "dumb" }).colour).toBe(false);
});
