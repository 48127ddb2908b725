// Hardware and agents of hosts, as BMC and agent would have reported them.
import { randomBytes } from "node:crypto";
import type { HardwareManager } from "@/server/domain/agents/protocol";
import type { BiosAttributes } from "@/server/domain/hosts/inventory/bios";
import type { BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { EraseCapabilities, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { PlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { World } from "@/server/usecases/testing/world";

export const nvme = (serial: string, over: Partial<StorageDevice> = {}): StorageDevice => ({
  serial,
  model: "SSDPF2KX038TZ",
  media: "nvme",
  transport: "nvme",
  slot: "bay 0",
  capacityBytes: "3840755982336",
  removable: false,
  ...over,
});

/** What the BMC and the agent report of a host: drives, and what the platform offers. */
export async function reportHardware(
  world: World,
  hostId: string,
  storage: readonly StorageDevice[],
  platform: Partial<PlatformFacts> = {},
  capabilities?: readonly EraseCapabilities[],
): Promise<void> {
  const { database } = world.backend;
  const body = {
    system: { manufacturer: "Dell Inc.", product: "PowerEdge R750", serial: "x", uuid: hostId },
    cpus: [{ model: "Xeon", cores: 32 }],
    memoryBytes: "1099511627776",
    storage: [...storage],
    nics: [],
    infiniband: [],
    ...(capabilities === undefined ? {} : { capabilities: [...capabilities] }),
  };
  for (const [source, content] of [
    ["agent", body],
    ["bmc", { storage: [...storage], platform: { ...noPlatformFacts, ...platform } }],
  ] as const) {
    await database.hostInventory.upsert({
      where: { hostId_source: { hostId, source } },
      create: { hostId, source, body: content },
      update: { body: content },
    });
  }
}

/** BIOS attributes that a host's BMC reports. */
export const reportBios = (world: World, hostId: string, bios: BiosAttributes) =>
  world.backend.database.hostInventory.update({
    where: { hostId_source: { hostId, source: "bmc" } },
    data: { bios, biosReadAt: new Date() },
  });

/** Accounts and other BMC settings for baselines that a host's BMC reports. */
export const reportBmcSettings = (world: World, hostId: string, bmcSettings: BmcSettings) =>
  world.backend.database
    .$executeRaw`UPDATE host_inventory SET bmc_settings = ${JSON.stringify(bmcSettings)}::jsonb
    WHERE host_id = ${hostId}::uuid AND source = 'bmc'`;

/** An agent that registered in the given boot. */
export async function reportAgent(
  world: World,
  hostId: string,
  managers: readonly HardwareManager[],
  bootEpoch = 1,
): Promise<void> {
  await world.backend.database.agentSession.create({
    data: {
      hostId,
      bootEpoch,
      tokenHash: randomBytes(32),
      identity: {},
      agentVersion: "1.4.0",
      hardwareManagers: managers.map((manager) => ({
        ...manager,
        steps: manager.steps.map((step) => ({ ...step })),
      })),
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
}
