// What the agent reports about simulated drives, compared with what the drives then do.
import { expect, it } from "vitest";
import { hardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { capabilitiesOf } from "@/server/domain/cleaning/sanitization/capabilities";
import { techniqueTable } from "@/server/domain/cleaning/sanitization/techniques";
import type { Technique } from "@/server/domain/cleaning/sanitization/techniques";
import { deviceIn, resultOf } from "@/server/simulator/testing/erasing";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

const all: Technique[] = Object.keys(techniqueTable).filter(
  (name): name is Technique => name in techniqueTable,
);

it("every drive of a host is listed, and is erased by the first technique that it offers", async () => {
  const host = fleet.host("generic");
  // Each drive's own list in reverse, so that the policy does not decide.
  const techniques = all.toReversed();
  fleet.server.plan({
    step: "erase_devices",
    devices: ({ storage }) => storage,
    erase: { techniques: { nvme: techniques, ssd: techniques, hdd: techniques, "raid-kit": techniques } },
  });
  fleet.bootAgent(host);
  const { inventory } = await until("the registration", () => fleet.server.registered[0]);
  const { devices } = await resultOf(fleet);
  expect(hardwareInventory.safeParse(inventory).success).toBe(true);
  expect(inventory.storage).toHaveLength(4);
  for (const drive of inventory.storage) {
    const reported = capabilitiesOf(inventory.capabilities, drive);
    const { technique, message } = deviceIn(devices, drive.serial);
    expect(reported?.unknown).toEqual([]);
    expect(reported?.offers.toReversed()[0]).toBe(technique);
    // Every technique that was skipped was also reported as refused.
    for (const [, refused = ""] of message.matchAll(/([a-z-]+): not (in|offered|among)/g))
      expect(reported?.refuses).toContain(refused);
  }
});

it("a drive that refuses cryptographic erase is an entry apart", async () => {
  const host = fleet.host("dell");
  const [first] = host.drives;
  if (first === undefined) throw new Error("the host has no drive");
  first.faults.noCrypto = true;
  fleet.bootAgent(host);
  const { inventory } = await until("the registration", () => fleet.server.registered[0]);
  expect(inventory.capabilities).toHaveLength(2);
  const ofFirst = inventory.storage.find(({ serial }) => serial === first.identity.serial);
  expect(ofFirst && capabilitiesOf(inventory.capabilities, ofFirst)).toMatchObject({
    offers: ["nvme-sanitize-block", "nvme-format-user-data"],
    refuses: expect.arrayContaining(["nvme-sanitize-crypto", "nvme-format-crypto"]),
  });
});
