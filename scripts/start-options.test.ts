// The options that `npm start` accepts and rejects.
import { describe, expect, it } from "vitest";
import { parseOptions, UsageError } from "@/scripts/start-options.mjs";

describe("parseOptions", () => {
  it("has defaults", () => {
    expect(parseOptions([], {})).toEqual({
      port: 3000,
      hosts: undefined,
      seed: undefined,
      speed: 60,
      empty: false,
      newLogins: false,
      living: true,
      data: undefined,
      help: false,
    });
  });

  it("reads every option, in both spellings", () => {
    expect(
      parseOptions(
        ["--hosts", "5000", "--speed=7", "--seed", "0", "--port", "3100", "--data", "/tmp/a b"],
        {},
      ),
    ).toMatchObject({
      hosts: 5000,
      speed: 7,
      seed: 0,
      port: 3100,
      data: "/tmp/a b",
    });
    expect(parseOptions(["--living", "off"], {}).living).toBe(false);
    expect(() => parseOptions(["--living", "maybe"], {})).toThrow(UsageError);
    expect(parseOptions(["--empty", "--new-logins", "--help"], {})).toMatchObject({
      empty: true,
      newLogins: true,
      help: true,
    });
  });

  it("takes the port from PORT, unless told otherwise", () => {
    expect(parseOptions([], { PORT: "4000" }).port).toBe(4000);
    expect(parseOptions([], { PORT: "" }).port).toBe(3000);
    expect(parseOptions(["--port", "3100"], { PORT: "nonsense" }).port).toBe(3100);
    expect(() => parseOptions([], { PORT: "nonsense" })).toThrow(/PORT must be a whole number/);
  });

  it.each([
    [["--bogus"], /--bogus/],
    [["stray"], /stray/],
    [["--hosts"], /--hosts/],
    [["--hosts", "0"], /--hosts must be a whole number from 1 to 100000, not "0"/],
    [["--hosts", "1e3"], /--hosts/],
    [["--speed", "0.5"], /--speed/],
    [["--seed", "-1"], /--seed/],
    [["--port", "65536"], /--port/],
    [["--data", " "], /--data/],
    [["--empty", "--seed", "3"], /--empty/],
  ])("refuses %j", (args, message) => {
    expect(() => parseOptions(args, {})).toThrow(UsageError);
    expect(() => parseOptions(args, {})).toThrow(message);
  });
});
