// lsblk, sg3_utils, smartctl and dd as they would answer on a simulated host.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type {
  Answer,
  BlockTarget,
  BlockTools,
  Disk,
  DiskTools,
  SanitizeState,
  ScsiTools,
} from "@/agent/tools/tools";
import { DiskDrive } from "@/server/simulator/drives/disk-drive";
import type { EraseKind } from "@/server/simulator/drives/drive";
import { kitDrives } from "@/server/simulator/host/kit-tools";
import { nvmeDrives, pciAddress } from "@/server/simulator/host/nvme-tools";
import { done, refusedBy, untilErased, type ToolSession } from "@/server/simulator/host/tool-call";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const commandMs = 10;
const blockMs = 0.1;
const step = "erase_disks";
const sense = (key: number, asc: number, ascq: number): DeviceStatus => ({ bus: "scsi", key, asc, ascq });
const senses = {
  unknownCommand: sense(5, 0x20, 0),
  sanitizeFailed: sense(3, 0x31, 3),
};

/** The disks that the host sees, by path. */
function diskDrives(host: SimulatedHost): Map<string, DiskDrive> {
  const drives = host.drives
    .filter((drive) => drive instanceof DiskDrive)
    .filter(({ identity }) => identity.card === undefined);
  return new Map(
    drives
      .map((drive, index) => [`/dev/sd${String.fromCharCode(97 + index)}`, drive] as const)
      .filter(([, drive]) => !drive.faults.vanish),
  );
}

/** Runs a command on the disk at a path; refused if there is none. */
export function askDisk<Value>(
  { host, call }: ToolSession,
  path: string,
  command: string,
  run: (drive: DiskDrive) => Answer<Value> | Promise<Answer<Value>>,
  ofStep = "",
): Promise<Answer<Value>> {
  return call(ofStep, commandMs, () => {
    const drive = diskDrives(host).get(path);
    return drive ? run(drive) : refusedBy<Value>(command, `${path}: No such file or directory`, 2);
  });
}

/** The last sanitize operation of a disk, as the disk reports it. */
export function sanitizeState(drive: DiskDrive): SanitizeState {
  const { state, kind, progress } = drive.lastErase();
  const sanitized = kind === "crypto" || kind === "block";
  if (!sanitized || state === "never") return { state: "idle", operation: "unknown", percent: 0 };
  return { state, operation: kind, percent: Math.floor(progress * 100) };
}

/** The state as sg3_utils and hdparm print it. */
export const statusText = ({ state, percent }: SanitizeState) =>
  ({
    idle: "SD0 Sanitize Idle",
    running: `SD2 Sanitize operation In Process, ${percent}%`,
    completed: "SD0 Sanitize Idle, last operation completed without error",
    failed: "SD3 Sanitize Operation Failed",
  })[state];

/** An erase whose command returns when it is over. */
export async function eraseToEnd(
  { signal }: ToolSession,
  drive: DiskDrive,
  kind: EraseKind,
  command: string,
  code?: DeviceStatus,
): Promise<Answer<true>> {
  return drive.erase(kind, "command") && (await untilErased(signal, drive))
    ? done(command, true)
    : refusedBy(command, "Input/output error", 5, code);
}

/** Lists disks, and works on any of them. */
export function diskTools(session: ToolSession): DiskTools {
  const { host, call } = session;
  return {
    list: () =>
      call("", commandMs, () =>
        done(
          "/usr/bin/lsblk -J -b -d",
          [...diskDrives(host)].map(([path, { identity, reported, model, blockBytes }]): Disk => {
            const { manufacturer, wwn, firmware, slot, capacityBytes } = identity;
            return {
              path,
              ...reported,
              manufacturer,
              wwn,
              firmware,
              slot,
              transport: model.transport,
              rotational: model.rotational,
              removable: false,
              capacityBytes,
              blockBytes,
            };
          }),
        ),
      ),
    port: (path) => {
      const command = `/usr/bin/udevadm info --query=property --property=ID_PATH --value ${path}`;
      return call("", commandMs, () => {
        const disk = diskDrives(host).get(path);
        if (disk !== undefined) return done(command, `pci-0000:00:17.0-${disk.identity.slot}`);
        const address = pciAddress(host, path);
        return address === null
          ? refusedBy<string>(command, `Unknown device "${path}": No such device`)
          : done(`/usr/bin/cat /sys/class/nvme/${path.slice("/dev/".length)}/address`, address);
      });
    },
    overwrite: (path) => {
      const command = `/usr/bin/dd if=/dev/zero of=${path} bs=4M oflag=direct conv=fsync`;
      return askDisk(
        session,
        path,
        command,
        (drive) => eraseToEnd(session, drive, "overwrite", command),
        step,
      );
    },
    health: (path) => {
      const command = `/usr/sbin/smartctl -H -j ${path}`;
      return askDisk(session, path, command, () => done(command, { passed: true }));
    },
    unfreeze: () => call("", 5_000, () => done<true>("/usr/sbin/rtcwake -m mem -s 5", true)),
  };
}

