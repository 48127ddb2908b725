// The whole system as processes for one test file: a database of its own, a simulated fleet, controllers behind one address, and people who act.
import { randomBytes, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { freePort } from "@/scripts/supervise/ports.mjs";
import { createHotPool } from "@/server/db/hot/pool";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { tokenHash } from "@/server/domain/access/tokens";
import { Balancer } from "@/server/testing/balancer";
import { FleetControl, type Machine } from "@/server/testing/fleet-control";
import { bundlePreviousRelease, bundlePrograms, TestProcess, type Bundle } from "@/server/testing/programs";
import { testPolicy, type PolicyChange } from "@/server/testing/test-policy";
import { until } from "@/server/testing/until";
import { createWorld, type World } from "@/server/usecases/testing/world";

export interface StackOptions {
  readonly hosts: number;
  /** How many times faster than real hardware. */
  readonly speed: number;
  /** Some machines have a boot card. */
  readonly bootCards?: boolean;
  readonly controllers?: number;
  readonly leaseMs?: number;
  /** 0: no sweep. */
  readonly sweepMs?: number;
  /** How old a reading of a host's power may become; left out: power is read only where a decision needs it. */
  readonly powerReadMs?: number;
  /** How often Ready hosts are compared with what was proven of them; left out: only at their hand-over. */
  readonly readyWatchMs?: number;
  /** How often the health of hosts is read from their BMCs; left out: never. */
  readonly bmcHealthMs?: number;
  readonly policy?: PolicyChange;
  /** Whether hosts without a machine are worked on. */
  readonly fakeHardware?: boolean;
  /** The site has nothing yet: no network controller, and the policy that a new one has. */
  readonly emptySite?: boolean;
  /** Whether there is to be a controller of the previous release, too: not started, and behind no load balancer. */
  readonly previousRelease?: boolean;
}

export interface TestController {
  readonly port: number;
  readonly process: TestProcess;
}

export interface Stack {
  readonly world: World;
  readonly pool: Pool;
  readonly fleet: FleetControl;
  readonly machines: readonly Machine[];
  readonly controllers: readonly TestController[];
  /** Where it was asked for. */
  readonly previous: TestController | null;
  readonly balancer: Balancer;
  readonly simulator: TestProcess;
  readonly bmcPassword: string;
  /** Of the simulated network controller: where it is, and the token for both ways. */
  readonly network: { readonly url: string; readonly token: string };
  /** Waits for the controller to be ready. */
  ready(controller: TestController): Promise<void>;
  /** A new version of the site's policy; reclamations that have begun keep theirs. */
  setPolicy(change: PolicyChange): Promise<void>;
  stop(): Promise<void>;
}

const startLimitMs = 180_000;

/** What has to be ended, in the order in which it began. */
class Endings {
  readonly #all: (() => Promise<void> | void)[] = [];

  add(end: () => Promise<void> | void): void {
    this.#all.push(end);
  }

  /** Starts a program that is stopped with the rest. */
  launch(process: TestProcess): TestProcess {
    this.add(() => process.stop());
    process.start();
    return process;
  }

  async run(): Promise<void> {
    for (const end of this.#all.splice(0).reverse()) await end();
  }
}

/** What the programs of one stack have in common. */
interface Site {
  readonly options: StackOptions;
  readonly encryptionKey: Buffer;
  readonly world: World;
  readonly url: string;
  readonly simulatorPort: number;
  readonly bmcPassword: string;
  readonly networkToken: string;
  readonly controlToken: string;
}

/** Starts everything and waits until it answers. On failure whatever was started is stopped. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const endings = new Endings();
  try {
    return await startPrograms(options, endings);
  } catch (error) {
    await endings.run();
    throw error;
  }
}

async function startPrograms(options: StackOptions, endings: Endings): Promise<Stack> {
  const encryptionKey = randomBytes(32);
  const bundle = await bundlePrograms();
  endings.add(() => bundle.remove());
  const world = await createWorld(encryptionKey);
  endings.add(() => world.stop());
  const pool = createHotPool(world.url, { max: 6, applicationName: "test" });
  endings.add(() => pool.end());
  const ports: number[] = [];
  for (let count = 0; count < (options.controllers ?? 1); count += 1) ports.push(await freePort());
  const balancer = new Balancer(ports);
  const url = `http://127.0.0.1:${await balancer.listen()}`;
  endings.add(() => balancer.close());
  const [bmcPassword, networkToken, controlToken] = [randomUUID(), randomUUID(), randomUUID()];
  const tokens = { bmcPassword, networkToken, controlToken };
  const site: Site = { options, encryptionKey, world, url, simulatorPort: await freePort(), ...tokens };
  if (options.emptySite !== true) await dressSite(site);

  const simulator = endings.launch(simulatorOf(site, bundle));
  const controllers = ports.map((port, index) => controllerOf(site, bundle, port, `controller-${index + 1}`));
  for (const { process } of controllers) endings.launch(process);
  const previous = options.previousRelease === true ? await previousOf(site, endings) : null;
  const fleet = new FleetControl(`http://127.0.0.1:${site.simulatorPort}`, controlToken);
  const machines = await until("the simulated fleet", startLimitMs, async () => {
    simulator.check();
    return fleet.machines().catch((error: unknown) => `not yet: ${String(error)}`);
  });
  await Promise.all(controllers.map(untilReady));
  return {
    world,
    pool,
    fleet,
    machines,
    controllers,
    previous,
    balancer,
    simulator,
    bmcPassword,
    network: { url: networkUrl(site), token: networkToken },
    ready: untilReady,
    setPolicy: (change) => writePolicy(world, change),
    stop: () => endings.run(),
  };
}

const simulatorOf = (site: Site, bundle: Bundle): TestProcess =>
  new TestProcess(bundle, "simulator", "simulator", {
    RECLAIM_SIM_PORT: String(site.simulatorPort),
    RECLAIM_SIM_HOSTS: String(site.options.hosts),
    RECLAIM_SIM_SPEED: String(site.options.speed),
    RECLAIM_SIM_SEED: "1",
    RECLAIM_SIM_BOOT_CARDS: site.options.bootCards === true ? "1" : "0",
    RECLAIM_SIM_BMC_PASSWORD: site.bmcPassword,
    RECLAIM_SIM_CONTROLLER_URL: site.url,
    RECLAIM_SIM_NETWORK_TOKEN: site.networkToken,
    RECLAIM_SIM_CONTROL_TOKEN: site.controlToken,
    RECLAIM_LOG_LEVEL: "warn",
  });

const controllerOf = (site: Site, program: Bundle, port: number, name: string): TestController => ({
  port,
  process: new TestProcess(program, "server", name, {
    DATABASE_URL: site.world.url,
    PORT: String(port),
    RECLAIM_ROLES: "controller",
    RECLAIM_BASE_URL: site.url,
    NEXTAUTH_SECRET: randomBytes(24).toString("hex"),
    RECLAIM_ENCRYPTION_KEY: site.encryptionKey.toString("base64"),
    RECLAIM_STATE_DIR: `${program.folder}/state-${name}`,
    RECLAIM_BMC_NETWORKS: "loopback",
    RECLAIM_LOG_LEVEL: "info",
    RECLAIM_LEASE_MS: String(site.options.leaseMs ?? 60_000),
    RECLAIM_SWEEP_MS: String(site.options.sweepMs ?? 1_000),
    RECLAIM_POWER_READ_MS: String(site.options.powerReadMs ?? 0),
    RECLAIM_READY_WATCH_MS: String(site.options.readyWatchMs ?? 0),
    RECLAIM_BMC_HEALTH_MS: String(site.options.bmcHealthMs ?? 0),
    RECLAIM_TAKEOVER_MS: "500",
    RECLAIM_ENABLE_FAKE: site.options.fakeHardware === true ? "1" : "0",
  }),
});

/** A controller of the previous release, not started. */
async function previousOf(site: Site, endings: Endings): Promise<TestController> {
  const before = await bundlePreviousRelease();
  endings.add(() => before.remove());
  const controller = controllerOf(site, before, await freePort(), "previous-release");
  endings.add(() => controller.process.stop());
  return controller;
}

async function untilReady({ port, process }: TestController): Promise<void> {
  await until(`${process.name} to be ready`, startLimitMs, async () => {
    process.check();
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch((error: unknown) => String(error));
    return typeof answer === "string" ? answer : answer.ok || `answers ${answer.status}`;
  });
}

async function writePolicy({ backend, siteId }: World, change: PolicyChange): Promise<void> {
  const { policyVersion } = await backend.database.site.findUniqueOrThrow({ where: { id: siteId } });
  await backend.database.sitePolicy.create({
    data: { siteId, version: policyVersion + 1, body: testPolicy(change) },
  });
  await backend.database.site.update({ where: { id: siteId }, data: { policyVersion: policyVersion + 1 } });
}

const networkUrl = ({ simulatorPort }: Pick<Site, "simulatorPort">): string =>
  `http://network.localhost:${simulatorPort}`;

/** A demo site with a network controller, as the seed makes it. */
async function dressSite({ world, networkToken: token, simulatorPort, options }: Site): Promise<void> {
  const { backend, siteId } = world;
  await backend.database.site.update({
    where: { id: siteId },
    data: {
      networkUrl: networkUrl({ simulatorPort }),
      networkToken: backend.secrets.seal(token, secretPlaces.networkToken(siteId)),
    },
  });
  await backend.database.adapterToken.create({
    data: { id: randomUUID(), hash: tokenHash(token), adapter: "network", siteId },
  });
  await writePolicy(world, options.policy ?? {});
}
