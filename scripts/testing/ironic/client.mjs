// Runs the real `baremetal` command (Debian's python3-ironicclient) and returns its output.
import { spawn } from "node:child_process";

/**
 * @typedef {object} Answer
 * @property {number} code exit code
 * @property {string} out standard output
 * @property {string} said standard output and error
 */

/** Whether the command is installed. @returns {Promise<string | null>} its version */
export async function clientVersion() {
  try {
    const { code, said } = await spawned(["--version"], process.env, "");
    return code === 0 ? said.trim() : null;
  } catch {
    return null;
  }
}

/**
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} input for standard input
 * @returns {Promise<Answer>}
 */
function spawned(args, env, input) {
  return new Promise((done, failed) => {
    const child = spawn("baremetal", args, {
      env: /** @type {NodeJS.ProcessEnv} */ (env),
      stdio: ["pipe", "pipe", "pipe"],
    });
    let out = "";
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
      said += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    child.once("error", failed);
    child.once("close", (code) => done({ code: code ?? -1, out, said }));
    child.stdin.on("error", () => undefined); // the command never reads it
    child.stdin.end(input);
  });
}

/** One user of the command against one server. */
export class Client {
  /**
   * @param {string} endpoint
   * @param {{ email: string, password: string }} login
   * @param {import("./commands.mjs").Commands | null} [commands] a cheaper way to run it
   */
  constructor(endpoint, { email, password }, commands = null) {
    this.commands = commands;
    this.env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      LANG: "C.UTF-8",
      no_proxy: "*",
      OS_AUTH_TYPE: "http_basic",
      OS_ENDPOINT: endpoint,
      OS_USERNAME: email,
      OS_PASSWORD: password,
    };
  }

  /** @param {readonly string[]} args @param {string} [input] */
  run(args, input = "") {
    return this.commands?.run(args, this.env, input) ?? spawned(args, this.env, input);
  }

  /** Expects success. @param {readonly string[]} args @param {string} [input] */
  async ok(args, input = "") {
    const answer = await this.run(args, input);
    if (answer.code !== 0) throw new Error(`exit code ${answer.code}: ${answer.said.trim()}`);
    return answer.out;
  }

  /** Expects success, and reads its JSON. @param {readonly string[]} args @returns {Promise<any>} */
  async json(args) {
    const out = await this.ok([...args, "-f", "json"]);
    try {
      return JSON.parse(out);
    } catch {
      throw new Error(`no JSON: ${out.slice(0, 500)}`);
    }
  }

  /** Expects a refusal with this message and exit code 1. @param {readonly string[]} args @param {RegExp} words @param {string} [input] */
  async refused(args, words, input = "") {
    const { code, said } = await this.run(args, input);
    if (code !== 1 || !words.test(said))
      throw new Error(`expected a refusal like ${words}, got exit code ${code}: ${said.trim()}`);
  }
}
