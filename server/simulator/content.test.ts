// What the real agent reports about simulated drives after their erase and in the final boot: any write in between is found and named.
import { expect, it } from "vitest";
import { contentDifferences } from "@/server/domain/cleaning/sanitization/content";
import type { ContentReading, ContentRecord } from "@/server/domain/cleaning/sanitization/content";
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { fleetForEach, type TestFleet } from "@/server/simulator/testing/fleet";
import { until } from "@/server/simulator/testing/protocol-server";

const fingerprint = { secret: "a secret of this plan", samplesPerDevice: 64 };
const nvme = (storage: HardwareInventory["storage"]) => storage.filter(({ media }) => media === "nvme");
const disks = (storage: HardwareInventory["storage"]) => storage.filter(({ media }) => media !== "nvme");

let fleet: TestFleet;
fleetForEach((started) => {
  fleet = started;
});

/** Erases every drive of a host, and returns the agent's report of their content. */
async function erased(host: SimulatedHost): Promise<ContentRecord> {
  fleet.server.plan(
    { step: "erase_nvme", devices: ({ storage }) => nvme(storage), fingerprint },
    { step: "erase_disks", devices: ({ storage }) => disks(storage), fingerprint },
  );
  fleet.bootAgent(host);
  await until("both results", () => fleet.server.results[1]);
  const devices = fleet.server.results.flatMap(({ body }) => body.devices);
  expect(devices.map(({ result }) => result)).toEqual(host.drives.map(() => "OK"));
  return {
    secret: fingerprint.secret,
    since: "erase",
    read: null,
    drives: devices.map(({ serial, model, fingerprint: taken }) => ({
      serial,
      model,
      fingerprint: taken ?? [],
    })),
  };
}

/** Restarts the host and has its agent read every drive. */
async function readAgain(host: SimulatedHost, request = fingerprint): Promise<readonly ContentReading[]> {
  fleet.bootAgent(host);
  await until("the agent of the next boot", () => fleet.server.registered.length === 2);
  fleet.server.plan({ kind: "validate", tests: [], fingerprint: request });
  const { content } = await until("the validation", () => fleet.server.validated[0]);
  return content ?? [];
}

function driveOf(host: SimulatedHost, place: number) {
  const drive = host.drives[place];
  const [content] = drive?.contents() ?? [];
  if (drive === undefined || content === undefined) throw new Error(`no drive in place ${place}`);
  return {
    serial: drive.identity.serial,
    content,
    blocks: Number(drive.identity.capacityBytes) / content.blockBytes,
    write: (block: number) => content.write(block, new Uint8Array(content.blockBytes).fill(7)),
  };
}

it.each(["dell", "generic"])(
  "drives of a %s host that nobody wrote to hold what they held",
  async (vendor) => {
    const host = fleet.host(vendor);
    const record = await erased(host);
    const readings = await readAgain(host);
    expect(readings).toHaveLength(host.drives.length);
    expect(contentDifferences(record, readings)).toEqual([]);
  },
);

it("one block written anywhere that a system looks at is found, with drive and place in words", async () => {
  const host = fleet.host("generic");
  const record = await erased(host);
  const [one, two, three] = [driveOf(host, 0), driveOf(host, 2), driveOf(host, 3)];
  one.write(0);
  two.write(3);
  three.write(three.blocks - 1);
  const readings = await readAgain(host);
  const told = contentDifferences(record, readings);
  expect(told).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `^the boot record of namespace \\d+ of drive ${one.serial} changed between its erase and the final boot$`,
      ),
    ),
  );
  expect(told).toContain(
    `the partition table of drive ${two.serial} changed between its erase and the final boot`,
  );
  expect(told).toContain(
    `the backup partition table or RAID metadata at the end of drive ${three.serial} changed between its erase and the final boot`,
  );
  expect(told).toHaveLength(3);
});

it("a drive that was filled is found by its samples, too, and one that is gone is not unchanged", async () => {
  const host = fleet.host("generic");
  const record = await erased(host);
  const [filled, gone] = [driveOf(host, 2), host.drives[3]];
  filled.content.replace({ kind: "tenant", key: 99 });
  if (gone !== undefined) gone.faults.vanish = true;
  const told = contentDifferences(record, await readAgain(host));
  expect(told).toContainEqual(
    expect.stringMatching(new RegExp(`a sampled block of drive ${filled.serial} changed`)),
  );
  expect(told).toContain(`drive ${gone?.identity.serial} was not read again in the final boot`);
});

it("another secret gives other digests: nobody can tell beforehand what they will be", async () => {
  const host = fleet.host("dell");
  const record = await erased(host);
  const told = contentDifferences(record, await readAgain(host, { ...fingerprint, secret: "another" }));
  // Not just different places: the same blocks have different digests.
  expect(told).toEqual(host.drives.map(() => expect.stringContaining("the boot record")));
});
