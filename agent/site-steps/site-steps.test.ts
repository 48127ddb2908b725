// A site's own steps: the documented example as it is, every way in which a file can be wrong, and what a program is given.
import { readFile, readdir, realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ExecuteCommand } from "@/server/domain/agents/protocol";
import { hardwareManager } from "@/server/domain/agents/protocol";
import { readSiteSteps, siteStepsFolder } from "@/agent/site-steps/site-steps";
import { commandLine, siteStep } from "@/agent/site-steps/site-step";
import { readStepFile, type StepFile } from "@/agent/site-steps/step-file";
import type { Step, StepContext } from "@/agent/steps/step";
import type { Files } from "@/agent/tools/machine/program/files";
import { toolRunner, type Ran, type RunTool } from "@/agent/tools/machine/program/run-tool";

const example = fileURLToPath(new URL("../../docs/examples/site-steps", import.meta.url));
const real = toolRunner(new AbortController().signal);
const orNull = <Value>(work: Promise<Value>) => work.catch(() => null);
/** The example's folder as the root of the image. */
const exampleFiles: Files = {
  read: (path) => orNull(readFile(`${example}${path}`)),
  list: (path) => orNull(readdir(`${example}${path}`)),
  real: (path) => orNull(realpath(`${example}${path}`)),
  write: () => Promise.resolve("read only"),
};
const inExample: RunTool = (path, args, options) => real(`${example}${path}`, args, options);

const filesOf = (
  files: Readonly<Record<string, string>>,
  programs: readonly string[] = ["/opt/check"],
): Files => ({
  read: (path) => {
    const text = files[path.slice(siteStepsFolder.length + 1)];
    return Promise.resolve(text === undefined ? null : Buffer.from(text));
  },
  list: () => Promise.resolve(Object.keys(files).sort()),
  real: (path) => Promise.resolve(path === siteStepsFolder || programs.includes(path) ? path : null),
  write: () => Promise.resolve("read only"),
});

const good = {
  interface: "vendor",
  step: "check",
  summary: "Checks.",
  priority: 5,
  abortable: true,
  timeLimitSeconds: 10,
  command: ["/opt/check"],
};
const text = (changes: object = {}) => JSON.stringify({ ...good, ...changes });
const stepOf = (changes: object = {}): StepFile => {
  const read = readStepFile(text(changes));
  if (!read.ok) throw new Error(read.problem);
  return read.value;
};
const faultsOf = async (files: Readonly<Record<string, string>>) =>
  (await readSiteSteps(real, filesOf(files))).managers[0]?.faults ?? [];

async function perform(step: Step | undefined, args: ExecuteCommand["args"]) {
  const logged: string[] = [];
  const context = {
    command: { args },
    aborted: new AbortController().signal,
    log: (_level: string, line: string) => logged.push(line),
  };
  return { outcome: await step?.run(context as unknown as StepContext), logged };
}

describe("the documented example", () => {
  it("is a step, and runs", async () => {
    const { steps, managers } = await readSiteSteps(inExample, exampleFiles);
    expect(managers).toEqual([hardwareManager.parse(managers[0])]);
    expect(managers[0]).toMatchObject({
      name: "site",
      steps: [{ interface: "vendor", step: "check_links", priority: 45, timeLimitMs: 60_000, writes: false }],
    });
    expect(managers[0]).not.toHaveProperty("faults");
    expect((await perform(steps[0], { ports: 0 })).outcome).toMatchObject({
      result: "OK",
      message: expect.stringMatching(
        /check-links"? --ports 0 answered 0:\n[^]*of at least 0 ports have a link/,
      ),
      devices: [],
    });
    expect((await perform(steps[0], { ports: 4_000, verbose: true })).outcome).toMatchObject({
      result: "ERROR",
      message: expect.stringContaining("--ports 4000 --verbose answered 1"),
    });
  });
});

