// GPUs, network cards and memory modules of the fleet's machines: as in the captured trees, whose serial numbers each host replaces with its own.
import type { Part } from "@/server/domain/hosts/parts/part";
import { letters } from "@/server/simulator/fleet/numbers";

/** `capturedSerial`: as the tree has it, or made up for a part that the BMC does not show. Empty: the part reports none. */
export type PartModel = Omit<Part, "serial"> & { readonly capturedSerial: string };

const gib = 1024n ** 3n;
const mib = 1024n ** 2n;

const link = (width: number, speed: number): NonNullable<Part["link"]> => ({
  width,
  maxWidth: width,
  speed,
  maxSpeed: speed,
});
const cleanEcc: NonNullable<Part["ecc"]> = {
  corrected: 0,
  uncorrected: 0,
  remappedRows: 0,
  remapPending: false,
  remapFailed: false,
};

const dimm = (
  slot: string,
  capturedSerial: string,
  model: string,
  manufacturer: string,
  memoryType = "DDR4",
): PartModel => ({
  ...{ kind: "memory", slot, model, manufacturer, memoryType, capturedSerial },
  memoryBytes: String(32n * gib),
});

const h100: PartModel = {
  kind: "gpu",
  slot: "0000:17:00.0",
  model: "NVIDIA H100 PCIe",
  manufacturer: "NVIDIA Corporation",
  capturedSerial: "1654422007043",
  firmware: "96.00.68.00.01",
  pciId: "10de:2331",
  memoryBytes: String(81_559n * mib),
  link: link(16, 32),
  ecc: cleanEcc,
};

const a6000 = (slot: string, capturedSerial: string): PartModel => ({
  kind: "gpu",
  slot,
  model: "NVIDIA RTX A6000",
  manufacturer: "NVIDIA Corporation",
  capturedSerial,
  firmware: "94.02.5C.00.02",
  pciId: "10de:2230",
  memoryBytes: String(49_140n * mib),
  link: link(16, 16),
  nvlinks: { active: 4, total: 4 },
  ecc: cleanEcc,
});

const connectX = (slot: string, capturedSerial: string): PartModel => ({
  kind: "nic",
  slot,
  model: "MT2892 Family [ConnectX-6 Dx]",
  manufacturer: "Mellanox Technologies",
  capturedSerial,
  firmware: "22.31.1014",
  pciId: "15b3:101d",
  link: link(16, 16),
});

const dellModules = [
  ..."2E67A645 2E679ED9 2E67A7CE 2E67A65E 2E67A6E3 2E67A141 2E67AB00 2E67A5FF"
    .split(" ")
    .map((serial, at) => ({
      serial,
      slot: `A${at + 1}`,
    })),
  ..."2E67A144 2E67A147 2E679EE1 2E679C42 2E67AC36 2E67A14B 2E67A17A 2E67A130"
    .split(" ")
    .map((serial, at) => ({
      serial,
      slot: `B${at + 1}`,
    })),
].map(({ serial, slot }) => dimm(slot, serial, "18ASF4G72PDZ-3G2E1", "Micron Technology"));

const lenovoSlots: readonly (readonly [number, string])[] = [
  ...([
    [1, "0428DCDF"],
    [3, "0428DCD1"],
    [5, "0428DCA5"],
    [7, "0428DA51"],
  ] as const),
  ...([
    [10, "0428DCDD"],
    [12, "0428DDC9"],
    [14, "0428DB78"],
    [16, "0428DB61"],
  ] as const),
  ...([
    [17, "0428DB85"],
    [19, "0428DD16"],
    [21, "0428DD17"],
    [23, "0428DD18"],
  ] as const),
  ...([
    [26, "0428DB60"],
    [28, "0428DD75"],
    [30, "0428DD7D"],
    [32, "0428DA5A"],
  ] as const),
];

export const partModels = {
  dell: [
    h100,
    {
      ...{
        kind: "nic",
        slot: "0000:04:00.0",
        model: "NetXtreme BCM5720 Gigabit Ethernet PCIe",
        capturedSerial: "",
      },
      ...{
        manufacturer: "Broadcom Inc. and subsidiaries",
        firmware: "21.80.9",
        pciId: "14e4:165f",
        link: link(2, 5),
      },
    },
    {
      ...{ kind: "nic", slot: "0000:31:00.0", capturedSerial: "VNFCVBA14I00AD", pciId: "14e4:16d7" },
      model: "BCM57414 NetXtreme-E 10Gb/25Gb RDMA Ethernet Controller",
      ...{ manufacturer: "Broadcom Inc. and subsidiaries", firmware: "21.80.16.95", link: link(8, 8) },
    },
    {
      ...{ kind: "nic", slot: "0000:ca:00.0", model: "MT28908 Family [ConnectX-6]", capturedSerial: "" },
      ...{
        manufacturer: "Mellanox Technologies",
        firmware: "20.31.1014",
        pciId: "15b3:101b",
        link: link(16, 16),
      },
    },
    {
      ...{ kind: "dpu", slot: "0000:b1:00.0", capturedSerial: "MT2242XZ00QA", pciId: "15b3:a2d6" },
      model: "MT42822 BlueField-2 integrated ConnectX-6 Dx network controller",
      ...{ manufacturer: "Mellanox Technologies", firmware: "24.40.1000", link: link(8, 16) },
    },
    ...dellModules,
  ],
  lenovo: [
    a6000("0000:4b:00.0", "1322221026831"),
    a6000("0000:b1:00.0", "1322221028609"),
    connectX("0000:3b:00.0", "MT2131X03152"),
    connectX("0000:98:00.0", "MT2131X03167"),
    ...lenovoSlots.map(([slot, serial]) => dimm(`DIMM ${slot}`, serial, "M393A4G43AB3-CWE", "Samsung")),
  ],
  generic: [
    {
      ...{
        kind: "nic",
        slot: "0000:41:00.0",
        model: "BCM57416 NetXtreme-E Dual-Media 10G RDMA",
        capturedSerial: "",
      },
      ...{
        manufacturer: "Broadcom Inc. and subsidiaries",
        firmware: "20.8",
        pciId: "14e4:16d8",
        link: link(8, 8),
      },
    },
    ...Array.from({ length: 8 }, (_, at) =>
      dimm(`P0 CHANNEL ${"ABCDEFGH"[at] ?? ""}`, `GM0000${at}`, "HMCG88AEBRA168N", "SK Hynix", "DDR5"),
    ),
  ],
} as const satisfies Readonly<Record<string, readonly PartModel[]>>;

const alphabet = { digits: "0123456789", hex: "0123456789ABCDEF" };

/** The serial number of the part in this place; `replaced` counts the parts that were there before. Empty if such parts report none. */
export function partSerial(
  captured: string,
  index: number,
  place: number,
  seed: number,
  replaced = 0,
): string {
  if (captured === "") return "";
  const letter = /^\d+$/.test(captured) ? alphabet.digits : alphabet.hex;
  const tail = Math.min(8, captured.length - 1);
  return `${captured.slice(0, captured.length - tail)}${letters(letter, tail, seed, index, place, replaced, 77)}`;
}
