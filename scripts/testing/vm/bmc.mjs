// A small Redfish service for a QEMU machine: its power, its boot source, and the parts that a BMC lists. It shares no code with Reclaim's own simulator.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { root, system } from "./bmc-paths.mjs";
import { resources } from "./bmc-resources.mjs";

/**
 * @typedef {import("./machine.mjs").Machine} Machine
 */

/** How long a system may take to shut down after its button is pressed, in ms. */
const patienceMs = 20_000;

export class Bmc {
  #machine;
  #identity;
  #parts;
  #account;
  #versions;
  #sessions = new Map();
  #boot = { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" };
  /** Pretends that the machine started an hour ago: a first start within seconds of this one would be lost in the tolerance for jitter of BMC times. */
  #lastReset = new Date(Date.now() - 3_600_000);
  #version = 1;
  #server = createServer((request, response) => {
    this.#serve(request, response).catch((error) => {
      this.onFault(error);
      response.writeHead(500).end();
    });
  });
  /** Powers off a system that does not shut down after its button is pressed. @type {NodeJS.Timeout | undefined} */
  #patience;
  /** Called when the machine or this service fails, so that the test cannot continue. @type {(error: unknown) => void} */
  onFault = () => undefined;
  /** Power requests with their times, for the test's log. @type {string[]} */
  log = [];

  /**
   * @param {Machine} machine
   * @param {import("./machine.mjs").Identity} identity
   * @param {() => readonly import("./bmc-resources.mjs").Part[]} parts
   * @param {{ account: { username: string, password: string }, firmwareVersion: string, bmcVersion: string }} shown
   */
  constructor(machine, identity, parts, { account, ...versions }) {
    this.#machine = machine;
    this.#identity = identity;
    this.#parts = parts;
    this.#account = account;
    this.#versions = versions;
    machine.onEnd = (how) => {
      this.#note(`the machine ended by itself: ${how}`);
      if (how === "restart") this.#start().catch((error) => this.onFault(error));
    };
  }

  /** @returns {Promise<string>} its URL */
  async listen() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", () => done(undefined)));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the BMC has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    clearTimeout(this.#patience);
    await this.#machine.scrap();
  }

  #note(/** @type {string} */ text) {
    this.log.push(`${new Date().toISOString()} ${text}`);
  }

  /** Uses the boot source that was set, once or persistently. */
  async #start() {
    clearTimeout(this.#patience);
    const { BootSourceOverrideEnabled: enabled, BootSourceOverrideTarget: target } = this.#boot;
    const first = enabled !== "Disabled" && target === "Pxe" ? "network" : "disk";
    if (enabled === "Once")
      this.#boot = { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None" };
    this.#lastReset = new Date();
    this.#version += 1;
    this.#note(`power on, from the ${first}`);
    await this.#machine.powerOn(first);
  }

  /** The machine loses power unexpectedly, and stays off. */
  async losePower() {
    this.#note("the power fails");
    await this.#machine.powerOff();
  }

  /** Somebody turns it off and on at its button. */
  async switchOffAndOn() {
    this.#note("somebody switches it off and on");
    await this.#machine.powerOff();
    await this.#start();
  }

  /** @param {string} type @returns {Promise<boolean>} whether this type of reset exists */
  async #reset(type) {
    this.#note(`reset ${type}`);
    switch (type) {
      case "On":
        if (!this.#machine.isOn) await this.#start();
        return true;
      case "ForceOff":
        await this.#machine.powerOff();
        return true;
      case "GracefulShutdown":
        await this.#machine.pressButton();
        clearTimeout(this.#patience);
        this.#patience = setTimeout(() => {
          this.#machine.powerOff().catch((error) => this.onFault(error));
        }, patienceMs).unref();
        return true;
      case "ForceRestart":
      case "PowerCycle":
        await this.#machine.powerOff();
        await this.#start();
        return true;
      default:
        return false;
    }
  }

  #shown() {
    return resources({
      identity: this.#identity,
      parts: this.#parts(),
      on: this.#machine.isOn,
      boot: this.#boot,
      lastReset: this.#lastReset,
      sessions: [...this.#sessions.values()],
      account: this.#account.username,
      ...this.#versions,
    });
  }

  /** @param {import("node:http").IncomingMessage} request */
  #signedIn(request) {
    const basic = `Basic ${Buffer.from(`${this.#account.username}:${this.#account.password}`).toString("base64")}`;
    return request.headers.authorization === basic || this.#sessions.has(request.headers["x-auth-token"]);
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async #serve(request, response) {
    const path = (request.url ?? "/").split("?")[0]?.replace(/\/$/, "") ?? "";
    const text = (await request.toArray()).join("");
    const body = text === "" ? {} : JSON.parse(text);
    const answer = (
      /** @type {number} */ status,
      /** @type {object | undefined} */ content,
      headers = {},
    ) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(content === undefined ? undefined : JSON.stringify(content));
    };
    const sessions = `${root}/SessionService/Sessions`;
    if (request.method === "POST" && path === sessions) return this.#signIn(body, answer);
    if (path !== root && !this.#signedIn(request))
      return answer(401, { error: { code: "Base.1.8.NoValidSession" } });
    if (request.method === "DELETE" && path.startsWith(`${sessions}/`)) {
      for (const [token, at] of this.#sessions) if (at === path) this.#sessions.delete(token);
      return answer(204, undefined);
    }
    if (request.method === "PATCH" && path === system) {
      this.#boot = { ...this.#boot, ...pick(body.Boot) };
      this.#version += 1;
      this.#note(`boot source ${JSON.stringify(this.#boot)}`);
      return answer(204, undefined);
    }
    if (request.method === "POST" && path === `${system}/Actions/ComputerSystem.Reset`)
      return (await this.#reset(body.ResetType))
        ? answer(204, undefined)
        : answer(400, { error: { code: "Base.1.8.ActionParameterNotSupported" } });
    const found = request.method === "GET" ? this.#shown()[path] : undefined;
    if (found === undefined) return answer(404, { error: { code: "Base.1.8.ResourceMissingAtURI" } });
    return answer(200, { "@odata.id": path, ...found }, { etag: `W/"${this.#version}"` });
  }

  /**
   * @param {{ UserName?: unknown, Password?: unknown }} given
   * @param {(status: number, content: object | undefined, headers?: Record<string, string>) => void} answer
   */
  #signIn({ UserName, Password }, answer) {
    if (UserName !== this.#account.username || Password !== this.#account.password)
      return answer(401, { error: { code: "Base.1.8.ResourceAtUriUnauthorized" } });
    const token = randomBytes(16).toString("hex");
    const path = `${root}/SessionService/Sessions/${this.#sessions.size + 1}-${token.slice(0, 4)}`;
    this.#sessions.set(token, path);
    return answer(201, { "@odata.id": path }, { "x-auth-token": token, location: path });
  }
}

/** The boot source of a PATCH. @param {Record<string, string>} given */
function pick({ BootSourceOverrideEnabled, BootSourceOverrideTarget }) {
  return {
    ...(BootSourceOverrideEnabled === undefined ? {} : { BootSourceOverrideEnabled }),
    ...(BootSourceOverrideTarget === undefined ? {} : { BootSourceOverrideTarget }),
  };
}