/** sg3_utils on one host. */
export function scsiTools(session: ToolSession): ScsiTools {
  return {
    supported: (path) => {
      const command = `/usr/bin/sg_opcodes ${path}`;
      return askDisk(session, path, command, (drive) =>
        done(command, {
          sanitizeCrypto: drive.offers("crypto"),
          sanitizeBlock: drive.offers("block"),
        }),
      );
    },
    sanitize: (path, operation) => {
      const command = `/usr/bin/sg_sanitize --${operation} --quick --early ${path}`;
      const run = (drive: DiskDrive) =>
        drive.erase(operation)
          ? done<true>(command, true)
          : refusedBy<true>(command, "Illegal Request: Invalid opcode", 9, senses.unknownCommand);
      return askDisk(session, path, command, run, step);
    },
    sanitizeStatus: (path) => {
      const command = `/usr/bin/sg_requests --progress ${path}`;
      return askDisk(session, path, command, (drive) => {
        const state = sanitizeState(drive);
        const code = state.state === "failed" ? senses.sanitizeFailed : undefined;
        return done(command, state, statusText(state), code);
      });
    },
  };
}

const placeOf = (target: BlockTarget): string =>
  target.kind === "nvme"
    ? `${target.controller}n (namespace ${target.namespace})`
    : target.kind === "disk"
      ? target.disk
      : `${target.kit} (bay ${target.bay})`;

/** Reads one block of a target; null if there is none. */
function readerOf(host: SimulatedHost, target: BlockTarget): ((block: number) => Uint8Array | null) | null {
  switch (target.kind) {
    case "disk": {
      const drive = diskDrives(host).get(target.disk);
      return drive === undefined ? null : (block) => drive.read(block);
    }
    case "nvme":
    case "kit": {
      const drive =
        target.kind === "kit" ? kitDrives(host).get(target.bay) : nvmeDrives(host).get(target.controller);
      const namespace = target.kind === "kit" ? 1 : target.namespace;
      return drive === undefined ? null : (block) => drive.read(namespace, block);
    }
  }
}

function writtenTo(host: SimulatedHost, target: BlockTarget, block: number, content: Uint8Array): boolean {
  switch (target.kind) {
    case "disk":
      return diskDrives(host).get(target.disk)?.write(block, content) ?? false;
    case "nvme":
      return nvmeDrives(host).get(target.controller)?.write(target.namespace, block, content) ?? false;
    case "kit":
      return kitDrives(host).get(target.bay)?.write(1, block, content) ?? false;
  }
}

/** Reads and writes blocks, whatever holds them. */
export function blockTools(session: ToolSession): BlockTools {
  const { host, call } = session;
  return {
    read: (target, blockBytes, blocks) => {
      const path = placeOf(target);
      const command =
        target.kind === "kit"
          ? `/opt/reclaim/bin/mnv_cli passthru -i ${target.bay} -o 0x02, ${blocks.length} times`
          : `/usr/bin/dd if=${path} iflag=direct bs=${blockBytes} count=1, ${blocks.length} times`;
      return call("", blockMs * blocks.length, () => {
        const read = readerOf(host, target);
        return read === null
          ? refusedBy<readonly Uint8Array[]>(command, `${path}: No such file or directory`, 2)
          : done(command, blocks.map(read));
      });
    },
    write: (target, blockBytes, block, content) => {
      const path = placeOf(target);
      const command =
        target.kind === "kit"
          ? `/opt/reclaim/bin/mnv_cli passthru -i ${target.bay} -o 0x01 --slba=${block}`
          : `/usr/bin/dd of=${path} oflag=direct conv=fsync bs=${blockBytes} seek=${block} count=1`;
      return call("", blockMs, () => {
        const written = writtenTo(host, target, block, content);
        return written ? done<true>(command, true) : refusedBy<true>(command, "Input/output error");
      });
    },
  };
}
