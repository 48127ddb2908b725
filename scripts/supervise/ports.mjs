// Makes sure that a port is free before anything is started on it.
import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Holds a file for each port that a process has chosen but may not listen on yet, so that two checkouts on one machine do not choose the same. */
const reservations = join(tmpdir(), "reclaim-ports");
/** The reservations of this process. @type {Set<string>} */
const ours = new Set();
process.once("exit", () => {
  for (const file of ours) rmSync(file, { force: true });
});

/**
 * @param {number} port
 * @param {string} [host] all addresses if not given
 * @returns {Promise<string | undefined>} why the port cannot be used
 */
function trial(port, host) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error) => {
      const code = "code" in error ? error.code : undefined;
      if (code === "EADDRINUSE") done("is in use by another program");
      else if (code === "EACCES") done("may only be used by root");
      else if (code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL") done(undefined); // a machine without IPv6
      else done(`cannot be used: ${error.message}`);
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () =>
      server.close(() => done(undefined)),
    );
  });
}

/**
 * @param {number} port
 * @returns {Promise<string | undefined>} why the port cannot be used, on any address or on loopback
 */
export async function portProblem(port) {
  return (await trial(port)) ?? (await trial(port, "127.0.0.1"));
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether something accepts connections there
 */
export function answers(port) {
  return new Promise((done) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 });
    const end = (/** @type {boolean} */ result) => {
      socket.destroy();
      done(result);
    };
    socket
      .once("connect", () => end(true))
      .once("error", () => end(false))
      .once("timeout", () => end(false));
  });
}

/** @param {number} pid */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // it belongs to another user
  }
}

/**
 * Reserves a port against our other processes for as long as this one lives.
 * @param {number} port
 * @returns {boolean} false: a living process has reserved it, perhaps this one
 */
export function reservePort(port) {
  const file = join(reservations, String(port));
  try {
    mkdirSync(reservations, { recursive: true, mode: 0o1777 });
    for (;;) {
      try {
        writeFileSync(file, String(process.pid), { flag: "wx" });
        ours.add(file);
        return true;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      }
      const holder = Number(readFileSync(file, "utf8"));
      if (holder === 0 || lives(holder)) return false;
      rmSync(file, { force: true }); // left by a process that was killed
    }
  } catch {
    return true; // the folder belongs to another user: the best we can do is a trial
  }
}

/**
 * A port on loopback that is free now and that no other process of ours has chosen: the wanted one if possible, otherwise one below the range that
 * systems use for outgoing connections, so that it is likely to be free at the next start as well.
 * @param {number} [wanted]
 * @returns {Promise<number>}
 */
export async function freePort(wanted) {
  for (let attempt = 0, port = wanted; attempt < 100; attempt += 1, port = undefined) {
    const candidate = port ?? randomInt(20_000, 32_000);
    const isOurs = candidate === wanted && ours.has(join(reservations, String(candidate)));
    if (!isOurs && !reservePort(candidate)) continue;
    if ((await portProblem(candidate)) === undefined) return candidate;
  }
  throw new Error("found no free port");
}
