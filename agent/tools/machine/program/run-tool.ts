// Runs a program of the image: by its full path, without a shell, with a time limit, and with an output that is cut (docs/design/agent.md#tools-of-a-machine).
import { spawn, type ChildProcess } from "node:child_process";

/** What a program left behind. */
export interface Ran {
  /** Verbatim: the full path and each argument. */
  readonly command: string;
  /** That of the program; 127: it could not be started, 124: it took too long and was killed, 125: a signal ended it. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
  /** There was more output than is kept: what is there must not be taken for the whole. */
  readonly cut: boolean;
  /** Only false: it was killed and still waits in the kernel, so what it asked of a device may go on. */
  readonly over?: false;
}

export interface RunOptions {
  readonly limitMs?: number;
  readonly input?: Uint8Array;
  /** Ends this one program. */
  readonly signal?: AbortSignal;
}

export type RunTool = (path: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** Enough for every command that only asks. */
const askLimitMs = 60_000;
/** A program that waits for a dead drive in the kernel does not end when it is killed. */
const killedWithinMs = 1_000;
/** Of stdout and of stderr, each. */
const keptBytes = 1024 * 1024;

const notStarted = 127;
const tookTooLong = 124;
const endedBySignal = 125;

/** Numbers and words as the parsers know them, and no search path: a tool that starts another names it in full, too. */
const environment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  LANG: "C",
  LC_ALL: "C",
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
};

/** Characters that would make two arguments look like one, or one like two. */
const plain = /^[\w@%+=:,./-]+$/;
export const commandText = (path: string, args: readonly string[]): string =>
  [path, ...args].map((part) => (plain.test(part) ? part : JSON.stringify(part))).join(" ");

/** Keeps the first bytes of a stream, and reads on: a program must not wait for a reader. */
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

/** A null byte ends an argument: the program would be given another one. `spawn` throws for it. */
const hasNull = (path: string, args: readonly string[]): boolean =>
  [path, ...args].some((part) => part.includes("\0"));

/** With what it started: those would hold its output open. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Over already.
  }
}

/** Never rejects. Every program is killed when the signal fires, which is the end of the agent. */
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
        // What is left of it waits in the kernel: nobody waits for that.
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
      child.stdin.on("error", () => undefined); // a program that reads nothing closes it
      child.stdin.end(input);
      child.once("error", (error) => finish(notStarted, error.message));
      child.once("close", (code, by) => {
        if (end === tookTooLong) finish(tookTooLong, `not over after ${limitMs / 1000} s, killed`);
        else finish(end ?? code ?? endedBySignal, by === null ? "" : `ended by ${by}`);
      });
    });
}
