// The test site's network controller: it disconnects the machine's only cable for a quarantine, and connects it again.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import canonicalize from "canonicalize";

export class Network {
  #machine;
  #token;
  #acknowledge;
  #server = createServer((request, response) => void this.#serve(request, response));
  /** The wanted networks, in order. @type {string[]} */
  log = [];

  /**
   * @param {import("./machine.mjs").Machine} machine
   * @param {string} token that Reclaim sends
   * @param {{ url: () => string, token: string }} acknowledge where acknowledgements go
   */
  constructor(machine, token, acknowledge) {
    this.#machine = machine;
    this.#token = token;
    this.#acknowledge = acknowledge;
  }

  /** @returns {Promise<string>} its URL */
  async listen() {
    await new Promise((done) => this.#server.listen(0, "127.0.0.1", () => done(undefined)));
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("the network controller has no port");
    return `http://127.0.0.1:${address.port}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async #serve(request, response) {
    const text = (await request.toArray()).join("");
    const answer = (/** @type {number} */ status, /** @type {object} */ content) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(content));
    };
    if (request.headers.authorization !== `Bearer ${this.#token}`)
      return answer(401, { error: "no valid token" });
    if (request.method !== "PUT" || !/^\/hosts\/[^/]+\/network$/.test(request.url ?? ""))
      return answer(404, { error: "not found" });
    const wanted = JSON.parse(text);
    const sha256 = createHash("sha256")
      .update(canonicalize(wanted) ?? "")
      .digest("hex");
    this.log.push(`${new Date().toISOString()} ${wanted.network} ${wanted.version}`);
    answer(202, { version: wanted.version, sha256 });
    // On a tenant's network a host still reaches what it boots from, as behind NICo's DPUs: a release boots it before it requests the admin network.
    await this.#machine.setLink(wanted.network !== "quarantine");
    for (const name of wanted.interfaces)
      await fetch(`${this.#acknowledge.url()}/network/v1/acknowledgements`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${this.#acknowledge.token}` },
        body: JSON.stringify({
          host: wanted.host,
          interface: name,
          version: wanted.version,
          sha256,
          extensionServices: wanted.extensionServices ? "running" : "none",
        }),
      });
  }
}
