// Ports that are chosen now and listened on later: no port is given out twice.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "@/scripts/folders.mjs";
import { freePort, reservePort } from "@/scripts/supervise/ports.mjs";

const portsModule = pathToFileURL(join(root, "scripts", "supervise", "ports.mjs")).href;
/** Another process that chooses and prints a port, then does `after`. */
const choose = (after: string) => [
  "--input-type=module",
  "-e",
  `import { freePort } from ${JSON.stringify(portsModule)}; process.stdout.write(String(await freePort())); ${after}`,
];

it("gives no port twice, though nothing listens on it yet", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
  expect(ports.map(reservePort)).toEqual(ports.map(() => false));
});

it("gives the wanted port again to the process that has it", async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
});

it("leaves a port alone that another process has chosen, until that has ended", async () => {
  const other = spawn(process.execPath, choose("setInterval(() => {}, 1e6);"), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said]: unknown[] = await once(other.stdout, "data");
  const port = Number(String(said));
  expect(await freePort(port)).not.toBe(port);
  const ended = once(other, "exit");
  other.kill("SIGKILL");
  await ended;
  expect(await freePort(port)).toBe(port);
});

it("gives back what a process had that ended by itself", () => {
  const { stdout } = spawnSync(process.execPath, choose("process.exit();"), { encoding: "utf8" });
  expect(reservePort(Number(stdout))).toBe(true);
});
