// Tests that a site added to the image, as files in one folder: a program, and what it must print (docs/agent.md#adding-a-test).
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { readJson, readSiteFolder } from "@/agent/site-steps/site-folder";
import type { Fault, Kind, Read } from "@/agent/site-steps/site-folder";
import { clip, printable } from "@/agent/steps/results";
import type { Log } from "@/agent/surroundings";
import type { Files } from "@/agent/tools/machine/program/files";
import type { Ran, RunTool } from "@/agent/tools/machine/program/run-tool";
import { ownTests } from "@/agent/validation/own-tests";
import type { Verdict } from "@/agent/validation/verdict";

export const siteTestsFolder = "/etc/reclaim/tests.d";

/** How much of a program's output the agent's log has, from its beginning. */
const loggedCharacters = 64 * 1024;
/** How much of its end a failure says, where errors usually are. */
const toldCharacters = 1_000;

const testFile = z.strictObject({
  test: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, "must be a-z, 0-9 and -, beginning with a letter"),
  summary: z.string().regex(/^[^\p{Cc}]{1,500}$/u, "must be one line of 1 to 500 characters"),
  timeLimitSeconds: z.int().min(1).max(86_400),
  command: z
    .tuple(
      [z.string().regex(/^\/[^\0]+$/, "must be a full path")],
      z.string().regex(/^[^\0]{0,4096}$/, "must not have null bytes"),
    )
    .refine((parts) => parts.length <= 128, "must not have more than 128 parts"),
  expects: z.record(z.string(), z.json()).optional(),
  /** Runs with the tests that a host needs, without being named by them. */
  verified: z.boolean().default(false),
});

interface SiteTest extends z.infer<typeof testFile> {
  /** What is wrong with what the program printed; null: nothing. */
  readonly fault: (printed: unknown) => string | null;
}

/**
 * A keyword that JSON Schema does not have is a fault of the file and not passed over, because a misspelt `minimum` would let everything pass.
 * Throws if the schema is none.
 */
function checkOf(schema: NonNullable<z.infer<typeof testFile>["expects"]>): SiteTest["fault"] {
  const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: true, allErrors: true });
  const check = ajv.compile(schema);
  return (printed) =>
    check(printed) ? null : ajv.errorsText(check.errors?.slice(0, 20), { dataVar: "output" });
}

/** The test in a file, or what is wrong with it. Pure. */
export function readTestFile(text: string): Read<SiteTest> {
  const read = readJson(text, testFile);
  if (!read.ok) return read;
  const { test, expects } = read.value;
  if (ownTests.has(test)) return { ok: false, problem: `${test} is a test of Reclaim` };
  try {
    return {
      ok: true,
      value: { ...read.value, fault: expects === undefined ? () => null : checkOf(expects) },
    };
  } catch (error) {
    return { ok: false, problem: `expects: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const testFiles: Kind<SiteTest> = {
  folder: siteTestsFolder,
  read: readTestFile,
  programOf: ({ command }) => command[0],
  nameOf: ({ test }) => `the test ${test}`,
};

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** What is wrong with a program's end and output; null: nothing. Pure. */
function faultOf({ expects, fault }: SiteTest, { exitCode, cut, stdout, over }: Ran): string | null {
  if (over === false) return "was killed after its time limit, and has not ended";
  if (exitCode !== 0) return `answered ${exitCode}`;
  if (expects === undefined) return null;
  if (cut) return "printed more than 1 MiB, so the output is not known completely";
  const output = parsed(Buffer.from(stdout).toString("utf8"));
  return output === null ? "did not print JSON" : fault(output.value);
}

async function runTest(test: SiteTest, run: RunTool, log: Log): Promise<Verdict> {
  const [program, ...args] = test.command;
  const ran = await run(program, args, { limitMs: test.timeLimitSeconds * 1_000 });
  const printed = printable(`${Buffer.from(ran.stdout).toString("utf8")}\n${ran.stderr}`);
  if (printed !== "") log("info", clip(`${test.test} printed:\n${printed}`, loggedCharacters));
  const fault = faultOf(test, ran);
  const command = clip(ran.command, 300);
  if (fault === null) return { passed: true, message: `${command} answered 0` };
  const end = printed.length > toldCharacters ? `…${printed.slice(-toldCharacters)}` : printed;
  return { passed: false, message: `${command}: ${clip(fault, 600)}${end === "" ? "" : `\n${end}`}` };
}

export interface SiteTests {
  /** By name. */
  readonly tests: ReadonlyMap<string, (log: Log) => Promise<Verdict>>;
  /** Names of those that run with the tests that are requested, in the order of their files. */
  readonly verified: readonly string[];
  readonly faults: readonly Fault[];
}

export const noSiteTests: SiteTests = { tests: new Map(), verified: [], faults: [] };

/** Never rejects. A file with a fault defines no test, so a test that is requested by its name fails. */
export async function readSiteTests(run: RunTool, files: Files): Promise<SiteTests> {
  const found = await readSiteFolder(files, testFiles);
  if (found === null) return noSiteTests;
  const { values, faults } = found;
  return {
    tests: new Map(values.map((test) => [test.test, (log) => runTest(test, run, log)])),
    verified: values.filter(({ verified }) => verified).map(({ test }) => test),
    faults,
  };
}
