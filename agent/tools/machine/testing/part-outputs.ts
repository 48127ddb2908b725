// Output of the programs that list parts, written by hand in the form of their manuals and of public bug reports; none was recorded on a machine.

const h100 = (bus: string, serial: string, uuid: string, more = "P0, 16, 16, 5, 5, 0, 0") =>
  `00000000:${bus}:00.0, NVIDIA H100 80GB HBM3, ${serial}, GPU-${uuid}, 96.00.68.00.01, 81559, ${more}`;

export const uuids = [
  "1f0c1b2e-7a1d-4b52-9c31-0a5f0a9d1c01",
  "1f0c1b2e-7a1d-4b52-9c31-0a5f0a9d1c02",
] as const;

export const gpuCsv = `${h100("17", "1653923006543", uuids[0])}\n${h100("B1", "1653923006544", uuids[1], "P8, 16, 16, 1, 5, [N/A], [N/A]")}\n`;

export const remapCsv = `00000000:17:00.0, 1, 0, No, No\n00000000:B1:00.0, 0, 2, Yes, No\n`;

export const nvlinkText = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-${uuids[0]})
\t Link 0: 26.562 GB/s
\t Link 1: 26.562 GB/s
\t Link 2: <inactive>
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-${uuids[1]})
\t Link 0: 26.562 GB/s
`;

export const memoryText = `# dmidecode 3.4
Getting SMBIOS data from sysfs.
SMBIOS 3.3.0 present.

Handle 0x1100, DMI type 17, 92 bytes
Memory Device
\tArray Handle: 0x1000
\tTotal Width: 72 bits
\tSize: 32 GB
\tForm Factor: DIMM
\tLocator: A1
\tBank Locator: Not Specified
\tType: DDR4
\tType Detail: Synchronous Registered (Buffered)
\tSpeed: 3200 MT/s
\tManufacturer: Micron Technology
\tSerial Number: 2E67A645
\tAsset Tag: 01211710
\tPart Number: 18ASF4G72PDZ-3G2E1  
\tConfigured Memory Speed: 3200 MT/s

Handle 0x1101, DMI type 17, 92 bytes
Memory Device
\tSize: No Module Installed
\tLocator: A2
\tSerial Number: Not Specified

Handle 0x1102, DMI type 17, 92 bytes
Memory Device
\tSize: 16384 MB
\tLocator: A3
\tType: DDR4
\tManufacturer: NO DIMM
\tSerial Number: 00000000
\tPart Number: Unknown

`;

export const lspciText = `Slot:\t0000:00:00.0
Class:\tHost bridge
Vendor:\tIntel Corporation
Device:\tDevice 09a2

Slot:\t0000:17:00.0
Class:\t3D controller
Vendor:\tNVIDIA Corporation
Device:\tGH100 [H100 SXM5 80GB]
SVendor:\tNVIDIA Corporation
PhySlot:\t3

Slot:\t0000:3b:00.0
Class:\tEthernet controller
Vendor:\tMellanox Technologies
Device:\tMT2892 Family [ConnectX-6 Dx]

`;

export const ethtoolText = `driver: mlx5_core
version: 6.1.0
firmware-version: 22.31.1014 (MT_0000000359)
expansion-rom-version:
bus-info: 0000:3b:00.0
`;

const ascii = (said: string): number[] => [...Buffer.from(said, "latin1")];
const field = (key: string, value: string): number[] => [...ascii(key), value.length, ...ascii(value)];

/** Vital product data with this name and these keywords, and the right checksum. */
export function productData(name: string, keywords: Readonly<Record<string, string>>): Uint8Array {
  const fields = Object.entries(keywords).flatMap(([key, value]) => field(key, value));
  const length = fields.length + 4;
  const head = [0x82, name.length & 255, name.length >> 8, ...ascii(name), 0x90, length & 255, length >> 8];
  const before = [...head, ...fields, ...ascii("RV"), 1];
  const sum = before.reduce((total, byte) => (total + byte) & 255, 0);
  return Uint8Array.from([...before, (256 - sum) & 255, 0x78]);
}

/** Configuration space with another extended capability before the device serial number. */
export function configuration(serial: bigint): Uint8Array {
  const bytes = new Uint8Array(4096);
  const view = new DataView(bytes.buffer);
  view.setUint32(0x100, 0x0001 | (1 << 16) | (0x1b0 << 20), true);
  view.setUint32(0x1b0, 0x0003 | (1 << 16), true);
  view.setUint32(0x1b4, Number(serial & 0xffff_ffffn), true);
  view.setUint32(0x1b8, Number(serial >> 32n), true);
  return bytes;
}
