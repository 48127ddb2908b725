// Drives without a serial number or model: the agent reports them separately and continues with the others (docs/adr/0019).
import { expect, it } from "vitest";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

it("a host with a drive without serial number and one without model registers, names both by port, and erases the others", async () => {
  const host = fleet.host("generic");
  const nvme = host.drives[0];
  const disk = host.drives[2];
  if (nvme === undefined || disk === undefined) throw new Error("the host lacks a drive");
  disk.faults.noSerial = true;
  nvme.faults.noModel = true;
  fleet.server.plan({ step: "erase_devices", devices: ({ storage }) => storage });
  fleet.bootAgent(host);
  const { inventory } = await until("the registration", () => fleet.server.registered[0]);
  const { body } = await until("the result", () => fleet.server.results[0]);
  const others = host.drives.filter((drive) => drive !== disk && drive !== nvme);
  expect(inventory.storage.map(({ serial }) => serial).toSorted()).toEqual(
    others.map(({ identity }) => identity.serial).toSorted(),
  );
  expect(inventory.unnamed).toEqual([
    {
      place: `pci-0000:81:00.0 ${nvme.identity.slot}`,
      serial: nvme.identity.serial,
      model: "",
      media: "nvme",
      transport: "nvme",
      capacityBytes: String(nvme.identity.capacityBytes),
      removable: false,
    },
    {
      place: `pci-0000:00:17.0-${disk.identity.slot}`,
      slot: disk.identity.slot,
      serial: "",
      model: disk.identity.model,
      media: "ssd",
      transport: "sata",
      capacityBytes: String(disk.identity.capacityBytes),
      removable: false,
    },
  ]);
  expect([body.result, body.devices.length]).toEqual(["OK", others.length]);
  expect(others.some(({ holdsTenantData }) => holdsTenantData)).toBe(false);
  expect([disk.holdsTenantData, nvme.holdsTenantData]).toEqual([true, true]);
});

it("reports nothing apart where every drive has a name, as a server of the release before reads it", async () => {
  fleet.bootAgent(fleet.host("generic"));
  const { inventory } = await until("the registration", () => fleet.server.registered[0]);
  expect("unnamed" in inventory).toBe(false);
});
