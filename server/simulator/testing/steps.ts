// Runs the controller's clean steps against a simulated BMC as the controller does: begin, check while it runs, restart if the step asks for it.
import { componentAuthority } from "@/server/simulator/spdm/certificates";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { StepArgs } from "@/server/domain/cleaning/steps/step";
import type { PlatformBaseline, PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { FirmwareImage } from "@/server/domain/hosts/platform/rollout";
import type { Handle } from "@/server/hardware/redfish/steps/step-code";
import type { LogMarks } from "@/server/domain/repair/health/bmc/log";
import type { PlatformQuery } from "@/server/domain/hosts/platform/reading";
import type {
  BmcStorage,
  BmcTarget,
  HardwareResult,
  HealthInterface,
  HardwareType,
  Permit,
  StepCall,
  StepCode,
  StepProgress,
} from "@/server/hardware/interfaces";
import { clientForTests, typeOf } from "@/server/hardware/redfish/testing/setup";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import type { TestFleet } from "@/server/simulator/testing/fleet";
import { sleep } from "@/server/simulator/hardware-time";
import { until } from "@/server/simulator/testing/protocol-server";

const types = { dell: "idrac", lenovo: "xclarity", generic: "redfish" } as const;

export interface StepOptions {
  readonly args?: StepArgs;
  readonly baseline?: PlatformBaseline;
  /** Files of a rollout, whose versions the baseline names. */
  readonly images?: readonly FirmwareImage[];
  readonly reflash?: true;
  /** Facts about the BMC, instead of those that it reports. */
  readonly platform?: PlatformFacts;
  readonly permit?: Permit;
}

export interface Worker {
  readonly host: SimulatedHost;
  readonly client: RedfishClient;
  /** Requests that changed something since the last call, such as `PATCH /redfish/v1/…`. */
  changes(): string[];
  begin(step: string, options?: StepOptions): Promise<HardwareResult<StepProgress>>;
  /** Checks once, with that handle, what was last begun or run. */
  check(step: string, handle: Handle, options?: StepOptions): Promise<HardwareResult<StepProgress>>;
  /** From beginning to end. Restarts are counted in `restarts`. */
  run(step: string, options?: StepOptions): Promise<HardwareResult<StepProgress>>;
  restarts: number;
  /** Reads drives and platform, and counts the requests. */
  readPlatform(
    query: PlatformQuery,
  ): Promise<{ readonly result: HardwareResult<BmcStorage>; readonly requests: readonly string[] }>;
  /** What a baseline could take from this host's BMC. */
  readSettings(): Promise<BmcSettings | null>;
  readHealth(marks?: LogMarks): ReturnType<HealthInterface["read"]>;
  close(): Promise<void>;
}

const maxLooks = 40;
/** Between two checks, if hardware takes time. */
const pauseMs = 50;

/** `hardwareType`: for machines in tests, other than the vendor's own. */
export async function workerOn(
  fleet: TestFleet,
  host: SimulatedHost,
  hardwareType: string = types[host.blueprint.vendor],
): Promise<Worker> {
  const { client, seen } = clientForTests({ limits: { retryWaitsMs: [] } });
  const type = typeOf(client, hardwareType);
  const target = await discoveredTarget(fleet, host, type);
  const codeOf = (step: string): StepCode => {
    const code = type.steps.get(step);
    if (code === undefined) throw new Error(`${hardwareType} has no code for ${step}`);
    return code;
  };
  let last: StepCall | null = null;
  const callOf = async (options: StepOptions): Promise<StepCall> => {
    last = await stepCall(type, target, options);
    seen.length = 0;
    return last;
  };
  const worker: Worker = {
    host,
    client,
    restarts: 0,
    changes: () =>
      seen
        .splice(0)
        .flatMap(({ method, path }) =>
          method === "GET" || path.endsWith("/Sessions") ? [] : [`${method} ${path}`],
        ),
    begin: async (step, options = {}) => codeOf(step).begin(await callOf(options), optionsOf(options)),
    check: async (step, handle, options = {}) => {
      if (last === null) throw new Error(`nothing was begun before the look at ${step}`);
      return codeOf(step).check(last, handle, optionsOf(options));
    },
    run: async (step, options = {}) => {
      const call = await callOf(options);
      const begun = await codeOf(step).begin(call, optionsOf(options));
      return followToEnd(worker, begun, (handle) => codeOf(step).check(call, handle, optionsOf(options)));
    },
    readPlatform: async (query) => {
      seen.length = 0;
      const result = await type.inventory.storage(target, { timeoutMs: 60_000 }, query);
      return { result, requests: seen.map(({ method, path }) => `${method} ${path}`) };
    },
    async readSettings() {
      const collected = await type.inventory.collect(target, { timeoutMs: 60_000 });
      if (!collected.ok) throw new Error(collected.error.message);
      return collected.value.inventory.bmcSettings;
    },
    async readHealth(marks = {}) {
      if (type.health === undefined) throw new Error(`${hardwareType} reads no health`);
      return type.health.read(target, marks, { timeoutMs: 20_000 });
    },
    close: () => client.close(),
  };
  return worker;
}

const optionsOf = ({ permit }: StepOptions) => ({
  timeoutMs: 30_000,
  permit: permit ?? (async () => true),
});

/** The host's BMC with its links, as discovery finds them. */
async function discoveredTarget(
  fleet: TestFleet,
  { blueprint: { serial } }: SimulatedHost,
  { inventory }: HardwareType,
): Promise<BmcTarget> {
  const bare: BmcTarget = {
    hostId: serial,
    address: `http://bmc-${serial.toLowerCase()}.localhost:${fleet.simulator.port}`,
    username: "reclaim",
    password: "of-all-bmcs",
    links: null,
    powerState: null,
    componentAuthorities: componentAuthority,
  };
  const found = await inventory.discover(bare, { timeoutMs: 30_000 });
  if (!found.ok) throw new Error(found.error.message);
  return { ...bare, links: found.value.links };
}

/** A call of a step with what the BMC reports now. */
async function stepCall(
  { inventory }: HardwareType,
  target: BmcTarget,
  { args = {}, baseline, platform: known, images, reflash }: StepOptions,
): Promise<StepCall> {
  const collected = await inventory.collect(target, { timeoutMs: 30_000 });
  if (!collected.ok) throw new Error(collected.error.message);
  const { platform } = collected.value.inventory;
  const rolled = {
    ...(images === undefined ? {} : { images }),
    ...(reflash === undefined ? {} : { reflash }),
  };
  return { target, args, known: { platform: known ?? platform, baseline: baseline ?? null, ...rolled } };
}

/** Checks until the step has ended, and restarts the host if the step asks for it. */
async function followToEnd(
  worker: Worker,
  begun: HardwareResult<StepProgress>,
  check: (handle: Handle) => Promise<HardwareResult<StepProgress>>,
): Promise<HardwareResult<StepProgress>> {
  const { host } = worker;
  let result = begun;
  for (
    let look = 0;
    look < maxLooks && result.ok && (result.value.kind === "running" || result.value.kind === "restart");
    look += 1
  ) {
    if (result.value.kind === "restart") {
      worker.restarts += 1;
      host.reset("ForceRestart");
      await until("the restart", () => host.running === "tenant" || host.running === "idle");
    } else if (!host.time.instant) await sleep(pauseMs);
    result = await check(result.value.handle);
  }
  return result;
}
