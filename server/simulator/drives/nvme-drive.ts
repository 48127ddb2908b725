// A simulated NVMe drive: controller, namespaces, sanitize, format and namespace management, backed by bytes.
import type { HardwareTime } from "@/server/simulator/hardware-time";
import { Content } from "@/server/simulator/drives/content";
import { Drive, type DriveIdentity } from "@/server/simulator/drives/drive";
import type { DriveBody } from "@/server/simulator/state/memory";

/** What a model can do, as its identification shows it. */
export interface NvmeModel {
  readonly oacs: number;
  readonly fna: number;
  readonly sanicap: number;
  readonly seconds: {
    readonly crypto: number;
    readonly block: number;
    readonly overwrite: number;
    readonly format: number;
  };
}

export interface Namespace {
  readonly id: number;
  readonly blocks: number;
  readonly format: number;
  readonly content: Content;
  attached: boolean;
}

export const lbaFormats = [
  { dataBytes: 512, metadataBytes: 0, relativePerformance: 2 },
  { dataBytes: 4096, metadataBytes: 0, relativePerformance: 0 },
] as const;

/** As nvme-cli prints them. */
export const statusCodes = {
  invalidField: "Invalid Field in Command (0x2002)",
  invalidOpcode: "Invalid Command Opcode (0x2001)",
  inProgress: "Sanitize In Progress (0x201d)",
  invalidNamespace: "Invalid Namespace or Format (0x200b)",
} as const;

export class NvmeDrive extends Drive {
  readonly namespaces: Namespace[];

  constructor(
    identity: DriveIdentity,
    time: HardwareTime,
    key: number,
    readonly model: NvmeModel,
    /** Share of the capacity for each namespace, and whether it is attached. */
    layout: readonly { readonly share: number; readonly attached: boolean }[],
  ) {
    super(identity, time, key);
    this.namespaces = layout.map(({ share, attached }, index) => ({
      id: index + 1,
      blocks: Math.floor((Number(identity.capacityBytes) * share) / 512),
      format: 0,
      content: new Content(512, { kind: "tenant", key: this.freshKey() }),
      attached,
    }));
  }

  contents(): readonly Content[] {
    return this.namespaces.map(({ content }) => content);
  }

  protected body(): DriveBody {
    return {
      kind: "nvme",
      namespaces: this.namespaces.map(({ content, ...others }) => ({
        ...others,
        blockBytes: content.blockBytes,
        content: content.memory(),
      })),
    };
  }

  protected recallBody(body: DriveBody): void {
    if (body.kind !== "nvme")
      throw new Error(`${this.identity.serial} is an NVMe drive, and what is known of it is not about one`);
    const namespaces = body.namespaces.map(({ blockBytes, content: memory, ...others }) => {
      const content = new Content(blockBytes, { kind: "zeros" });
      content.recall(memory);
      return { ...others, content };
    });
    this.namespaces.splice(0, this.namespaces.length, ...namespaces);
  }

  override get goesOnOverReset(): boolean {
    return this.erasedBy === "sanitize";
  }

  get sanicap(): number {
    return this.faults.noCrypto ? this.model.sanicap & ~1 : this.model.sanicap;
  }

  get fna(): number {
    return this.faults.noCrypto ? this.model.fna & ~4 : this.model.fna;
  }

  find(id: number): Namespace | null {
    return this.namespaces.find((namespace) => namespace.id === id) ?? null;
  }

  /** Null if accepted, otherwise the status that the drive returns. */
  sanitize(sanact: number): string | null {
    if (this.erasing) return statusCodes.inProgress;
    const kind = { 2: "block", 3: "overwrite", 4: "crypto" } as const;
    if (sanact !== 2 && sanact !== 3 && sanact !== 4) return statusCodes.invalidField;
    const capability = { block: 2, overwrite: 4, crypto: 1 } as const;
    if ((this.sanicap & capability[kind[sanact]]) === 0) return statusCodes.invalidField;
    this.begin(kind[sanact], "sanitize", sanact, this.model.seconds[kind[sanact]] * 1000);
    return null;
  }

  /** Null if started; the caller waits until `erasing` is false. */
  format(id: number, ses: number): string | null {
    const namespace = this.find(id);
    if (this.erasing) return statusCodes.inProgress;
    if ((this.model.oacs & 2) === 0) return statusCodes.invalidOpcode;
    if (!namespace?.attached || (ses === 2 && (this.fna & 4) === 0)) return statusCodes.invalidField;
    // The kit's own controller formats its drives.
    const by = this.identity.card === "kit" ? "controller" : "command";
    this.begin(ses === 2 ? "crypto" : "format", by, ses, this.model.seconds.format * 1000, [
      namespace.content,
    ]);
    return null;
  }

  remove(id: number): string | null {
    if ((this.model.oacs & 8) === 0) return statusCodes.invalidOpcode;
    const index = this.namespaces.findIndex((namespace) => namespace.id === id);
    if (index === -1) return statusCodes.invalidNamespace;
    this.namespaces.splice(index, 1);
    this.onChange(false);
    return null;
  }

  /** The new id, or the status. New blocks read as zeros. */
  create(blocks: number, format: number): number | string {
    const lba = lbaFormats[format];
    if ((this.model.oacs & 8) === 0) return statusCodes.invalidOpcode;
    const used = this.namespaces.reduce(
      (sum, namespace) => sum + namespace.blocks * namespace.content.blockBytes,
      0,
    );
    if (!lba || blocks * lba.dataBytes + used > Number(this.identity.capacityBytes))
      return statusCodes.invalidField;
    const id = 1 + Math.max(0, ...this.namespaces.map((namespace) => namespace.id));
    this.namespaces.push({
      id,
      blocks,
      format,
      content: new Content(lba.dataBytes, { kind: "zeros" }),
      attached: false,
    });
    this.onChange(false);
    return id;
  }

  attach(id: number): string | null {
    const namespace = this.find(id);
    if (!namespace) return statusCodes.invalidNamespace;
    namespace.attached = true;
    this.onChange(false);
    return null;
  }

  read(id: number, block: number): Buffer | null {
    const namespace = this.find(id);
    if (!namespace?.attached || block < 0 || block >= namespace.blocks || this.erasing) return null;
    return this.readFrom(namespace.content, block);
  }

  write(id: number, block: number, content: Uint8Array): boolean {
    const namespace = this.find(id);
    if (!namespace?.attached || block < 0 || block >= namespace.blocks || this.erasing) return false;
    namespace.content.write(block, content);
    this.onChange(false);
    return true;
  }
}
