// lsblk, hdparm, sg3_utils, smartctl and dd as they would answer on a simulated host.
import type {
  AtaTools,
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
import { done, refusedBy, untilErased, type ToolCall } from "@/server/simulator/host/tool-call";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const commandMs = 10;
const blockMs = 0.1;
const step = "erase_disks";

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

const on = <Value>(host: SimulatedHost, path: string, command: string, run: (drive: DiskDrive) => Value) => {
  const drive = diskDrives(host).get(path);
  return drive ? run(drive) : refusedBy<never>(command, `${path}: No such file or directory`, 2);
};

function sanitizeState(drive: DiskDrive): SanitizeState {
  const { state, kind, progress } = drive.lastErase();
  const sanitized = kind === "crypto" || kind === "block";
  if (!sanitized || state === "never") return { state: "idle", operation: "unknown", percent: 0 };
  return { state, operation: kind, percent: Math.floor(progress * 100) };
}

const statusText = ({ state, percent }: SanitizeState) =>
  ({
    idle: "SD0 Sanitize Idle",
    running: `SD2 Sanitize operation In Process, ${percent}%`,
    completed: "SD0 Sanitize Idle, last operation completed without error",
    failed: "SD3 Sanitize Operation Failed",
  })[state];

/** An erase whose command answers when it is over. */
async function wait(signal: AbortSignal, drive: DiskDrive, kind: EraseKind, command: string) {
  if (!drive.erase(kind)) return refusedBy<true>(command, "Input/output error", 5);
  return (await untilErased(signal, drive))
    ? done<true>(command, true)
    : refusedBy<true>(command, "Input/output error", 5);
}

export function diskTools(host: SimulatedHost, call: ToolCall, signal: AbortSignal): DiskTools {
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
      return call(step, commandMs, () =>
        on(host, path, command, (drive) => wait(signal, drive, "overwrite", command)),
      );
    },
    health: (path) => {
      const command = `/usr/sbin/smartctl -H -j ${path}`;
      return call("", commandMs, () => on(host, path, command, () => done(command, { passed: true })));
    },
    unfreeze: () => call("", 5_000, () => done<true>("/usr/sbin/rtcwake -m mem -s 5", true)),
  };
}

export function ataTools(host: SimulatedHost, call: ToolCall, signal: AbortSignal): AtaTools {
  const tool = "/usr/sbin/hdparm";
  return {
    identify: (path) => {
      const command = `${tool} -I ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) =>
          done(command, {
            sanitize: { crypto: drive.offers("crypto"), block: drive.offers("block") },
            security: {
              supported: true,
              enabled: drive.password !== null,
              locked: drive.locked,
              frozen: false,
              enhancedErase: true,
            },
          }),
        ),
      );
    },
    sanitize: (path, operation) => {
      const command = `${tool} --yes-i-know-what-i-am-doing --sanitize-${operation === "crypto" ? "crypto-scramble" : "block-erase"} ${path}`;
      return call(step, commandMs, () =>
        on(host, path, command, (drive) =>
          drive.erase(operation)
            ? done<true>(command, true)
            : refusedBy<true>(command, "SG_IO: bad/missing sense data, Aborted Command", 5),
        ),
      );
    },
    sanitizeStatus: (path) => {
      const command = `${tool} --sanitize-status ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) => {
          // As hdparm shows it: the state, but not which operation it was.
          const state = sanitizeState(drive);
          return done(command, { ...state, operation: "unknown" as const }, statusText(state));
        }),
      );
    },
    unlock: (path, password) => {
      const command = `${tool} --user-master u --security-unlock ${password} ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) =>
          drive.unlock(password)
            ? done<true>(command, true)
            : refusedBy<true>(command, "SECURITY_UNLOCK: Input/output error", 5),
        ),
      );
    },
    setPassword: (path, password) => {
      const command = `${tool} --user-master u --security-set-pass ${password} ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) => {
          drive.password = password;
          return done<true>(command, true);
        }),
      );
    },
    secureErase: (path, password, enhanced) => {
      const command = `${tool} --user-master u --security-erase${enhanced ? "-enhanced" : ""} ${password} ${path}`;
      return call(step, commandMs, () =>
        on(host, path, command, async (drive) => {
          if (drive.password !== password || drive.locked)
            return refusedBy<true>(command, "SECURITY_ERASE: Input/output error", 5);
          const answer = await wait(signal, drive, enhanced ? "crypto" : "overwrite", command);
          if (answer.value === true) drive.password = null;
          return answer;
        }),
      );
    },
    disableSecurity: (path, password) => {
      const command = `${tool} --user-master u --security-disable ${password} ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) => {
          if (drive.password !== password)
            return refusedBy<true>(command, "SECURITY_DISABLE: Input/output error", 5);
          drive.password = null;
          return done<true>(command, true);
        }),
      );
    },
  };
}

export function scsiTools(host: SimulatedHost, call: ToolCall, signal: AbortSignal): ScsiTools {
  return {
    supported: (path) => {
      const command = `/usr/bin/sg_opcodes ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) =>
          done(command, {
            sanitizeCrypto: drive.offers("crypto"),
            sanitizeBlock: drive.offers("block"),
            format: true,
          }),
        ),
      );
    },
    sanitize: (path, operation) => {
      const command = `/usr/bin/sg_sanitize --${operation} --quick --early ${path}`;
      return call(step, commandMs, () =>
        on(host, path, command, (drive) =>
          drive.erase(operation)
            ? done<true>(command, true)
            : refusedBy<true>(command, "Illegal Request: Invalid opcode", 9),
        ),
      );
    },
    sanitizeStatus: (path) => {
      const command = `/usr/bin/sg_requests --progress ${path}`;
      return call("", commandMs, () =>
        on(host, path, command, (drive) => {
          const state = sanitizeState(drive);
          return done(command, state, statusText(state));
        }),
      );
    },
    format: (path) => {
      const command = `/usr/bin/sg_format --format ${path}`;
      return call(step, commandMs, () =>
        on(host, path, command, (drive) => wait(signal, drive, "format", command)),
      );
    },
  };
}

const placeOf = (target: BlockTarget): string =>
  target.kind === "nvme"
    ? `${target.controller}n (namespace ${target.namespace})`
    : target.kind === "disk"
      ? target.disk
      : `${target.kit} (bay ${target.bay})`;

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

export function blockTools(host: SimulatedHost, call: ToolCall): BlockTools {
  return {
    read: (target, blockBytes, blocks) => {
      const path = placeOf(target);
      const command =
        target.kind === "kit"
          ? `/opt/reclaim/bin/mnv_cli passthru -i ${target.bay} -o 0x02, ${blocks.length} times`
          : `/usr/bin/dd if=${path} iflag=direct bs=${blockBytes} count=1, ${blocks.length} times`;
      return call("", blockMs * blocks.length, () => {
        if (target.kind === "disk")
          return on(host, target.disk, command, (drive) =>
            done(
              command,
              blocks.map((block) => drive.read(block)),
            ),
          );
        const drive =
          target.kind === "kit" ? kitDrives(host).get(target.bay) : nvmeDrives(host).get(target.controller);
        if (!drive) return refusedBy<never>(command, "No such file or directory");
        return done(
          command,
          blocks.map((block) => drive.read(target.kind === "kit" ? 1 : target.namespace, block)),
        );
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
