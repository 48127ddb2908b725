// Options of the bench.
import { expect, it } from "vitest";
import { parseOptions, UsageError } from "@/bench/options";

it("has defaults", () => {
  expect(parseOptions([])).toEqual({
    hosts: null,
    scale: false,
    latency: false,
    ironic: false,
    console: false,
    enrol: false,
    audit: false,
    guard: null,
    events: null,
    baselines: false,
    json: false,
    record: false,
    statements: false,
    profile: false,
    help: false,
  });
});

it("reads each", () => {
  expect(parseOptions(["--hosts", "50", "--json", "--record"])).toMatchObject({
    hosts: 50,
    json: true,
    record: true,
  });
  expect(parseOptions(["--ironic", "--hosts", "5", "--profile"])).toMatchObject({
    ironic: true,
    hosts: 5,
    profile: true,
  });
  expect(parseOptions(["--guard", "main"])).toMatchObject({ guard: "main" });
  expect(parseOptions(["--console", "--hosts", "50"])).toMatchObject({ hosts: 50, console: true });
});

it.each([
  [["--hosts", "0"]],
  [["--hosts", "many"]],
  [["--unknown"]],
  [["word"]],
  [["--scale", "--hosts", "5"]],
  [["--audit", "--hosts", "5"]],
  [["--audit", "--scale"]],
  [["--audit", "--events", "x"]],
  [["--events", "2000"]],
  [["--latency", "--hosts", "5"]],
  [["--scale", "--latency"]],
  [["--ironic", "--latency"]],
  [["--console", "--ironic"]],
  [["--console", "--profile"]],
  [["--guard"]],
  [["--guard", "main", "--scale"]],
  [["--guard", "main", "--record"]],
])("refuses %j", (args) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
});
