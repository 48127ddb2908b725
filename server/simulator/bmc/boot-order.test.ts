// A boot order that differs from the baseline's is set back, as each vendor's BMC takes it; the boot source of the return stays.
import { describe, expect, it } from "vitest";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { done, error, failed } from "@/server/simulator/testing/outcomes";
import { stepBench } from "@/server/simulator/testing/step-bench";
import type { Worker } from "@/server/simulator/testing/steps";

const step = "management.restore_boot_order";
const bench = stepBench();

const wants = (...bootOrder: string[]): { readonly baseline: PlatformBaseline } => ({
  baseline: { bmc: { accounts: [], subscriptions: [], bootOrder } },
});
/** What each machine begins with, how its BMC is told, and how often the host restarts. */
const machines = {
  dell: {
    first: "HTTP Device 1: NIC in Slot 5 Port 1",
    written: "PATCH /redfish/v1/Systems/System.Embedded.1",
  },
  lenovo: { first: "Network", written: "PATCH /redfish/v1/Systems/1/Pending" },
} as const;
const left = (worker: Worker, what: object) =>
  bench.fleet.control("POST", `/hosts/${worker.host.blueprint.serial}/bmc-intrusion`, what);

describe.each(["dell", "lenovo"] as const)("of a %s host", (vendor) => {
  const { first, written } = machines[vendor];

  it("is set back by one request and one restart, and left alone from then on", async () => {
    const worker = await bench.on(vendor);
    await left(worker, { bootFirst: "Boot0001" });
    worker.host.setOverride({ target: "Pxe", enabled: "Once", mode: "UEFI" });
    const begun = await worker.begin(step, wants(first));
    expect(begun).toMatchObject({ ok: true, value: { kind: "restart" } });
    expect(worker.changes()).toEqual([written]);
    expect(worker.host.override).toMatchObject({ target: "Pxe", enabled: "Once" });
    // The answer was lost: what is already ordered is not ordered again.
    expect(await worker.run(step, wants(first))).toMatchObject(done(/^after the restart the boot order/));
    expect(worker.changes()).toEqual([]);
    expect(worker.restarts).toBe(1);
    expect(await worker.run(step, wants(first))).toMatchObject(done(/^the boot order begins as/));
    expect(worker.changes()).toEqual([]);
    expect(worker.restarts).toBe(1);
  });

  it("with an entry that the host does not have stops, and nothing is sent", async () => {
    const worker = await bench.on(vendor);
    expect(await worker.run(step, wants("PXE of another model"))).toMatchObject(
      failed(/^the boot order has no entry PXE of another model: it is .*correct the SKU's baseline$/),
    );
    expect(worker.changes()).toEqual([]);
  });

  it("sends nothing without the permit", async () => {
    const worker = await bench.on(vendor);
    await left(worker, { bootFirst: "Boot0001" });
    expect(await worker.begin(step, { ...wants(first), permit: async () => false })).toMatchObject(
      error("refused", /the permit for it was refused/),
    );
    expect(worker.changes()).toEqual([]);
  });
});

it("a change that a tenant left pending is seen before it applies", async () => {
  const worker = await bench.on("lenovo");
  const { platform } = worker.host;
  const wanted = wants("ubuntu", "CD_DVDRom");
  platform.bootOrderPending = ["Boot0003", "Boot0000", "Boot0001", "Boot0002", "Boot0004"];
  platform.changed();
  expect(await worker.run(step, wanted)).toMatchObject(done(/^after the restart the boot order begins/));
  expect(worker.changes()).toEqual([machines.lenovo.written]);
  expect(platform.bootOrder?.[0]).toBe("Boot0000");
});

it("a job that fails leaves the order, and the step fails", async () => {
  const worker = await bench.on("dell");
  await left(worker, { bootFirst: "Boot0001" });
  worker.host.script({ jobs: { fails: 1 } });
  expect(await worker.run(step, wants(machines.dell.first))).toMatchObject(failed(/Job failed/));
});

it("a BIOS job of another step is not joined by a second one: it runs, and the next attempt orders", async () => {
  const worker = await bench.on("dell");
  await left(worker, { bootFirst: "Boot0001" });
  const bios = { baseline: { bios: { LogicalProc: "Disabled" } } };
  expect(await worker.begin("bios.recommit", bios)).toMatchObject({ ok: true, value: { kind: "restart" } });
  worker.changes();
  expect(await worker.run(step, wants(machines.dell.first))).toMatchObject(
    failed(/^after the restart the boot order is /),
  );
  expect(worker.changes()).toEqual([]);
  expect(await worker.run(step, wants(machines.dell.first))).toMatchObject(done(/^after the restart/));
});

it("a BMC that accepts and ignores it is not believed", async () => {
  const worker = await bench.on("lenovo");
  worker.host.script({ bmc: { mode: "acceptAndIgnore" } });
  expect(await worker.run(step, wants("Network"))).toMatchObject(
    failed(/was answered 20\d, but the boot order reads ubuntu/),
  );
});

it("a BMC that shows no order does not have the step", async () => {
  expect(await (await bench.on("generic")).run(step, wants("PXE"))).toMatchObject(
    error("unsupported", /shows no boot order/),
  );
});
