// The host as this boot shows it; sent with `register` and as the answer to `discover`.
import {
  isNamed,
  unknownPlace,
  type HardwareInventory,
  type StorageDevice,
  type UnnamedDevice,
} from "@/server/domain/hosts/inventory/inventory";
import { grouped, ofDisk, ofKit, ofNvme, type Identification } from "@/agent/capabilities";
import { diskFacts } from "@/agent/steps/erase-disks/find-disks";
import { findNvmeControllers, listNvmeDrives } from "@/agent/steps/erase-nvme/find-nvme-devices";
import { listKitMembers } from "@/agent/steps/erase-raid-kit/find-kit-devices";
import { readParts } from "@/agent/parts";
import { inParallel } from "@/agent/steps/in-parallel";
import { Stopped } from "@/agent/protocol/ends";
import type { Surroundings } from "@/agent/surroundings";
import type { Answer, Tools } from "@/agent/tools/tools";

/** If an inventory cannot be read completely there is none, because nobody would miss what is not listed. */
class InventoryError extends Error {
  override readonly name = "InventoryError";
}

function required<Value>(what: string, answer: Answer<Value>): Value {
  if (answer.value === null)
    throw new InventoryError(
      `could not read ${what}: ${answer.command} answered ${answer.exitCode}: ${answer.status}`,
    );
  return answer.value;
}

interface FoundDrive {
  readonly facts: StorageDevice;
  /** Path of what is plugged into a port: the disk, the NVMe controller, or the RAID kit. */
  readonly path: string;
  readonly identification: Identification | null;
  /** Why no step may treat it. */
  readonly unerasable?: string | undefined;
}

/** Whether a step can treat it and its results can be attributed to it. */
const isTreatable = ({ facts, unerasable }: FoundDrive): boolean =>
  unerasable === undefined && isNamed(facts);

/** How many disks are identified concurrently. */
const disksAtOnce = 8;

/** Every drive that this boot shows, with or without an identity. */
async function listDrives(tools: Tools): Promise<readonly FoundDrive[]> {
  const controllers = findNvmeControllers(tools);
  const nvme = await listNvmeDrives(tools, controllers);
  if (!nvme.ok) throw new InventoryError(nvme.problem);
  const kits = await listKitMembers(tools, controllers);
  if (!kits.ok) throw new InventoryError(kits.problem);
  const disks = required("the disks", await tools.disks.list());
  return [
    ...nvme.value.map(({ path, facts, identity }) => ({ path, facts, identification: ofNvme(identity) })),
    ...kits.value.map(({ kit: { path }, facts }) => ({ path, facts, identification: ofKit() })),
    ...(await inParallel(disks, disksAtOnce, async (disk) => ({
      path: disk.path,
      facts: diskFacts(disk),
      identification: await ofDisk(tools, disk),
      unerasable: disk.unerasable,
    }))),
  ];
}

/** Drives without serial number or model, and drives that no step treats; told apart by the port that they are plugged into. */
async function unnamedOf(tools: Tools, drives: readonly FoundDrive[]): Promise<readonly UnnamedDevice[]> {
  const unnamed: UnnamedDevice[] = [];
  for (const drive of drives) {
    if (isTreatable(drive)) continue;
    const { path, facts, unerasable } = drive;
    const { serial, model, media, transport, capacityBytes, removable, slot } = facts;
    const { value } = await tools.disks.port(path);
    const port = value === null || value.trim() === "" ? unknownPlace : value.trim();
    // Both drives of a kit are behind one port.
    const more = unerasable ?? (media === "raid-kit" ? (slot ?? "no bay") : undefined);
    const place = more === undefined || port === unknownPlace ? port : `${port}, ${more}`;
    unnamed.push({
      place,
      ...(slot === undefined ? {} : { slot }),
      serial,
      model,
      media,
      transport,
      capacityBytes,
      removable,
    });
  }
  return unnamed;
}

/** Throws InventoryError. */
async function readInventory(tools: Tools): Promise<HardwareInventory> {
  const drives = await listDrives(tools);
  const unnamed = await unnamedOf(tools, drives);
  const { manufacturer, product, serial, uuid, biosVersion, boardSerial } = required(
    "the system's identity",
    await tools.system.identity(),
  );
  const { value: tpm } = await tools.tpm.found();
  const nics = required("the network interfaces", await tools.system.nics());
  return {
    system: {
      ...{ manufacturer, product, serial, uuid, biosVersion },
      ...((boardSerial ?? "") === "" ? {} : { boardSerial }),
    },
    cpus: [...required("the processors", await tools.system.cpus())],
    memoryBytes: String(required("the size of memory", await tools.system.memoryBytes())),
    storage: drives.filter(isTreatable).map(({ facts }) => facts),
    ...(unnamed.length === 0 ? {} : { unnamed: [...unnamed] }),
    nics: nics.map(({ name, mac, model, addresses }) => ({
      ...{ name, mac },
      ...(model === undefined ? {} : { model }),
      ...(addresses === undefined ? {} : { addresses }),
    })),
    infiniband: [...required("the InfiniBand devices", await tools.mst.list())],
    ...(tpm === false ? { tpm } : {}),
    capabilities: grouped(drives),
    parts: await readParts(tools),
  };
}

const pauseMs = 10_000;

/** Retries an inventory that cannot be read, because devices may come up late. Throws Stopped. */
export async function inventoryWhenReadable({
  tools,
  clock,
  signal,
  log,
}: Pick<Surroundings, "tools" | "clock" | "signal" | "log">): Promise<HardwareInventory> {
  for (;;) {
    try {
      return await readInventory(tools);
    } catch (error) {
      if (signal.aborted) throw new Stopped("no inventory");
      log("error", error instanceof Error ? error.message : String(error));
      await clock.sleep(pauseMs, signal);
    }
  }
}
