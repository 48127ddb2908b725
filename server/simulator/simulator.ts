// The simulated fleet as one HTTP server: a BMC per host, the site's network controller and the control interface, told apart by the Host header.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { Bmc } from "@/server/simulator/bmc/bmc";
import { misbehave } from "@/server/simulator/bmc/bmc-faults";
import { personalities } from "@/server/simulator/bmc/personality";
import { ControlApi } from "@/server/simulator/control/control-api";
import { blueprint } from "@/server/simulator/fleet/blueprint";
import { hardwareTime } from "@/server/simulator/hardware-time";
import { bootProgram, type BootSurroundings } from "@/server/simulator/host/boot";
import { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { NetworkController } from "@/server/simulator/network/network-controller";
import { FleetMemory } from "@/server/simulator/state/fleet-memory";

export interface SimulatorSettings {
  readonly port: number;
  readonly hosts: number;
  readonly speed: number;
  readonly seed: number;
  readonly bmcPassword: string;
  readonly controllerUrl: string;
  /** Some Dell hosts have a BOSS card, some Lenovo hosts an M.2 RAID kit. */
  readonly bootCards?: boolean | undefined;
  readonly networkToken: string;
  readonly controlToken: string;
  /** Where what hardware keeps over a restart is kept; without one every start finds the machines in the hands of tenants. */
  readonly stateFile?: string | undefined;
}

export interface Simulator {
  readonly port: number;
  readonly hosts: readonly SimulatedHost[];
  /** Ends all hosts and connections. */
  close(): Promise<void>;
}

/** A BMC takes its time for any answer, in hardware time. */
const bmcAnswerMs = 100;
const bodyLimitBytes = 1024 * 1024;
/** Connections that may wait to be accepted: a whole fleet's BMCs are asked at once. */
const mostPending = 4_096;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > bodyLimitBytes) throw new Error("body too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function jsonOf(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return;
  if (body === undefined) response.writeHead(status, headers).end();
  else
    response
      .writeHead(status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...headers,
      })
      .end(body);
}

const bearer = (request: IncomingMessage, token: string) =>
  request.headers.authorization === `Bearer ${token}`;

/** Builds the fleet and listens on 127.0.0.1. Rejects when the port is taken, and with StateError when the state file is another fleet's. */
export async function startSimulator(
  settings: SimulatorSettings,
  log: BootSurroundings["log"],
  kinds = personalities(),
): Promise<Simulator> {
  const time = hardwareTime(settings.speed);
  const pool = new Pool(new URL(settings.controllerUrl).origin);
  const boot = bootProgram({ pool, log });
  const hosts = Array.from(
    { length: settings.hosts },
    (_, index) =>
      new SimulatedHost(blueprint(index, settings.seed, settings.bootCards), settings.seed, time, boot),
  );
  const bmcs = new Map(
    hosts.map((host) => [
      `bmc-${host.blueprint.serial.toLowerCase()}.localhost`,
      new Bmc(host, kinds[host.blueprint.model], settings.bmcPassword),
    ]),
  );
  const network = new NetworkController(hosts, pool, settings.networkToken, time);
  const memory =
    settings.stateFile === undefined
      ? null
      : new FleetMemory(settings.stateFile, settings, hosts, network, log);
  memory?.recall();
  const control = new ControlApi(hosts, kinds, () => portOf(server));

  const serveBmc = async (bmc: Bmc, request: IncomingMessage, response: ServerResponse) => {
    bmc.host.counters.redfishRequests += 1;
    const body = await bodyOf(request);
    if (bmc.host.platform.away) return void request.socket.destroy();
    if (await misbehave(bmc, request, response)) return;
    if (!time.instant) await time.wait(bmcAnswerMs);
    const header = (name: string) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    const answer = bmc.answer({ method: request.method ?? "GET", path: request.url ?? "/", header, body });
    send(response, answer.status, answer.body, { "odata-version": "4.0", ...answer.headers });
  };

  const serveNetwork = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    const hostId = /^\/hosts\/([^/]+)\/network$/.exec(path)?.[1];
    if (!bearer(request, settings.networkToken))
      return send(response, 401, JSON.stringify({ error: "no valid token" }));
    if (hostId === undefined || request.method !== "PUT")
      return send(response, 404, JSON.stringify({ error: `nothing at ${path}` }));
    const { status, body } = network.want(decodeURIComponent(hostId), jsonOf(await bodyOf(request)));
    send(response, status, JSON.stringify(body));
  };

  const serveControl = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    // What there is to enroll may be read by whoever sets the site up, too, and holds the network controller's token.
    const listing = request.method === "GET" && path.startsWith("/fleet");
    if (!bearer(request, settings.controlToken) && !(listing && bearer(request, settings.networkToken)))
      return send(response, 401, JSON.stringify({ error: "no valid token" }));
    const { status, body } = control.answer(
      request.method ?? "GET",
      new URL(path, "http://control.localhost"),
      jsonOf(await bodyOf(request)),
    );
    send(response, status, JSON.stringify(body));
  };

  const serve = (request: IncomingMessage, response: ServerResponse): Promise<void> | void => {
    const name = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
    const path = request.url ?? "/";
    const bmc = bmcs.get(name);
    if (bmc) return serveBmc(bmc, request, response);
    if (name === "network.localhost") return serveNetwork(path, request, response);
    if (path.startsWith("/network-controller/"))
      return serveNetwork(path.slice("/network-controller".length), request, response);
    if (name === "control.localhost") return serveControl(path, request, response);
    if (path.startsWith("/control/")) return serveControl(path.slice("/control".length), request, response);
    send(response, 404, JSON.stringify({ error: `no host ${name}` }));
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    Promise.resolve(serve(request, response)).catch((error: unknown) => {
      log("error", "simulator", error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) send(response, 500, JSON.stringify({ error: "the simulator broke" }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: settings.port, host: "127.0.0.1", backlog: mostPending }, resolve);
  });
  const close = async () => {
    memory?.close();
    for (const host of hosts) host.stop();
    network.stop();
    server.closeAllConnections();
    await Promise.all([new Promise((resolve) => server.close(resolve)), pool.destroy()]);
  };
  try {
    // Only now: a second process that finds the port taken must not have touched the file.
    memory?.begin();
  } catch (error) {
    await close();
    throw error;
  }
  return { port: portOf(server), hosts, close };
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