describe("a faulty file", () => {
  it.each<[string, string, string]>([
    ["no JSON", "{", "is no JSON"],
    ["not an object", "[]", "must be an object"],
    ["a member too much", text({ proves: ["storageSanitized"] }), "proves"],
    ["no command", JSON.stringify({ ...good, command: undefined }), "command is required"],
    ["a program without its path", text({ command: ["check"] }), "must be a full path"],
    ["a program that is not there", text({ command: ["/opt/none"] }), "the image has no /opt/none"],
    ["an interface that nobody knows", text({ interface: "site" }), "interface"],
    [
      "the name of a step of Reclaim",
      text({ interface: "deploy", step: "erase_nvme" }),
      "deploy.erase_nvme is a step of Reclaim",
    ],
    ["a reserved name", text({ step: "reboot" }), "vendor.reboot is a step of Reclaim"],
    ["no limit", text({ timeLimitSeconds: 0 }), "timeLimitSeconds"],
    [
      "an argument that is not used",
      text({ args: [{ name: "a", type: "string", description: "A." }] }),
      "does not use the argument a",
    ],
    [
      "an argument that is not declared",
      text({ command: ["/opt/check", { argument: "a" }] }),
      "which is not declared",
    ],
    [
      "a boolean without an option",
      text({
        args: [{ name: "a", type: "boolean", description: "A." }],
        command: ["/opt/check", { argument: "a" }],
      }),
      "needs an option",
    ],
    [
      "a required argument in automated plans",
      text({
        args: [{ name: "a", type: "string", description: "A.", required: true }],
        command: ["/opt/check", { argument: "a" }],
      }),
      "an automated plan gives no arguments",
    ],
    ["too long", text({ summary: "x".repeat(70_000) }), "longer than 64 KiB"],
  ])("with %s is told, and is no step", async (_what, content, problem) => {
    const { steps, managers } = await readSiteSteps(
      real,
      filesOf({ "a.json": content, "b.json": text({ step: "other" }) }),
    );
    expect(steps.map(({ step }) => step)).toEqual(["other"]);
    expect(managers[0]?.faults).toEqual([
      { file: `${siteStepsFolder}/a.json`, message: expect.stringContaining(problem) },
    ]);
    expect(hardwareManager.safeParse(managers[0]).success).toBe(true);
  });

  it("is each that is no .json file, and each of two that define a step", async () => {
    expect(await faultsOf({ "a.jsn": text() })).toMatchObject([{ message: "is no .json file" }]);
    expect(await faultsOf({ "a.json": text(), "b.json": text() })).toEqual([
      { file: `${siteStepsFolder}/a.json`, message: "b.json has the step vendor.check as well" },
      { file: `${siteStepsFolder}/b.json`, message: "a.json has the step vendor.check as well" },
    ]);
  });

  it("is told also where the folder cannot be listed, or a file not be read", async () => {
    const files = filesOf({ "a.json": text() });
    const unlisted = await readSiteSteps(real, { ...files, list: () => Promise.resolve(null) });
    expect(unlisted.managers[0]?.faults).toEqual([{ file: siteStepsFolder, message: "cannot be read" }]);
    const unread = await readSiteSteps(real, { ...files, read: () => Promise.resolve(null) });
    expect(unread.managers[0]?.faults).toMatchObject([{ message: "cannot be read" }]);
  });
});

it("an image without the folder has no manager for it; another file is another version", async () => {
  const none = { ...filesOf({}), real: () => Promise.resolve(null) };
  expect(await readSiteSteps(real, none)).toEqual({ steps: [], managers: [] });
  const versions = await Promise.all(
    [text(), text({ priority: 6 })].map(
      async (content) => (await readSiteSteps(real, filesOf({ "a.json": content }))).managers[0]?.version,
    ),
  );
  expect(new Set(versions).size).toBe(2);
});

describe("what the program is given", () => {
  const file = stepOf({
    priority: 0,
    args: [
      { name: "rack", type: "string", description: "R.", required: true },
      { name: "ports", type: "integer", description: "P." },
      { name: "all", type: "boolean", description: "A." },
    ],
    command: [
      "/opt/check",
      "--",
      { argument: "rack" },
      { argument: "ports", option: "-p" },
      { argument: "all", option: "-a" },
    ],
  });
  it.each<[ExecuteCommand["args"], readonly string[] | string]>([
    [{ rack: "A 7; rm -rf /", ports: 3, all: true }, ["--", "A 7; rm -rf /", "-p", "3", "-a"]],
    [{ rack: "A", all: false }, ["--", "A"]],
    [{}, "the argument rack is missing"],
    [{ rack: "--all" }, "the argument rack is not declared, or not of its type"],
    [{ rack: "A", ports: "3" }, "the argument ports is not declared, or not of its type"],
    [{ rack: "A", other: 1 }, "the argument other is not declared, or not of its type"],
  ])("of %j", (args, expected) => {
    const line = commandLine(file, args);
    expect(line.ok ? line.args : line.problem).toEqual(expected);
  });
});

describe("what it printed", () => {
  const printing =
    (ran: Partial<Ran>): RunTool =>
    () =>
      Promise.resolve({
        command: "/opt/check",
        exitCode: 0,
        stdout: Buffer.from(""),
        stderr: "",
        cut: false,
        ...ran,
      });
  it("is kept by its end, and the log has more", async () => {
    const { outcome, logged } = await perform(
      siteStep(stepOf(), printing({ stdout: Buffer.from(`${"x".repeat(9_000)}end`), cut: true })),
      {},
    );
    expect(outcome?.message.length).toBeLessThan(6_200);
    expect(outcome?.message).toMatch(/more than 1 MiB was printed\):\n…x+end$/);
    expect(logged.join().length).toBeGreaterThan(9_000);
  });
  it("is shown without what would move a cursor", async () => {
    const { outcome } = await perform(
      siteStep(stepOf(), printing({ exitCode: 3, stderr: "\u001b[2Jbad\n" })),
      {},
    );
    expect(outcome).toMatchObject({ result: "ERROR", message: "/opt/check answered 3:\n\uFFFD[2Jbad" });
  });
});
