// A site's own tests: the documented examples as they are, every way in which a file can be wrong, and how a program's end and output are judged.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Files } from "@/agent/tools/machine/program/files";
import type { Ran, RunTool } from "@/agent/tools/machine/program/run-tool";
import { runTests } from "@/agent/validation/run-tests";
import { readSiteTests, readTestFile, siteTestsFolder } from "@/agent/validation/site-tests";

const examples = fileURLToPath(
  new URL("../../docs/examples/site-tests/etc/reclaim/tests.d", import.meta.url),
);

const filesOf = (files: Readonly<Record<string, string>>): Files => ({
  read: (path) => {
    const text = files[path.slice(siteTestsFolder.length + 1)];
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  },
  list: () => Promise.resolve(Object.keys(files).sort()),
  real: (path) => Promise.resolve(path === siteTestsFolder || path.startsWith("/opt/") ? path : null),
  write: () => Promise.resolve("read only"),
});

const expects = {
  type: "object",
  properties: { gbps: { type: "number", minimum: 20 } },
  required: ["gbps"],
};
const text = (changes: object = {}) =>
  JSON.stringify({
    test: "gpu-bandwidth",
    summary: "Reads and writes each GPU's memory.",
    timeLimitSeconds: 60,
    command: ["/opt/site/bin/bandwidth", "--json"],
    ...changes,
  });

const ranAs =
  (ran: Partial<Ran>): RunTool =>
  (path, args) =>
    Promise.resolve({
      command: [path, ...args].join(" "),
      ...{ exitCode: 0, stdout: Buffer.from("{}"), stderr: "", cut: false },
      ...ran,
    });

/** Runs the test of these files that is named, and returns its result and what was logged. */
async function perform(run: RunTool, files: Readonly<Record<string, string>>, name = "gpu-bandwidth") {
  const logged: string[] = [];
  const siteTests = await readSiteTests(run, filesOf(files));
  const clock = { now: () => new Date(0), sleep: () => Promise.resolve() };
  const around = { clock, siteTests, log: (_: string, line: string) => logged.push(line) };
  // Tests of a site use neither the agent's tools nor its randomness.
  const [result] = await runTests(around as unknown as Parameters<typeof runTests>[0], [name]);
  return { result, logged };
}

