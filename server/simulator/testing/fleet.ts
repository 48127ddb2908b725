// A fleet and its controller for one test, with calls to BMCs and the control interface.
import { request } from "undici";
import { afterEach, beforeEach } from "vitest";
import type { personalities } from "@/server/simulator/bmc/personality";
import { startSimulator, type Simulator } from "@/server/simulator/simulator";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { ProtocolServer } from "@/server/simulator/testing/protocol-server";

const bmcPassword = "of-all-bmcs";
export const networkToken = "network-token-0123456789";
export const controlToken = "control-token-0123456789";

export interface TestFleet {
  readonly server: ProtocolServer;
  readonly simulator: Simulator;
  readonly log: string[];
  /** The first host of a vendor, or of a model. */
  host(kind: string): SimulatedHost;
  redfish(
    host: SimulatedHost,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>;
  control(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }>;
  /** Restarts the host once into the network, as the controller does. */
  bootAgent(host: SimulatedHost): void;
  close(): Promise<void>;
}

export interface FleetOptions {
  readonly hosts?: number;
  readonly speed?: number;
  readonly seed?: number;
  readonly stateFile?: string;
  readonly bootCards?: boolean;
  readonly kinds?: ReturnType<typeof personalities>;
}

const basic = `Basic ${Buffer.from(`reclaim:${bmcPassword}`).toString("base64")}`;

/** Requests to the BMCs behind a port. */
const redfishAt =
  (port: number): TestFleet["redfish"] =>
  async (host, method, path, { body, headers = { authorization: basic } } = {}) => {
    const answer = await request(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...headers,
        host: `bmc-${host.blueprint.serial}.localhost:${port}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headersTimeout: 2_000,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };

/** Requests to the control interface behind a port. */
const controlAt =
  (port: number): TestFleet["control"] =>
  async (method, path, body) => {
    const answer = await request(`http://127.0.0.1:${port}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${controlToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };

const open: TestFleet[] = [];

/** Starts a fleet in this process, with a controller that records what its agents send. */
export async function startFleet(options: FleetOptions = {}): Promise<TestFleet> {
  const server = new ProtocolServer();
  const controllerUrl = await server.listen();
  const log: string[] = [];
  const simulator = await startSimulator(
    {
      port: 0,
      hosts: options.hosts ?? 5,
      speed: options.speed ?? 100_000,
      seed: options.seed ?? 7,
      bmcPassword,
      controllerUrl,
      networkToken,
      controlToken,
      stateFile: options.stateFile,
      bootCards: options.bootCards,
    },
    (level, host, message) => log.push(`${level} ${host} ${message}`),
    options.kinds,
  ).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  let closing: Promise<void> | undefined;
  const fleet: TestFleet = {
    server,
    simulator,
    log,
    host: (kind) => {
      const found = simulator.hosts.find(
        ({ blueprint }) => blueprint.vendor === kind || blueprint.model === kind,
      );
      if (!found) throw new Error(`no ${kind} host`);
      return found;
    },
    redfish: redfishAt(simulator.port),
    control: controlAt(simulator.port),
    bootAgent: (host) => {
      host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
      host.reset("ForceRestart");
    },
    close: () => (closing ??= simulator.close().then(() => server.close())),
  };
  open.push(fleet);
  return fleet;
}

/** A separate fleet for each test of a file, passed to `started`. Anything else that a test starts is closed after it, too. */
export function fleetForEach(started: (fleet: TestFleet) => void): void {
  beforeEach(async () => started(await startFleet()));
  afterEach(async () => {
    for (const fleet of open.splice(0)) await fleet.close();
  });
}
