// The machines of the fleet: Dell and Lenovo as in their captured trees in ../trees, each also with its boot card, and a third made by hand.
import type { InfinibandDevice } from "@/server/domain/hosts/inventory/inventory";
import type { DiskModel } from "@/server/simulator/drives/disk-drive";
import type { DriveIdentity } from "@/server/simulator/drives/drive";
import type { NvmeModel } from "@/server/simulator/drives/nvme-drive";
import { partModels, type PartModel } from "@/server/simulator/fleet/part-models";

export const vendors = ["dell", "lenovo", "generic"] as const;
export type Vendor = (typeof vendors)[number];

/** Everything about a machine that its number does not decide. */
export const hostModels = ["dell", "lenovo", "generic", "dellBoss", "lenovoKit"] as const;
export type HostModelName = (typeof hostModels)[number];

export interface DriveModel {
  readonly capturedSerial: string;
  /** A boot card that the drive is on: only the BMC reaches drives behind `boss`, and only the kit's own tool those behind `kit`. */
  readonly card?: "boss" | "kit";
  readonly identity: Omit<DriveIdentity, "serial" | "wwn">;
  readonly behaviour:
    | {
        readonly kind: "nvme";
        readonly model: NvmeModel;
        readonly layout: readonly { readonly share: number; readonly attached: boolean }[];
      }
    | { readonly kind: "disk"; readonly model: DiskModel };
}

export interface HostModel {
  readonly vendor: Vendor;
  readonly sku: string;
  readonly manufacturer: string;
  readonly product: string;
  readonly biosVersion: string;
  readonly cpus: readonly { readonly model: string; readonly cores: number }[];
  readonly memoryBytes: bigint;
  readonly nics: readonly { readonly name: string; readonly captured: string }[];
  readonly infiniband: readonly Omit<InfinibandDevice, "guid">[];
  readonly drives: readonly DriveModel[];
  readonly parts: readonly PartModel[];
  readonly networkInterfaces: number;
}

const gib = 1024n ** 3n;
const xeon = { model: "Intel(R) Xeon(R) Gold 6354 CPU @ 3.00GHz", cores: 18 };

/** Format, with crypto erase; namespace management; sanitize by crypto and block. */
const enterprise: NvmeModel = {
  oacs: 0x1e,
  fna: 0x04,
  sanicap: 0x03,
  seconds: { crypto: 120, block: 240, overwrite: 14_400, format: 90 },
};
/** Sanitize by block only; no namespace management; format without crypto erase. */
const plain: NvmeModel = {
  oacs: 0x06,
  fna: 0x00,
  sanicap: 0x02,
  seconds: { crypto: 120, block: 180, overwrite: 7_200, format: 60 },
};
const wholeNamespace = [{ share: 1, attached: true }];

const dellDrive = (slot: number, capturedSerial: string): DriveModel => ({
  capturedSerial,
  identity: {
    model: "Dell Ent NVMe CM6 RI 1.92TB",
    manufacturer: "KIOXIA Corporation",
    firmware: "2.1.3",
    slot: String(slot),
    capacityBytes: 1_920_383_410_176n,
  },
  behaviour: { kind: "nvme", model: enterprise, layout: wholeNamespace },
});

const lenovoDrive = (slot: number, capturedSerial: string): DriveModel => ({
  capturedSerial,
  identity: {
    model: "SSDPF2KE016T9L",
    manufacturer: "LENOVO (Intel)",
    firmware: "2CV1L028",
    slot: String(slot),
    capacityBytes: 1_600_000_000_000n,
  },
  behaviour: { kind: "nvme", model: enterprise, layout: wholeNamespace },
});

const genericNvme = (
  slot: number,
  model: NvmeModel,
  layout: readonly { share: number; attached: boolean }[],
): DriveModel => ({
  capturedSerial: `GXN${slot}00000000`,
  identity: {
    model: "GX3 NVMe 3.84TB",
    manufacturer: "Generic Storage",
    firmware: "1.0.7",
    slot: String(slot),
    capacityBytes: 3_840_755_982_336n,
  },
  behaviour: { kind: "nvme", model, layout },
});

const sataSolidState: DriveModel["behaviour"] = {
  kind: "disk",
  model: {
    transport: "sata",
    rotational: false,
    sanitizeCrypto: true,
    sanitizeBlock: true,
    seconds: { crypto: 30, block: 60, overwrite: 3_600, format: 120 },
  },
};

/** The two drives of a Dell BOSS-S2 card. */
const bossDrive = (slot: number): DriveModel => ({
  capturedSerial: `BSS${slot}00000000000`,
  card: "boss",
  identity: {
    model: "MTFDDAV480TDS",
    manufacturer: "Micron",
    firmware: "D3DJ004",
    slot: String(slot),
    capacityBytes: 480_103_981_056n,
  },
  behaviour: sataSolidState,
});

