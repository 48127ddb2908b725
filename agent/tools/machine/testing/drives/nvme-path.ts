// A second controller of an NVMe subsystem: another path to the same drive, as the kernel shows it with native multipath.
import type { Faults, ProgramAnswer, TestDrive } from "@/agent/tools/machine/testing/drives/drive";
import type { Medium } from "@/agent/tools/machine/testing/drives/medium";
import type { NvmeDrive } from "@/agent/tools/machine/testing/drives/nvme-drive";

export class NvmePath implements TestDrive {
  readonly options: { readonly name: string; readonly serial: string };
  readonly tenantBlocks = 0;
  /** Empty: the blocks are shown under the subsystem's name, which is the first controller's. */
  readonly blockDevices: ReadonlyMap<string, Medium> = new Map();
  readonly links = {};

  constructor(
    readonly drive: NvmeDrive,
    name: string,
  ) {
    this.options = { name, serial: drive.options.serial };
  }

  get faults(): Faults {
    return this.drive.faults;
  }

  get files(): Readonly<Record<string, string>> {
    const folder = `/sys/class/nvme/${this.options.name}`;
    const number = this.options.name.slice("nvme".length);
    const paths = [...this.drive.namespaces].flatMap(([id, { instance }]) =>
      instance === null
        ? []
        : ([[`${folder}/${this.drive.options.name}c${number}n${instance}/nsid`, `${id}\n`]] as const),
    );
    return { [`${folder}/transport`]: "pcie\n", ...Object.fromEntries(paths) };
  }

  run(program: string, [verb = "", path = "", ...args]: readonly string[]): ProgramAnswer | null {
    return path === `/dev/${this.options.name}`
      ? this.drive.run(program, [verb, this.drive.path, ...args])
      : null;
  }

  fault(): string | null {
    return null;
  }

  powerLoss(): void {
    // Handled by the drive itself.
  }
}
