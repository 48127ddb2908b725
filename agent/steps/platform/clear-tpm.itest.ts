// `deploy.clear_tpm` on a software TPM (swtpm) with the real tpm2-tools: a key of the last owner is gone, and what the TPM refuses is said without locking it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "@/scripts/supervise/ports.mjs";
import { cleared } from "@/agent/steps/platform/clear-tpm";
import { toolRunner, type RunTool } from "@/agent/tools/machine/program/run-tool";
import { tpmTools } from "@/agent/tools/machine/tpm-tools";
import { until } from "@/server/testing/until";

const noFiles = {
  read: () => Promise.resolve(null),
  list: () => Promise.resolve(["tpm0"]),
  real: () => Promise.resolve(null),
  write: () => Promise.resolve("no such file"),
};

let folder = "";
let swtpm: ChildProcess;
let port = 0;
const tcti = () => `swtpm:host=127.0.0.1,port=${port}`;

const answers = (at: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = createConnection(at, "127.0.0.1");
    socket.on("connect", () => (socket.destroy(), done(true)));
    socket.on("error", () => done(false));
  });

beforeEach(async () => {
  if (!existsSync("/usr/bin/swtpm") || !existsSync("/usr/bin/tpm2_clear"))
    throw new Error("install the Debian packages swtpm and tpm2-tools");
  folder = mkdtempSync(join(tmpdir(), "swtpm-"));
  // The library expects the control port after the other one.
  for (port = await freePort(); await answers(port + 1);) port = await freePort();
  swtpm = spawn(
    "/usr/bin/swtpm",
    [
      ...["socket", "--tpm2", "--tpmstate", `dir=${folder}`, "--flags", "not-need-init,startup-clear"],
      ...["--server", `type=tcp,port=${port}`, "--ctrl", `type=tcp,port=${port + 1}`],
    ],
    { stdio: "ignore" },
  );
  await until("swtpm", 20_000, () => answers(port + 1));
});
afterEach(() => {
  swtpm.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Somebody uses the TPM. Without the kernel's resource manager, what was loaded stays until it is flushed. */
function tpm2(program: string, ...args: string[]): string {
  const ran = spawnSync(`/usr/bin/tpm2_${program}`, ["-T", tcti(), ...args], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`tpm2_${program}: ${ran.stderr}`);
  return ran.stdout;
}

/** The machine's programs, on this TPM. */
const run: RunTool = async (path, [_option, device, ...args] = []) => {
  expect(device).toBe("device:/dev/tpmrm0");
  const ran = await toolRunner(new AbortController().signal)(path, ["-T", tcti(), ...args]);
  if (path.endsWith("createprimary")) tpm2("flushcontext", "-t");
  return ran;
};

async function clearedHere() {
  const { result, message } = await cleared(tpmTools(run, noFiles));
  return { result, message };
}

it("a TPM that nobody owns has another seed afterwards", async () => {
  expect(await clearedHere()).toMatchObject({
    result: "OK",
    message: expect.stringMatching(
      /^the TPM was cleared: it derives the owner key (\w{16})… instead of (?!\1)\w{16}…, and no/,
    ),
  });
});

it("keys, storage and authorizations of the last owner are gone", async () => {
  const saved = join(folder, "key.ctx");
  tpm2("createprimary", "-C", "o", "-G", "ecc", "-c", saved);
  tpm2("evictcontrol", "-C", "o", "-c", saved, "0x81000001");
  tpm2("nvdefine", "0x1500016", "-C", "o", "-s", "32");
  tpm2("flushcontext", "-t");
  tpm2("changeauth", "-c", "o", "secret");
  tpm2("changeauth", "-c", "e", "secret");
  expect(await clearedHere()).toMatchObject({
    result: "OK",
    message: expect.stringMatching(/^the TPM was cleared twice: it derives the owner key/),
  });
  expect(tpm2("getcap", "handles-persistent").trim()).toBe("");
  expect(tpm2("nvreadpublic").trim()).toBe("");
});

it("a lockout authorization of somebody else is not guessed, which would lock the TPM", async () => {
  tpm2("changeauth", "-c", "l", "secret");
  expect(await clearedHere()).toEqual({
    result: "ERROR",
    message:
      "the TPM cannot be cleared: a previous system set a lockout authorization, which only its firmware can remove; its firmware offers no clear to the system, only in its setup",
  });
  // It is not locked: its owner can still use the authorization.
  tpm2("clear", "-c", "l", "secret");
});

it("a clear that a previous system disabled is not tried", async () => {
  tpm2("clearcontrol", "-C", "l", "s");
  expect(await clearedHere()).toMatchObject({
    result: "ERROR",
    message: expect.stringContaining("disableClear"),
  });
});

it("a refusal is told in the TPM's words", async () => {
  const tools = tpmTools(run, noFiles);
  tpm2("changeauth", "-c", "l", "secret");
  expect(await tools.clear()).toMatchObject({
    value: null,
    status: expect.stringMatching(
      /^Esys_Clear\(0x98E\) - tpm:session\(1\):the authorization HMAC check failed/,
    ),
  });
});
