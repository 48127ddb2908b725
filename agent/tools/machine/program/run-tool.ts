// Runs a program of the image: by its full path, without a shell, with a time limit, and with truncated output
// (docs/design/agent.md#tools-of-a-machine).
import { spawn, type ChildProcess } from "node:child_process";

/** The outcome of a program. */
export interface Ran {
  /** Verbatim: the full path and each argument. */
  readonly command: string;
  /** The program's own; 127: it could not be started, 124: it timed out and was killed, 125: a signal ended it. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** There was more output than is kept, so it must not be taken for the whole. */
  readonly cut: boolean;
  /** Only false: it was killed but still waits in the kernel, so what it asked of a device may still be running. */
  readonly over?: false;
}

export interface RunOptions {
  readonly limitMs?: number;
  readonly input?: Uint8Array;
  /** Ends this one program. */
  readonly signal?: AbortSignal;
}

export type RunTool = (path: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** Enough for every command that only reads. */
const askLimitMs = 60_000;
/** How long a killed program is waited for: one that waits in the kernel for a dead drive does not end. */
const killedWithinMs = 1_000;
/** Maximum for each of stdout and stderr. */
const keptBytes = 1024 * 1024;

const notStarted = 127;
const tookTooLong = 124;
const endedBySignal = 125;

/** The C locale, whose numbers and words the parsers know, and a search path of the image's system folders. */
const environment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  LANG: "C",
  LC_ALL: "C",
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
};

/** An argument of these characters needs no quotes. Any other could make two arguments look like one, or one like two. */
const plain = /^[\w@%+=:,./-]+$/;
export const commandText = (path: string, args: readonly string[]): string =>
  [path, ...args].map((part) => (plain.test(part) ? part : JSON.stringify(part))).join(" ");

/** Keeps the first bytes of a stream but reads it to the end, because a program must not wait for a reader. */
class Kept {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  cut = false;

  add(part: Uint8Array): void {
    const room = keptBytes - this.#length;
    if (part.length > room) this.cut = true;
    if (room <= 0) return;
    this.#parts.push(part.subarray(0, room));
    this.#length += Math.min(part.length, room);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** A null byte would end an argument, and the program would get a different one. `spawn` throws for it. */
const hasNull = (path: string, args: readonly string[]): boolean =>
  [path, ...args].some((part) => part.includes("\0"));

/** Includes the programs that it started, which would keep its output open. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** Never rejects. Every program is killed when the signal fires, which ends the agent. */
export function toolRunner(agentEnds: AbortSignal): RunTool {
  return (path, args, { limitMs = askLimitMs, input, signal: own } = {}) =>
    new Promise((done) => {
      const signal = own === undefined ? agentEnds : AbortSignal.any([agentEnds, own]);
      const command = commandText(path, args);
      if (hasNull(path, args)) {
        const stderr = "not started: an argument has a null byte";
        done({ command, exitCode: notStarted, stdout: new Uint8Array(), stderr, cut: false });
        return;
      }
      const out = new Kept();
      const err = new Kept();
      let end: number | null = null;
      const child = spawn(path, args, { env: environment, cwd: "/", stdio: "pipe", detached: true });
      let deaf: NodeJS.Timeout | undefined;
      const kill = (code: number) => {
        end ??= code;
        killGroup(child);
        deaf ??= setTimeout(
          () => finish(end ?? endedBySignal, "killed, and not over yet", false),
          killedWithinMs,
        );
      };
      const limit = setTimeout(() => kill(tookTooLong), limitMs);
      const stop = () => kill(endedBySignal);
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      const finish = (exitCode: number, problem = "", over = true) => {
        clearTimeout(limit);
        clearTimeout(deaf);
        signal.removeEventListener("abort", stop);
        // What is left of it waits in the kernel, and is not waited for.
        child.stdout.destroy();
        child.stderr.destroy();
        child.unref();
        const said = Buffer.from(err.bytes()).toString("utf8");
        const cut = out.cut || err.cut;
        const ran = { command, exitCode, stdout: out.bytes(), stderr: `${said}${problem}`, cut };
        done(over ? ran : { ...ran, over });
      };
      child.stdout.on("data", (part: Uint8Array) => out.add(part));
      child.stderr.on("data", (part: Uint8Array) => err.add(part));
      child.stdin.on("error", () => undefined); // a program that does not read its input closes it
      child.stdin.end(input);
      child.once("error", (error) => finish(notStarted, error.message));
      child.once("close", (code, by) => {
        if (end === tookTooLong) finish(tookTooLong, `not over after ${limitMs / 1000} s, killed`);
        else finish(end ?? code ?? endedBySignal, by === null ? "" : `ended by ${by}`);
      });
    });
}