describe("an end and an output", () => {
  it.each<[string, object, Partial<Ran>, "passed" | "failed", string]>([
    ["exit code 0, with nothing expected", {}, { stdout: Buffer.from("fine") }, "passed", "answered 0"],
    ["another exit code", {}, { exitCode: 3, stderr: "GPU 4 is lost" }, "failed", "GPU 4 is lost"],
    ["a program that was killed", {}, { exitCode: 124, over: false }, "failed", "has not ended"],
    ["what is expected", { expects }, { stdout: Buffer.from('{"gbps":25}') }, "passed", "answered 0"],
    ["too little", { expects }, { stdout: Buffer.from('{"gbps":3}') }, "failed", "output/gbps must be >= 20"],
    ["not said", { expects }, {}, "failed", "must have required property 'gbps'"],
    ["no JSON", { expects }, { stdout: Buffer.from("25 GB/s") }, "failed", "did not print JSON"],
    ["JSON with more after it", { expects }, { stdout: Buffer.from('{"gbps":25}{}') }, "failed", "JSON"],
    ["nothing", { expects }, { stdout: Buffer.from("") }, "failed", "did not print JSON"],
    ["too much", { expects }, { stdout: Buffer.from('{"gbps":25}'), cut: true }, "failed", "1 MiB"],
    [
      "what is expected, but a failure",
      { expects },
      { stdout: Buffer.from('{"gbps":25}'), exitCode: 1 },
      "failed",
      "answered 1",
    ],
  ])("%s", async (_, changes, ran, result, message) => {
    expect((await perform(ranAs(ran), { "a.json": text(changes) })).result).toMatchObject({
      name: "gpu-bandwidth",
      result,
      message: expect.stringContaining(message),
    });
  });

  it("logs what was printed, without control characters, and clips what is reported", async () => {
    const long = `\u001B[31m${"x".repeat(5_000)}`;
    const { result, logged } = await perform(ranAs({ exitCode: 1, stdout: Buffer.from(long) }), {
      "a.json": text(),
    });
    expect(logged[0]).toMatch(/^gpu-bandwidth printed:\n\uFFFD\[31mx{5000}$/);
    expect(result?.message.length).toBeLessThan(2_000);
  });
});

describe("a faulty file", () => {
  it.each<[string, string, string]>([
    ["no JSON", "{", "is no JSON"],
    ["no program", text({ command: [] }), "command"],
    ["a program without its path", text({ command: ["dcgmi"] }), "full path"],
    ["a program that is not there", text({ command: ["/usr/bin/none"] }), "the image has no /usr/bin/none"],
    ["the name of a test of Reclaim", text({ test: "storage-read" }), "is a test of Reclaim"],
    ["no time limit", text({ timeLimitSeconds: 0 }), "timeLimitSeconds"],
    ["a member that nobody knows", text({ expect: expects }), "expect"],
    ["a misspelt keyword", text({ expects: { type: "number", minimun: 20 } }), 'unknown keyword: "minimun"'],
    ["a type that is none", text({ expects: { type: "float" } }), "expects:"],
    [
      "a required member that is not declared",
      text({ expects: { type: "object", required: ["gpbs"] } }),
      "gpbs",
    ],
    [
      "members of what need not be an object",
      text({ expects: { properties: { a: { const: 1 } } } }),
      "expects:",
    ],
    ["a reference to elsewhere", text({ expects: { $ref: "https://example.com/schema.json" } }), "expects:"],
  ])("with %s defines no test: it fails, and says which file it is", async (_, content, problem) => {
    const { result } = await perform(ranAs({}), { "a.json": content });
    expect(result).toMatchObject({
      result: "failed",
      message: expect.stringMatching(/this agent has no test of this name\. Files with faults: .*a\.json/),
    });
    expect(result?.message).toContain(problem);
  });

  it("is each of two that define the same test", async () => {
    const { faults, tests } = await readSiteTests(ranAs({}), filesOf({ "a.json": text(), "b.json": text() }));
    expect([...tests.keys()]).toEqual([]);
    expect(faults).toEqual([
      { file: `${siteTestsFolder}/a.json`, message: "b.json has the test gpu-bandwidth as well" },
      { file: `${siteTestsFolder}/b.json`, message: "a.json has the test gpu-bandwidth as well" },
    ]);
  });
});

/** As ethtool prints them (ethtool.c, dump_test): its exit code is 0, or the flag ETH_TEST_FL_FAILED; 74 where the driver refuses. The cards' tests are those of Intel's e1000e. */
const loopback = (result: string, failed: number) =>
  Buffer.from(`The test result is ${result}
The test extra info:
Register test  (offline)\t 0
Eeprom test    (offline)\t 0
Interrupt test (offline)\t 0
Loopback test  (offline)\t ${failed}
Link test   (on/offline)\t 0

`);

it.each<[string, Partial<Ran>, "passed" | "failed", string]>([
  ["passes", { stdout: loopback("PASS", 0) }, "passed", "ethtool --test eth0 offline answered 0"],
  ["fails", { exitCode: 2, stdout: loopback("FAIL", 13) }, "failed", "Loopback test  (offline) 13"],
  [
    "is not offered",
    { exitCode: 74, stdout: Buffer.from(""), stderr: "Cannot test: Operation not supported" },
    "failed",
    "Cannot test: Operation not supported",
  ],
])("the example for a network card says when its test %s", async (_, ran, expected, words) => {
  const content = await readFile(`${examples}/nic_loopback.json`, "utf8");
  const { result } = await perform(
    ranAs(ran),
    { "nic_loopback.json": content.replace("/usr/sbin/", "/opt/") },
    "nic-loopback",
  );
  expect(result?.result).toBe(expected);
  expect(result?.message.replaceAll("\t", "")).toContain(words);
});

describe("a verified test", () => {
  const files = {
    "a.json": text({ test: "named" }),
    "b.json": text({ test: "checked", verified: true }),
    "c.json": text({ test: "new" }),
  };
  const names = async (requested: readonly string[], run = ranAs({})) => {
    const siteTests = await readSiteTests(run, filesOf(files));
    const clock = { now: () => new Date(0), sleep: () => Promise.resolve() };
    const around = { clock, siteTests, log: () => undefined };
    const results = await runTests(around as unknown as Parameters<typeof runTests>[0], requested);
    return results.map(({ name, result }) => `${name} ${result}`);
  };

  it("runs with those that are requested, once, and others only if they are requested", async () => {
    expect(await names(["named"])).toEqual(["named passed", "checked passed"]);
    expect(await names(["checked", "new"])).toEqual(["checked passed", "new passed"]);
  });

  it("fails like any other", async () =>
    expect(await names(["named"], ranAs({ exitCode: 1 }))).toEqual(["named failed", "checked failed"]));

  it("does not run where no test is requested", async () => expect(await names([])).toEqual([]));

  it("fails by the path of its file if that has a fault: nobody names it, and nobody would miss it", async () => {
    Object.assign(files, { "d.json": text({ test: "mistyped", verified: "yes" }) });
    expect(await names(["named"])).toEqual([
      "named passed",
      "checked passed",
      "/etc/reclaim/tests.d/d.json failed",
    ]);
    expect(await names([])).toEqual([]);
  });
});

it("every documented example is a test", async () => {
  const names = (await readdir(examples)).sort();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names)
    expect([name, readTestFile(await readFile(`${examples}/${name}`, "utf8"))]).toMatchObject([
      name,
      { ok: true },
    ]);
});
