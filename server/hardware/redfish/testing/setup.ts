// Shared by the Redfish tests: a client with its own clock, and a target at a test BMC.
import { afterEach, beforeEach } from "vitest";
import { hardwareTypes } from "@/server/hardware/registry";
import type { BmcLinks, BmcTarget, CallOptions, HardwareType } from "@/server/hardware/interfaces";
import { RedfishClient } from "@/server/hardware/redfish/client/client";
import type { RedfishOptions, RequestSeen } from "@/server/hardware/redfish/client/settings";
import { TreeBmc, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

/** Longer than any call takes on a busy machine. */
export const within: CallOptions = { timeoutMs: 30_000 };

/**
 * A client whose waits take no time: its clock jumps forward instead, and stands still otherwise, so that a slow machine uses up no time limit.
 * `seen` and `slept` record what it did.
 */
export function clientForTests(options: Partial<RedfishOptions> = {}) {
  const seen: RequestSeen[] = [];
  const slept: number[] = [];
  let jumpedMs = 0;
  const client = new RedfishClient({
    networks: ["loopback"],
    onRequest: (request) => seen.push(request),
    sleep: async (ms) => {
      slept.push(ms);
      jumpedMs += ms;
    },
    now: () => jumpedMs,
    // Files of firmware are where no test can reach them; what is compared is tested in firmware.test.ts.
    readDigest: async () => ({ ok: true, sha256: "a".repeat(64) }),
    ...options,
  });
  return { client, seen, slept, jump: (ms: number) => (jumpedMs += ms) };
}

export function typeOf(client: RedfishClient, name: string): HardwareType {
  const type = hardwareTypes(client, { fake: false }).get(name);
  if (type === undefined) throw new Error(`there is no hardware type ${name}`);
  return type;
}

export function targetAt(
  bmc: TreeBmc,
  links: BmcLinks | null = null,
  change: Partial<BmcTarget> = {},
): BmcTarget {
  return {
    hostId: "host-1",
    address: bmc.address,
    username: "root",
    password: bmc.password,
    links,
    powerState: null,
    ...change,
  };
}

/** Links as `discover` finds them, with a session that was opened and has proven to work. */
export async function discoveredTarget(
  bmc: TreeBmc,
  client: RedfishClient,
  change: Partial<BmcTarget> = {},
): Promise<BmcTarget & { links: BmcLinks }> {
  const target = targetAt(bmc, null, change);
  const discovered = await typeOf(client, "redfish").inventory.discover(target, within);
  if (!discovered.ok) throw new Error(discovered.error.message);
  bmc.takeLines();
  return { ...target, links: discovered.value.links };
}

/**
 * For a test file: starts a BMC of this tree for each test, passes it to `started`, and makes any number of clients with `make`; all end with
 * the test. Registers its hooks where it is called.
 */
export function bmcForEachTest(tree: TreeName, started: (bmc: TreeBmc) => void) {
  let bmc: TreeBmc;
  let made: RedfishClient[] = [];
  beforeEach(async () => {
    made = [];
    bmc = await TreeBmc.start(tree);
    started(bmc);
  });
  afterEach(async () => {
    await bmc.stop();
    await Promise.all(made.map((client) => client.close()));
  });
  return {
    make: (options: Partial<RedfishOptions> = {}) => {
      const one = clientForTests(options);
      made.push(one.client);
      return one;
    },
    power: (client: RedfishClient) => typeOf(client, "redfish").power,
  };
}
