// A TPM in software (Debian: swtpm), as the agent's real tool layer uses it. In place of the kernel's resource manager, which ends with each program what it left
// in the TPM, it is told to do so after each.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { machineFiles } from "@/agent/tools/machine/program/files";
import { programs } from "@/agent/tools/machine/program/paths";
import { toolRunner, type RunTool } from "@/agent/tools/machine/program/run-tool";
import { tpmTools } from "@/agent/tools/machine/tpm-tools";
import type { Answer, TpmTools } from "@/agent/tools/tools";

/** Programs of Debian's swtpm and tpm2-tools that are not there. */
export const missingPrograms = ["/usr/bin/swtpm", "/usr/bin/tpm2"].filter((path) => !existsSync(path));

/** Throws with the words of a program that failed. */
export const valueOf = <Value>(answer: Pick<Answer<Value>, "status" | "value">): Value => {
  if (answer.value === null) throw new Error(answer.status);
  return answer.value;
};

export interface SoftwareTpm {
  /** `found` says what a machine with a TPM says. */
  readonly tools: TpmTools;
  /** Runs one of tpm2-tools, as somebody on the machine would. Throws if it fails. */
  readonly ask: (program: string, ...args: readonly string[]) => Promise<Uint8Array>;
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/** A free port, or null if this one (0: any) is taken. */
const freePort = (wanted: number): Promise<number | null> =>
  new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(null));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(address === null || typeof address === "string" ? null : address.port));
    });
  });

/** The first of two free ports in a row: tpm2-tools take the one after that of the commands for the control channel. */
async function freePair(): Promise<number> {
  for (;;) {
    const port = await freePort(0);
    if (port !== null && (await freePort(port + 1)) !== null) return port;
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });

/** A new TPM, with no certificate in it. */
export async function startSoftwareTpm(): Promise<SoftwareTpm> {
  const folder = mkdtempSync(join(tmpdir(), "reclaim-swtpm-"));
  const port = await freePair();
  const control = port + 1;
  const child = spawn(
    "/usr/bin/swtpm",
    [
      ...["socket", "--tpm2", "--tpmstate", `dir=${folder}`, "--flags", "not-need-init,startup-clear"],
      ...["--server", `type=tcp,port=${port},bindaddr=127.0.0.1`],
      ...["--ctrl", `type=tcp,port=${control},bindaddr=127.0.0.1`],
    ],
    { stdio: "ignore" },
  );
  // The data port takes one connection at a time; the control port tells that it is up.
  while (!(await answers(control))) {
    if (child.exitCode !== null) throw new Error(`swtpm ended with ${child.exitCode}`);
    await pause(20);
  }
  const device = `swtpm:host=127.0.0.1,port=${port}`;
  const end = new AbortController();
  const runner = toolRunner(end.signal);
  const run: RunTool = async (path, args, options) => {
    const ran = await runner(path, args, options);
    if (path.startsWith("/usr/bin/tpm2_")) await runner(programs.tpm2FlushContext, ["-T", device, "-t"]);
    return ran;
  };
  const files = { ...machineFiles, list: () => Promise.resolve(["tpm0"]) };
  return {
    folder,
    tools: tpmTools(run, files, { device, folder }),
    ask: async (program, ...args) => {
      const { exitCode, stdout, stderr } = await run(`/usr/bin/tpm2_${program}`, ["-T", device, ...args]);
      if (exitCode !== 0) throw new Error(`tpm2_${program}: ${stderr}`);
      return stdout;
    },
    stop: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill();
      await ended;
      end.abort();
      rmSync(folder, { recursive: true });
    },
  };
}
