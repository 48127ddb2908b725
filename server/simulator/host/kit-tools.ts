// mnv_cli as it would answer on a simulated host with a Lenovo M.2 NVMe 2-Bay RAID Kit.
import type { KitTools } from "@/agent/tools/tools";
import { NvmeDrive } from "@/server/simulator/drives/nvme-drive";
import { done, formatted, refusedBy, type ToolSession } from "@/server/simulator/host/tool-call";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

const tool = "/opt/reclaim/bin/mnv_cli";
const commandMs = 20;
const step = "erase_raid_kit";
/** The only namespace of a drive in the kit. */
const namespace = 1;

/** The responding drives in the kit's bays, by bay. */
export function kitDrives(host: SimulatedHost): Map<number, NvmeDrive> {
  const drives = host.drives
    .filter((drive) => drive instanceof NvmeDrive)
    .filter(({ identity }) => identity.card === "kit");
  return new Map(
    drives.map((drive, bay) => [bay, drive] as const).filter(([, drive]) => !drive.faults.vanish),
  );
}

export function kitTools(session: ToolSession): KitTools {
  const { host, call } = session;
  const on = <Value>(bay: number, command: string, run: (drive: NvmeDrive) => Value) => {
    const drive = kitDrives(host).get(bay);
    return drive ? run(drive) : refusedBy<never>(command, `disk ${bay}: no such physical disk`, 2);
  };
  return {
    members: () =>
      call("", commandMs, () =>
        done(
          `${tool} info -o pd`,
          [...kitDrives(host)].map(([bay, { identity, reported, namespaces }]) => ({
            bay,
            ...reported,
            firmware: identity.firmware,
            capacityBytes: identity.capacityBytes,
            blockBytes: namespaces[0]?.content.blockBytes ?? 512,
          })),
        ),
      ),
    volumes: () => call("", commandMs, () => done(`${tool} info -o vd`, [...host.kitVolumes])),
    removeVolume: (_kit, volume) => {
      const command = `${tool} vd -a delete -i ${volume}`;
      return call("", commandMs, () => {
        if (!host.kitVolumes.includes(volume))
          return refusedBy<true>(command, `vd ${volume}: no such virtual disk`, 2);
        host.kitVolumes = host.kitVolumes.filter((id) => id !== volume);
        return done<true>(command, true);
      });
    },
    formatLeft: (_kit, bay) => {
      const command = `${tool} passthru -i ${bay} -o 0x06 -n ${namespace}`;
      return call("", commandMs, () =>
        on(bay, command, (drive) => {
          const { state, progress } = drive.lastErase();
          const left = state === "running" ? Math.max(1, Math.ceil(100 * (1 - progress))) : 0;
          return done(command, left, `FPI ${left}`);
        }),
      );
    },
    format: (_kit, bay) => {
      const command = `${tool} passthru -i ${bay} -o 0x80 -n 0xffffffff --cdw10=0x200`;
      return call(step, commandMs, () =>
        on(bay, command, (drive) => {
          // A drive under a virtual disk belongs to the kit and accepts no format.
          const problem = host.kitVolumes.length > 0 ? "a virtual disk is on it" : drive.format(namespace, 1);
          return formatted(session, drive, command, problem);
        }),
      );
    },
    health: (_kit, bay) => {
      const command = `${tool} passthru -i ${bay} -o 0x02 --cdw10=0x2`;
      return call("", commandMs, () =>
        on(bay, command, () => done(command, { criticalWarning: 0, percentageUsed: 3 })),
      );
    },
  };
}
