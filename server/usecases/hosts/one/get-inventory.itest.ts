// The Inventory tab: what was found compared with the SKU, by the same rules that decide about the host.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { getInventory } from "@/server/usecases/hosts/one/get-inventory";
import { nvme, reportHardware } from "@/server/usecases/testing/hardware";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const stick = nvme("USB", {
  model: "Cruzer",
  media: "ssd",
  transport: "usb",
  removable: true,
  capacityBytes: "16000000000",
});
const virtual = nvme("VIRT", {
  model: "Virtual CD",
  media: "ssd",
  transport: "virtual",
  capacityBytes: "1000",
});

/** A drive as a later version might report it. */
const newer = (drive: StorageDevice): StorageDevice => Object.assign(drive, { zoned: true });

/** The differences for a host whose SKU has one drive, and that has others as well. */
async function differences(
  name: string,
  more: readonly StorageDevice[],
  byBmc: readonly StorageDevice[] = [],
): Promise<readonly string[]> {
  const { database } = world.backend;
  const hostId = await world.host(name);
  await reportHardware(world, hostId, [nvme("S1"), ...more]);
  if (byBmc.length > 0)
    await database.hostInventory.update({
      where: { hostId_source: { hostId, source: "bmc" } },
      data: { body: { storage: [...byBmc] } },
    });
  const components = {
    manufacturer: "Dell Inc.",
    product: "PowerEdge R750",
    cpus: { count: 1, model: "Xeon" },
    memoryBytes: "1099511627776",
    infiniband: 0,
    storage: [{ media: "nvme", count: 1, capacityBytes: nvme("S1").capacityBytes }],
  };
  const sku = await database.sku.create({ data: { id: randomUUID(), name: `sku-${name}`, components } });
  await database.host.update({ where: { id: hostId }, data: { skuId: sku.id } });
  const read = await getInventory(world.backend, world.actor("operator"), { hostId });
  if (!read.ok) throw new Error(JSON.stringify(read));
  return read.value.components.flatMap(({ what, same }) => (same ? [] : [what]));
}

describe("media that are left out of cleaning", () => {
  it("are no difference to the SKU", async () => {
    expect(await differences("i-virtual", [virtual])).toEqual([]);
    expect(await differences("i-stick", [stick])).toEqual(["ssd of 16000000000 bytes"]);
    const policy = defaultPolicy();
    await world.backend.database.sitePolicy.create({
      data: {
        siteId: world.siteId,
        version: 2,
        body: {
          ...policy,
          sanitization: {
            ...policy.sanitization,
            excludedMedia: [{ model: "Cruzer", reason: "boot stick" }],
          },
        },
      },
    });
    await world.backend.database.site.update({ where: { id: world.siteId }, data: { policyVersion: 2 } });
    expect(await differences("i-excluded", [stick, virtual])).toEqual([]);
    expect(await differences("i-other", [{ ...stick, model: "Other" }])).toEqual([
      "ssd of 16000000000 bytes",
    ]);
  });
});

describe("drives that only the BMC lists", () => {
  it("count, once, as they do for the controller", async () => {
    expect(await differences("i-seen", [], [nvme("S1")])).toEqual([]);
    expect(await differences("i-behind", [], [nvme("S1"), nvme("S2")])).toEqual([
      `nvme of ${nvme("S1").capacityBytes} bytes`,
    ]);
    expect(await differences("i-bmc-virtual", [], [virtual])).toEqual([]);
  });
});

describe("an inventory of which a newer version stored more", () => {
  it("is compared by what this one knows", async () => {
    const words = `nvme of ${nvme("S1").capacityBytes} bytes`;
    expect(await differences("i-newer", [newer(nvme("S2"))])).toEqual([words]);
    expect(await differences("i-newer-bmc", [], [nvme("S1"), newer(nvme("S2"))])).toEqual([words]);
  });
});

describe("what drives can be erased by", () => {
  it("is told by model, and unknown where the agent did not report it", async () => {
    const hostId = await world.host("i-capabilities");
    const offers = ["nvme-sanitize-crypto", "of-a-later-version"];
    await reportHardware(world, hostId, [nvme("C1"), nvme("C2"), nvme("C3"), stick], {}, [
      {
        model: nvme("C1").model,
        serials: ["C1", "C2"],
        offers,
        refuses: ["nvme-sanitize-block"],
        said: "SANICAP 1h",
      },
    ]);
    const read = await getInventory(world.backend, world.actor("operator"), { hostId });
    const [told, untold, ...more] = read.ok ? read.value.capabilities : [];
    expect(more).toEqual([]);
    expect(told).toMatchObject({
      serials: ["C1", "C2"],
      offers: ["nvme-sanitize-crypto"],
      refuses: ["nvme-sanitize-block"],
      unknown: ["nvme-sanitize-overwrite", "nvme-format-crypto", "nvme-format-user-data"],
      said: "SANICAP 1h",
    });
    expect(untold).toMatchObject({ serials: ["C3"], offers: [], refuses: [], said: null });
    expect(untold?.unknown).toHaveLength(5);
  });
});
