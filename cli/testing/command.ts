// For tests: the command in this process, which is cheap (docs/adr/0035-cheap-tests.md); or as built by `npm run build`,
// in an otherwise empty folder, as a separate process.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { build } from "esbuild";
import { z } from "zod";
import { outputSchema, shapes } from "@/cli/output/shapes";
import { run } from "@/cli/run";
import { loadEnvironmentConfig } from "@/cli/surroundings";
import { command } from "@/scripts/bundles.mjs";

const schemaShape = z.looseObject({});

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly token?: string;
  readonly url?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

export interface TestCommand {
  /** For the test's files. */
  readonly folder: string;
  /** A home folder without settings. */
  readonly home: string;
  /** Runs in this process, without a terminal; returns its output and exit code. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  remove(): void;
}

/** For what a process has and a function does not: signals, broken pipes, a time zone, its own file. */
export interface BuiltCommand extends TestCommand {
  start(args: readonly string[], options?: RunOptions): Running;
  /** Runs as a separate process. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** Any JSON that a test prints must match the documented shape, with nothing extra (docs/cli.md). */
function expectDocumented(args: readonly string[], stdout: string): void {
  const asJson = /(?:-o|--output) json/.test(args.join(" ")) && !args.includes("--columns");
  const end = args.findIndex((arg) => arg.startsWith("-"));
  const words = args.slice(0, end < 0 ? args.length : end);
  const name = words
    .map((_, index) => words.slice(0, words.length - index).join(" "))
    .find((path) => path in shapes);
  if (!asJson || stdout === "") return;
  if (name === undefined) throw new Error(`${words.join(" ")} prints what is not documented: ${stdout}`);
  const validate = validators.get(name) ?? ajv.compile(schemaShape.parse(outputSchema(name)));
  validators.set(name, validate);
  const documents = name === "watch" || name === "audit follow" ? stdout.trim().split("\n") : [stdout];
  for (const text of documents)
    if (validate(JSON.parse(text)) !== true)
      throw new Error(`${name} prints what is not documented: ${ajv.errorsText(validate.errors)}\n${text}`);
}

const variablesOf = (
  home: string,
  { token, url, env }: RunOptions,
): Readonly<Record<string, string>> & { readonly HOME: string } => ({
  HOME: home,
  ...(token === undefined ? {} : { RECLAIM_TOKEN: token }),
  ...(url === undefined ? {} : { RECLAIM_URL: url }),
  ...env,
});

function newFolder(): Pick<TestCommand, "folder" | "home"> {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-command-"));
  return { folder, home: mkdtempSync(join(folder, "home-")) };
}

/** Collects what is written to it. */
class Kept extends Writable {
  text = "";
  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += piece.toString("utf8");
    done();
  }
}

export function createCommand(): TestCommand {
  const { folder, home } = newFolder();
  return {
    folder,
    home,
    run: async (args, options = {}) => {
      const variables = variablesOf(home, options);
      const [stdout, stderr] = [new Kept(), new Kept()];
      const code = await run({
        args,
        environment: loadEnvironmentConfig(variables),
        home: variables.HOME,
        stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
        stdout,
        stderr,
        now: () => new Date(),
        interrupted: new AbortController().signal,
      });
      expectDocumented(args, stdout.text);
      return { code, stdout: stdout.text, stderr: stderr.text };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function buildCommand(): Promise<BuiltCommand> {
  const { folder, home } = newFolder();
  await build({ ...command, outdir: folder });
  const living = new Set<ChildProcess>();
  const start = (args: readonly string[], options: RunOptions = {}): Running => {
    const child = spawn(process.execPath, [join(folder, "reclaim.js"), ...args], {
      cwd: folder,
      env: {
        NODE_ENV: "production",
        PATH: process.env.PATH,
        TZ: "Europe/Berlin",
        ...variablesOf(home, options),
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    living.add(child);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (stdout += piece));
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (stderr += piece));
    child.stdin.on("error", () => undefined); // the process ended without reading
    child.stdin.end(options.stdin ?? "");
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        living.delete(child);
        resolve({ code, stdout, stderr });
      });
    });
    return { child, stdout: () => stdout, stderr: () => stderr, ended };
  };
  return {
    folder,
    home,
    start,
    run: async (args, options) => {
      const ended = await start(args, options).ended;
      expectDocumented(args, ended.stdout);
      return ended;
    },
    remove: () => {
      for (const child of living) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
