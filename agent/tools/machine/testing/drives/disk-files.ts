// A SATA or SAS disk in sysfs, as disk-list.ts reads it, and smartctl's output for a healthy one.
import { recorded } from "@/agent/tools/machine/testing/recorded";
import type { ProgramAnswer } from "@/agent/tools/machine/testing/drives/drive";

export function diskFiles(disk: {
  readonly name: string;
  readonly serial: string;
  readonly vendor: string;
  readonly model: string;
  readonly rotational: boolean;
  readonly blocks: number;
}): Readonly<Record<string, string | Uint8Array>> {
  const folder = `/sys/block/${disk.name}`;
  const serial = Buffer.from(disk.serial.padStart(20));
  return {
    [`${folder}/size`]: `${disk.blocks}\n`,
    [`${folder}/removable`]: "0\n",
    [`${folder}/queue/logical_block_size`]: "512\n",
    [`${folder}/queue/rotational`]: disk.rotational ? "1\n" : "0\n",
    [`${folder}/device/type`]: "0\n",
    [`${folder}/device/vendor`]: `${disk.vendor.padEnd(8)}\n`,
    [`${folder}/device/model`]: `${disk.model.padEnd(16)}\n`,
    [`${folder}/device/rev`]: "2.5+\n",
    [`${folder}/device/vpd_pg80`]: Buffer.concat([Buffer.from([0, 0x80, 0, serial.length]), serial]),
  };
}

/** `port`: `ata1`, or `end_device-0:0`. */
export const diskLinks = (name: string, port: string): Readonly<Record<string, string>> => ({
  [`/sys/block/${name}`]: `/sys/devices/pci0000:00/0000:00:1f.2/${port}/host0/target0:0:0/0:0:0:0/block/${name}`,
});

export const smartAnswer: ProgramAnswer = {
  stdout: recorded.get("/usr/sbin/smartctl -H -j /dev/sdc")?.stdout ?? new Uint8Array(),
};
