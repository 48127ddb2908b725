// Makes sure that a port is free before anything is started on it.
import { connect, createServer } from "node:net";

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
      else if (code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL")
        done(undefined); // a machine without IPv6
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