/** The two drives of a Lenovo M.2 NVMe 2-Bay RAID Kit. */
const kitDrive = (slot: number): DriveModel => ({
  capturedSerial: `KIT${slot}00000000000`,
  card: "kit",
  identity: {
    model: "MTFDKBA480TFR",
    manufacturer: "Micron",
    firmware: "E2MU200",
    slot: String(slot),
    capacityBytes: 480_103_981_056n,
  },
  behaviour: { kind: "nvme", model: plain, layout: wholeNamespace },
});

const vendorModels: Readonly<Record<Vendor, HostModel>> = {
  dell: {
    vendor: "dell",
    sku: "dell-r750-gpu",
    manufacturer: "Dell Inc.",
    product: "PowerEdge R750",
    biosVersion: "1.8.2",
    cpus: [xeon, xeon],
    memoryBytes: 512n * gib,
    nics: [
      { name: "NIC.Embedded.1-1-1", captured: "70:B5:E8:F0:52:DC" },
      { name: "NIC.Embedded.2-1-1", captured: "70:B5:E8:F0:52:DD" },
      { name: "NIC.Integrated.1-1-1", captured: "E4:3D:1A:13:27:F0" },
      { name: "NIC.Integrated.1-2-1", captured: "E4:3D:1A:13:27:F1" },
      { name: "NIC.Slot.5-1", captured: "B8:3F:D2:90:97:C4" },
    ],
    infiniband: [
      { slot: "ca:00.0", model: "ConnectX-6", ports: 2, dpu: false },
      { slot: "b1:00.0", model: "BlueField-2", ports: 1, dpu: true },
    ],
    parts: partModels.dell,
    drives: [dellDrive(0, "61X0A002TCD8"), dellDrive(1, "61M0A08ZTCD8"), dellDrive(2, "61P0A06CTCD8")],
    networkInterfaces: 2,
  },
  lenovo: {
    vendor: "lenovo",
    sku: "lenovo-sr670-gpu",
    manufacturer: "Lenovo",
    product: "ThinkSystem SR670 V2",
    biosVersion: "U8E112A",
    cpus: [xeon, xeon],
    memoryBytes: 512n * gib,
    nics: [
      { name: "slot3p1", captured: "08:C0:EB:53:C9:F0" },
      { name: "slot3p2", captured: "08:C0:EB:53:C9:F1" },
      { name: "slot5p1", captured: "08:C0:EB:59:D3:68" },
      { name: "slot5p2", captured: "08:C0:EB:59:D3:69" },
    ],
    infiniband: [{ slot: "3b:00.0", model: "ConnectX-6 Dx", ports: 1, dpu: false }],
    parts: partModels.lenovo,
    drives: [lenovoDrive(0, "PHAB1234034Z1P9SGN"), lenovoDrive(1, "PHAB123401GY1P9SGN")],
    networkInterfaces: 1,
  },
  generic: {
    vendor: "generic",
    sku: "generic-2u-storage",
    manufacturer: "Generic Systems",
    product: "GS-2408",
    biosVersion: "3.2",
    cpus: [{ model: "AMD EPYC 9354 32-Core Processor", cores: 32 }],
    memoryBytes: 256n * gib,
    nics: [
      { name: "eth0", captured: "02:47:53:00:00:00" },
      { name: "eth1", captured: "02:47:53:00:00:01" },
    ],
    infiniband: [],
    parts: partModels.generic,
    drives: [
      genericNvme(0, enterprise, [
        { share: 0.5, attached: true },
        { share: 0.25, attached: false },
      ]),
      genericNvme(1, plain, wholeNamespace),
      {
        capturedSerial: "GXS200000000",
        identity: {
          model: "GX1 SATA SSD 480GB",
          manufacturer: "Generic Storage",
          firmware: "5.4",
          slot: "2",
          capacityBytes: 480_103_981_056n,
        },
        behaviour: sataSolidState,
      },
      {
        capturedSerial: "GXH300000000",
        identity: {
          model: "GX7 SAS HDD 2.4TB",
          manufacturer: "Generic Storage",
          firmware: "B017",
          slot: "3",
          capacityBytes: 2_400_476_553_216n,
        },
        behaviour: {
          kind: "disk",
          model: {
            transport: "sas",
            rotational: true,
            sanitizeCrypto: true,
            sanitizeBlock: false,
            seconds: { crypto: 10, block: 0, overwrite: 14_400, format: 14_400 },
          },
        },
      },
    ],
    networkInterfaces: 1,
  },
};

export const models: Readonly<Record<HostModelName, HostModel>> = {
  ...vendorModels,
  dellBoss: {
    ...vendorModels.dell,
    sku: "dell-r750-boss",
    drives: [...vendorModels.dell.drives, bossDrive(0), bossDrive(1)],
  },
  lenovoKit: {
    ...vendorModels.lenovo,
    sku: "lenovo-sr670-kit",
    drives: [...vendorModels.lenovo.drives, kitDrive(0), kitDrive(1)],
  },
};
