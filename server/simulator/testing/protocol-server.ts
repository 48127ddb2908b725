// A small controller for tests of agent and fleet: boot window, agent protocol and network acknowledgements over real HTTP, all recorded.
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  discoveryBody,
  logsBody,
  pollBody,
  progressBody,
  registerBody,
  resultBody,
  validationBody,
  type Command,
  type ExecuteCommand,
  type ErasePolicy,
  type ProgressBody,
  type RegisterBody,
  type ResultBody,
  type ValidationBody,
} from "@/server/domain/agents/protocol";
import {
  networkAcknowledgement,
  type NetworkAcknowledgement,
} from "@/server/domain/hosts/network/network-protocol";
import type { HardwareInventory, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import type { FingerprintRequest } from "@/server/domain/cleaning/sanitization/content";
import type { JournalEvent } from "@/agent/steps/results";

export const policy: ErasePolicy = {
  techniques: {
    nvme: ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-format-crypto", "nvme-format-user-data"],
    ssd: ["ata-sanitize-crypto", "ata-sanitize-block", "ata-secure-erase-enhanced"],
    hdd: ["scsi-sanitize-crypto", "ata-sanitize-crypto", "overwrite"],
    "raid-kit": [],
  },
  fallback: true,
  samplesPerDevice: 100,
  markersPerDevice: 8,
  noProgressTimeoutMs: 60_000,
};

type PlannedAnswer =
  | {
      readonly step: string;
      readonly devices?: (inventory: HardwareInventory) => StorageDevice[];
      readonly erase?: Partial<ErasePolicy>;
      readonly stepRunId?: string;
      readonly attempt?: number;
      readonly args?: ExecuteCommand["args"];
      readonly fingerprint?: FingerprintRequest;
    }
  | { readonly kind: "discover" }
  | { readonly kind: "restart" }
  | {
      readonly kind: "validate";
      readonly tests: readonly string[];
      readonly fingerprint?: FingerprintRequest;
    };

const asked = ({ fingerprint }: { readonly fingerprint?: FingerprintRequest }) =>
  fingerprint === undefined ? {} : { fingerprint };

export class ProtocolServer {
  readonly requests: string[] = [];
  readonly registered: RegisterBody[] = [];
  readonly progress: { readonly stepRunId: string; readonly body: ProgressBody }[] = [];
  readonly results: { readonly stepRunId: string; readonly body: ResultBody }[] = [];
  readonly discovered: HardwareInventory[] = [];
  readonly validated: ValidationBody[] = [];
  readonly logs: string[] = [];
  readonly acknowledgements: NetworkAcknowledgement[] = [];
  readonly journal: JournalEvent[] = [];
  windowOpen = true;
  /** How many of the next acknowledgements are answered with 503. */
  refuseAcknowledgements = 0;
  /** Called before a progress report is stored; a status other than 200 refuses it. */
  onProgress: (body: ProgressBody) => { status: number; abort: boolean } = () => ({
    status: 200,
    abort: false,
  });
  heartbeatMs = 10_000;
  readonly #queue: Command[] = [];
  #plan: PlannedAnswer[] = [];
  #session = "";
  #waiting: (() => void) | null = null;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The commands that the agent gets from now on, in order. */
  plan(...wanted: PlannedAnswer[]): void {
    this.#plan = wanted;
    this.#waiting?.();
  }

  /** Gives a command to the polling agent, or with the next answer. */
  push(command: Command): void {
    this.#queue.push(command);
    this.#waiting?.();
  }

  #next(): Command {
    const pushed = this.#queue.shift();
    if (pushed) return pushed;
    const wanted = this.#plan.shift();
    if (!wanted) return { kind: "none" };
    const id = randomUUID();
    if ("kind" in wanted)
      return wanted.kind === "validate"
        ? { kind: "validate", id, tests: [...wanted.tests], ...asked(wanted) }
        : { kind: wanted.kind, id };
    const inventory = this.registered.at(-1)?.inventory;
    return {
      kind: "execute",
      id,
      stepRunId: wanted.stepRunId ?? randomUUID(),
      attempt: wanted.attempt ?? 1,
      interface: "deploy",
      step: wanted.step,
      args: wanted.args ?? {},
      devices: inventory && wanted.devices ? wanted.devices(inventory) : [],
      erase: { ...policy, ...wanted.erase },
      ...asked(wanted),
      journal: [...this.journal],
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    this.requests.push(`${request.method} ${path}`);
    let text = "";
    for await (const piece of request) text += String(piece);
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(body === undefined ? undefined : JSON.stringify(body));
    if (path === "/boot/ipxe")
      return void response.end(
        this.windowOpen
          ? "#!ipxe\nkernel http://images/vmlinuz\ninitrd http://images/initrd\nboot\n"
          : "#!ipxe\nexit\n",
      );
    if (path === "/boot/token")
      return void (this.windowOpen ? send(200, { bootToken: "boot-token-of-this-window" }) : send(404, {}));
    const body: unknown = JSON.parse(text);
    if (path === "/network/v1/acknowledgements") {
      if (this.refuseAcknowledgements > 0) {
        this.refuseAcknowledgements -= 1;
        return void send(503, {});
      }
      this.acknowledgements.push(networkAcknowledgement.parse(body));
      return void send(204);
    }
    if (path === "/agent/v1/register") {
      this.registered.push(registerBody.parse(body));
      this.#session = randomBytes(16).toString("hex");
      return void send(200, {
        sessionToken: this.#session,
        bootEpoch: this.registered.length,
        heartbeatMs: this.heartbeatMs,
        command: this.#next(),
      });
    }
    if (request.headers.authorization !== `Bearer ${this.#session}`) return void send(401, {});
    await this.#agent(path.slice("/agent/v1/".length), body, send, response);
  }

  async #agent(
    name: string,
    body: unknown,
    send: (status: number, body?: unknown) => void,
    response: ServerResponse,
  ): Promise<void> {
    const [, stepRunId = "", act] = /^step-runs\/([^/]+)\/(progress|result)$/.exec(name) ?? [];
    if (act === "progress") {
      const report = progressBody.parse(body);
      const { status, abort } = this.onProgress(report);
      if (status !== 200) return send(status, {});
      this.progress.push({ stepRunId, body: report });
      this.journal.push(...report.journal);
      return send(200, { abort });
    }
    if (act === "result") {
      const report = resultBody.parse(body);
      this.results.push({ stepRunId, body: report });
      this.journal.push(...report.journal);
      return send(200, { command: this.#next() });
    }
    // The site does not ask for the identity of TPMs.
    if (name === "attestation/wanted") return send(200, { identity: false });
    if (name === "discovery") this.discovered.push(discoveryBody.parse(body).inventory);
    if (name === "validation") this.validated.push(validationBody.parse(body));
    if (name === "logs") {
      this.logs.push(logsBody.parse(body).text);
      return send(204);
    }
    if (name === "poll") await this.#hold(pollBody.parse(body).working, response);
    if (!response.destroyed)
      send(200, {
        command:
          name === "poll" && pollBody.parse(body).working !== null
            ? (this.#queue.shift() ?? { kind: "none" })
            : this.#next(),
      });
  }

  /** Waits until there is a command, or the agent disconnects. */
  async #hold(working: string | null, response: ServerResponse): Promise<void> {
    if (this.#queue.length > 0 || (working === null && this.#plan.length > 0)) return;
    await new Promise<void>((resolve) => {
      this.#waiting = resolve;
      response.once("close", resolve);
    });
  }
}

/** Waits until `look` finds something, for at most 20 s. */
export async function until<Value>(
  what: string,
  look: () => Value | null | undefined | false,
): Promise<Value> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited in vain for ${what}`);
}
