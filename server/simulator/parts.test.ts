// The parts of a simulated host as its real agent reports them, and what their faults make of them.
import { expect, it } from "vitest";
import { partFault } from "@/server/domain/hosts/parts/fault";
import type { PartsReport } from "@/server/domain/hosts/parts/part";
import { skuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import { partClasses } from "@/server/simulator/fleet/part-classes";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

async function reported(host: SimulatedHost): Promise<PartsReport> {
  const before = fleet.server.registered.length;
  fleet.bootAgent(host);
  await until("the agent", () => fleet.server.registered.length > before);
  const parts = fleet.server.registered.at(-1)?.inventory.parts;
  if (parts === undefined) throw new Error("no parts were reported");
  return parts;
}

it("are those of its model, with serial numbers of its own", async () => {
  const host = fleet.host("lenovo");
  const { told, found } = await reported(host);
  expect(told).toHaveLength(5);
  const counts = ["gpu", "nic", "dpu", "memory"].map(
    (kind) => found.filter((each) => each.kind === kind).length,
  );
  expect(counts).toEqual([2, 2, 0, 16]);
  expect(found.map(partFault)).toEqual(found.map(() => null));
  const serials = found.map(({ serial }) => serial);
  expect(new Set(serials).size).toBe(serials.length);
  expect(serials).not.toContain("1322221026831");
  for (const classes of Object.values(partClasses))
    expect(skuPartClasses.safeParse(classes).success).toBe(true);
});

it("have the same serial numbers at its BMC", async () => {
  const host = fleet.host("lenovo");
  const gpu = async () => (await fleet.redfish(host, "GET", "/redfish/v1/Systems/1/Processors/GPU2")).text;
  const { found } = await reported(host);
  const serial = found.filter(({ kind }) => kind === "gpu")[1]?.serial;
  expect(await gpu()).toContain(`"SerialNumber":"${serial ?? ""}"`);
  host.script({ parts: { "0000:b1:00.0": { replaced: 1 } } });
  expect(await gpu()).not.toContain(serial);
});

it("may be lost, exchanged, degraded or faulty", async () => {
  const host = fleet.host("lenovo");
  const [first = "", second = ""] = (await reported(host)).found.map(({ slot }) => slot);
  const gpuOf = async (faults: object) => {
    host.script({ parts: { [second]: faults } });
    const { found } = await reported(host);
    expect(found.find(({ slot }) => slot === first)).toBeDefined();
    return found.find(({ slot }) => slot === second);
  };
  const before = await gpuOf({});
  expect(await gpuOf({ lost: "bus" })).toBeUndefined();
  expect((await gpuOf({ lost: "driver" }))?.fault).toContain("nvidia-smi does not list it");
  const other = await gpuOf({ replaced: 1 });
  expect(other).toMatchObject({ model: before?.model });
  expect(other?.serial).not.toBe(before?.serial);
  const narrow = await gpuOf({ lanes: 4 });
  expect(narrow === undefined ? null : partFault(narrow)).toBe("its PCIe link has 4 of 16 lanes");
  expect((await gpuOf({ uncorrected: 3, remapFailed: true, nvlinks: 2 }))?.ecc).toMatchObject({
    uncorrected: 3,
    remapFailed: true,
  });
  host.clearFaults();
  expect((await reported(host)).found.find(({ slot }) => slot === second)?.serial).toBe(before?.serial);
});
