// The tool layer of the real agent on a simulated host.
import type { EfiTools, MstTools, SystemTools, Tools } from "@/agent/tools/tools";
import { models } from "@/server/simulator/fleet/models";
import { ataTools } from "@/server/simulator/host/ata-tools";
import { blockTools, diskTools, scsiTools } from "@/server/simulator/host/disk-tools";
import { gpuAdminTools } from "@/server/simulator/host/gpu-admin-tool";
import type { StartedImage } from "@/server/simulator/host/ipxe";
import { kitTools } from "@/server/simulator/host/kit-tools";
import { partTools } from "@/server/simulator/host/part-tools";
import { tpmTools } from "@/server/simulator/host/tpm";
import { nvmeTools } from "@/server/simulator/host/nvme-tools";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";
import { done, refusedBy, toolCalls, type ToolCall } from "@/server/simulator/host/tool-call";

const commandMs = 5;

function efiTools(host: SimulatedHost, call: ToolCall): EfiTools {
  const fileOf = (name: string, guid: string) => `/sys/firmware/efi/efivars/${name}-${guid}`;
  const known = (name: string) => name === "MemoryOverwriteRequestControl";
  return {
    read: (name, guid) => {
      const command = `/usr/bin/cat ${fileOf(name, guid)}`;
      return call("", commandMs, () =>
        known(name)
          ? done(command, Uint8Array.of(7, 0, 0, 0, host.memoryOverwrite))
          : refusedBy<Uint8Array>(command, "No such file or directory"),
      );
    },
    write: (name, guid, attributes, data) => {
      const command = `/usr/bin/efivar --name ${guid}-${name} --attributes ${attributes} --write`;
      return call("verify_mem_overwrite", commandMs, () => {
        if (!known(name)) return refusedBy<true>(command, "Read-only file system");
        if (!host.faults.memoryOverwrite?.fails) host.memoryOverwrite = data[0] ?? 0;
        host.changed();
        return done<true>(command, true);
      });
    },
  };
}

function mstTools(host: SimulatedHost, call: ToolCall): MstTools {
  const settingsOf = (slot: string) => {
    const settings = host.infinibandSettings.get(slot) ?? new Map<string, string>();
    host.infinibandSettings.set(slot, settings);
    return settings;
  };
  return {
    list: () => call("", commandMs, () => done("/usr/bin/mst status -v", host.blueprint.infiniband)),
    reset: (slot) => {
      const command = `/usr/bin/mstconfig -y -d ${slot} reset`;
      return call("reset_infiniband", 2_000, () => {
        if (host.faults.infiniband?.stuck)
          return refusedBy<true>(command, "-E- Failed to reset: ICMD semaphore timeout", 3);
        settingsOf(slot).clear();
        host.changed();
        return done<true>(command, true);
      });
    },
    set: (slot, name, value) => {
      const command = `/usr/bin/mstconfig -y -d ${slot} set ${name}=${value}`;
      return call("", 1_000, () => {
        settingsOf(slot).set(name, value);
        host.changed();
        return done<true>(command, true);
      });
    },
    query: (slot) =>
      call("", commandMs, () =>
        done(`/usr/bin/mstconfig -d ${slot} query`, Object.fromEntries(settingsOf(slot))),
      ),
  };
}

/** Each machine of the fleet has its own, in 10.64.0.0/10. */
const provisioningAddress = (index: number): string =>
  `10.${64 + (((index + 1) >> 16) & 63)}.${((index + 1) >> 8) & 255}.${(index + 1) & 255}`;

function systemTools(host: SimulatedHost, call: ToolCall): SystemTools {
  const { index, model, serial, boardSerial, uuid, nics } = host.blueprint;
  const { manufacturer, product, biosVersion, cpus, memoryBytes } = models[model];
  return {
    identity: () =>
      call("", commandMs, () =>
        done("/usr/sbin/dmidecode", { manufacturer, product, serial, boardSerial, uuid, biosVersion }),
      ),
    cpus: () => call("", commandMs, () => done("/usr/bin/lscpu -J", cpus)),
    memoryBytes: () => call("", commandMs, () => done("/usr/bin/cat /proc/meminfo", memoryBytes)),
    nics: () =>
      call("", commandMs, () =>
        done(
          "/usr/sbin/ip -j link",
          nics.map((nic, place) => ({
            ...nic,
            ...(place === 0 ? { up: true, addresses: [provisioningAddress(index)] } : { up: false }),
          })),
        ),
      ),
    stress: (kind, seconds, share) => {
      const load =
        kind === "cpu"
          ? `cpu ${Math.max(1, Math.round(share * cpus.reduce((sum, { cores }) => sum + cores, 0)))}`
          : `vm 4 --vm-bytes ${Math.round(share * 100)}%`;
      const command = `/usr/bin/stress-ng --verify --${load} --timeout ${seconds}`;
      return call("", seconds * 1000, () =>
        host.faults.validation?.fails
          ? refusedBy<true>(command, "stress-ng: fail: 1 verification error", 2)
          : done<true>(command, true, ""),
      );
    },
    testNic: (name) =>
      call("", 500, () => done<true>(`/usr/sbin/ethtool --test ${name} online`, true, "PASS")),
    restart: () => call("", commandMs, () => done<true>("/usr/bin/systemctl reboot", true)),
  };
}

/** Everything dies when the signal aborts: the host has lost power or was reset. */
export function simulatedTools(host: SimulatedHost, image: StartedImage, signal: AbortSignal): Tools {
  const call = toolCalls(host, signal);
  const session = { host, call, signal };
  return {
    versions: { nvme: "2.8", hdparm: "9.65", sg3utils: "1.47", mnvCli: "1.0.11" },
    nvme: nvmeTools(session),
    disks: diskTools(session),
    ata: ataTools(session),
    scsi: scsiTools(session),
    kit: kitTools(session),
    blocks: blockTools(session),
    efi: efiTools(host, call),
    mst: mstTools(host, call),
    tpm: tpmTools(host, call, image),
    system: systemTools(host, call),
    parts: partTools(host, call),
    deviceMemory: gpuAdminTools(host, call),
  };
}
