// Runs the real `baremetal` command many times: each run is a separate process, forked with the client's modules already loaded (commands.py).
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

/** @typedef {import("./client.mjs").Answer} Answer */

/** @returns {{ python: string, file: string } | null} the command's file and the Python that it names; null: it is another program */
function findCommand() {
  const file = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "baremetal"))
    .find((path) => existsSync(path));
  if (file === undefined) return null;
  const [, python] = /^#! ?(\S*python3?)\n/.exec(readFileSync(file, "utf8")) ?? [];
  return python === undefined ? null : { python, file };
}

export class Commands {
  #child;
  /** @type {{ done: (answer: Answer) => void, failed: (error: Error) => void }[]} in the order of the requests */
  #open = [];

  /** @param {string} python @param {string} file */
  constructor(python, file) {
    this.#child = spawn(python, [join(import.meta.dirname, "commands.py"), file], {
      env: { ...process.env, LANG: "C.UTF-8" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) =>
      this.#open.shift()?.done(JSON.parse(line)),
    );
    this.#child.stdin.on("error", () => undefined); // the end of the process says why
    const ended = (/** @type {unknown} */ how) => {
      for (const { failed } of this.#open.splice(0)) failed(new Error(`commands.py has ended: ${how}`));
    };
    this.#child.once("error", ended).once("exit", ended);
  }

  /** @returns {Commands | null} null if the command is not a Python script */
  static start() {
    const found = findCommand();
    return found === null ? null : new Commands(found.python, found.file);
  }

  /**
   * @param {readonly string[]} args
   * @param {Readonly<Record<string, string | undefined>>} env
   * @param {string} input for standard input
   * @returns {Promise<Answer>}
   */
  run(args, env, input) {
    return new Promise((done, failed) => {
      this.#open.push({ done, failed });
      this.#child.stdin.write(`${JSON.stringify({ args, env, input })}\n`);
    });
  }

  close() {
    this.#child.stdin.end();
  }
}
