// The simulated fleet as one HTTP server: a BMC per host, the site's network controller and the control interface, distinguished by the Host header.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { Bmc } from "@/server/simulator/bmc/bmc";
import { personalities } from "@/server/simulator/bmc/personality";
import { Services } from "@/server/simulator/bmc/service/service";
import { ControlApi } from "@/server/simulator/control/control-api";
import { Desk } from "@/server/simulator/control/desk";
import { blueprint } from "@/server/simulator/fleet/blueprint";
import { hardwareTime } from "@/server/simulator/hardware-time";
import { bootProgram, type BootSurroundings } from "@/server/simulator/host/boot";
import { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { Living } from "@/server/simulator/living/living";
import { readPeople } from "@/server/simulator/living/people";
import { parseScenario } from "@/server/simulator/living/scenario";
import { NetworkController } from "@/server/simulator/network/network-controller";
import { answerRequest, send, type Answering } from "@/server/simulator/requests";
import { FleetMemory } from "@/server/simulator/state/fleet-memory";

export interface SimulatorSettings {
  readonly port: number;
  readonly hosts: number;
  readonly speed: number;
  readonly seed: number;
  readonly bmcPassword: string;
  readonly controllerUrl: string;
  /** Some Dell hosts have a BOSS card, and some Lenovo hosts an M.2 RAID kit. */
  readonly bootCards?: boolean | undefined;
  readonly networkToken: string;
  readonly controlToken: string;
  readonly deskToken?: string | undefined;
  /** Stores what hardware keeps over a restart. Without it, at every start tenants have the machines. */
  readonly stateFile?: string | undefined;
  /** What people do at the site: the text of a scenario, and the file with their logins. Without it nobody does anything. */
  readonly living?: { readonly scenario: string; readonly loginsFile: string } | undefined;
}

export interface Simulator {
  readonly port: number;
  readonly hosts: readonly SimulatedHost[];
  /** Ends all hosts and connections. */
  close(): Promise<void>;
}

/** Connections that may wait to be accepted: the BMCs of a whole fleet are contacted at once. */
const maxPending = 4_096;

/** Builds the fleet and listens on 127.0.0.1. Rejects if the port is taken, and with StateError if the state file is another fleet's. */
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
  const services = new Services(
    hosts.map((host) => new Bmc(host, kinds[host.blueprint.model], settings.bmcPassword)),
  );
  const network = new NetworkController(hosts, pool, settings.networkToken, time);
  const memory =
    settings.stateFile === undefined
      ? null
      : new FleetMemory(settings.stateFile, settings, hosts, network, log);
  memory?.recall();
  const living = livingDemo(settings, hosts, log);
  const { controllerUrl } = settings;
  const desk = new Desk({ hosts, living, controllerUrl, loginsFile: settings.living?.loginsFile });
  const control = new ControlApi({ hosts, kinds, services, port: () => portOf(server) });

  const answering: Answering = { ...settings, services, network, control, desk, time };
  const server = createServer(
    { keepAliveTimeout: 60_000, optimizeEmptyRequests: true },
    (request, response) => {
      answerRequest(answering, request, response).catch((error: unknown) => {
        log("error", "simulator", error instanceof Error ? (error.stack ?? error.message) : String(error));
        if (!response.headersSent) send(response, 500, JSON.stringify({ error: "the simulator broke" }));
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: settings.port, host: "127.0.0.1", backlog: maxPending }, resolve);
  });
  const close = async () => {
    memory?.close();
    living?.set(false);
    for (const host of hosts) host.stop();
    network.stop();
    server.closeAllConnections();
    await Promise.all([new Promise((resolve) => server.close(resolve)), pool.destroy()]);
  };
  try {
    // Only now, because a second process that finds the port taken must not touch the file.
    memory?.begin();
  } catch (error) {
    await close();
    throw error;
  }
  return { port: portOf(server), hosts, close };
}

/** Off until somebody switches it on. Throws ScenarioError. */
function livingDemo(
  { living, controllerUrl }: SimulatorSettings,
  hosts: readonly SimulatedHost[],
  log: BootSurroundings["log"],
): Living | null {
  if (living === undefined) return null;
  return new Living({
    scenario: parseScenario(living.scenario),
    hosts,
    people: () => readPeople(living.loginsFile, controllerUrl),
    log: (level, message) => log(level, "living demo", message),
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
