// Runs a program for a step: silent if it succeeds, with its full output if it fails.
import { spawn } from "node:child_process";
import { root } from "../folders.mjs";

/** A program that failed; `output` is its full output. */
export class CommandFailed extends Error {
  /**
   * @param {string} command
   * @param {string} why
   * @param {string} output
   */
  constructor(command, why, output) {
    super(`${command} ${why}${output.trim() === "" ? "" : `:\n${output.trim()}`}`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, name?: string, show?: boolean, signal?: AbortSignal, started?: (pid: number | undefined) => void }} [options]
 *   `env` is added to ours; `show` passes the output on as it comes; `started` is called with the process id, and with undefined once the process is gone
 * @returns {Promise<string>} standard output and standard error
 */
export function run(program, args, { env = {}, name = program, show = false, signal, started } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
      ...(signal === undefined ? {} : { signal }),
    });
    started?.(child.pid);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.once("error", (error) =>
      failed(new CommandFailed(name, `could not be run: ${error.message}`, output)),
    );
    child.once("close", (code, killedBy) => {
      started?.(undefined);
      if (code === 0) done(output);
      else
        failed(
          new CommandFailed(
            name,
            killedBy === null ? `failed with code ${code}` : `was ended by ${killedBy}`,
            output,
          ),
        );
    });
  });
}
