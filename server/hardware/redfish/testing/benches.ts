// A captured BMC and a client for each test of a file.
import { afterEach, beforeEach } from "vitest";
import type { BmcTarget, HardwareType, InventoryInterface } from "@/server/hardware/interfaces";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, discoveredTarget, targetAt, typeOf } from "@/server/hardware/redfish/testing/setup";
import { TreeBmc, type TreeName } from "@/server/hardware/redfish/testing/tree-bmc";

type Fixture = ReturnType<typeof clientForTests> & { readonly bmc: TreeBmc };

/** Starts a BMC and its client when a test asks for it, and stops both after the test. */
function fixtureOfTest(): { start(tree: TreeName): Promise<Fixture>; current(): Fixture } {
  let fixture: Fixture | null = null;
  const current = (): Fixture => {
    if (fixture === null) throw new Error("no BMC was started in this test");
    return fixture;
  };
  const end = async (): Promise<void> => {
    await fixture?.bmc.stop();
    await fixture?.client.close();
    fixture = null;
  };
  afterEach(end);
  return {
    current,
    start: async (tree) => {
      await end();
      return (fixture = { ...clientForTests(), bmc: await TreeBmc.start(tree) });
    },
  };
}

export interface InventoryBench {
  readonly bmc: TreeBmc;
  /** Moves the client's clock forward. */
  jump(ms: number): void;
  start(tree: TreeName, hardwareType: string): Promise<InventoryInterface>;
  collect(
    tree: TreeName,
    hardwareType: string,
    fault?: TreeBmc["fault"],
  ): ReturnType<InventoryInterface["collect"]>;
}

/** Call it once at the top of a file that reads inventories. */
export function inventoryBench(): InventoryBench {
  const { start, current } = fixtureOfTest();
  const bench: InventoryBench = {
    get bmc() {
      return current().bmc;
    },
    jump: (ms) => void current().jump(ms),
    start: async (tree, hardwareType) => typeOf((await start(tree)).client, hardwareType).inventory,
    collect: async (tree, hardwareType, fault = null) => {
      const inventory = await bench.start(tree, hardwareType);
      bench.bmc.fault = fault;
      return inventory.collect(targetAt(bench.bmc), { timeoutMs: 20_000 });
    },
  };
  return bench;
}

export interface PowerBench {
  readonly bmc: TreeBmc;
  readonly client: RedfishClient;
  readonly slept: readonly number[];
  readonly target: BmcTarget;
  /** Moves the client's clock forward. */
  jump(ms: number): void;
  /** Replaces this test's BMC with another one. */
  start(tree: TreeName): Promise<void>;
  power(): HardwareType["power"];
}

/** Call it once at the top of a file about power. Each test starts with Lenovo's BMC and its links. */
export function powerBench(): PowerBench {
  const { start, current } = fixtureOfTest();
  let target: BmcTarget | null = null;
  const bench: PowerBench = {
    get bmc() {
      return current().bmc;
    },
    get client() {
      return current().client;
    },
    get slept() {
      return current().slept;
    },
    get target() {
      if (target === null) throw new Error("no BMC was started in this test");
      return target;
    },
    start: async (tree) => {
      const { bmc, client } = await start(tree);
      target = await discoveredTarget(bmc, client);
    },
    jump: (ms) => void current().jump(ms),
    power: () => typeOf(current().client, "redfish").power,
  };
  beforeEach(() => bench.start("lenovo"));
  return bench;
}
