// How drives report that they can be erased: offered, refused, or unknown if there is no answer or it holds only for now.
import { describe, expect, it } from "vitest";
import type { EraseCapabilities, StorageDevice } from "@/server/domain/hosts/inventory/inventory";
import { grouped, ofDisk, ofKit, ofNvme } from "@/agent/capabilities";
import type { Identification } from "@/agent/capabilities";
import type { Answer, AtaIdentity } from "@/agent/tools/tools";

const answer = <Value>(value: Value | null, status = ""): Promise<Answer<Value>> =>
  Promise.resolve({ command: "/usr/sbin/tool -I", exitCode: value === null ? 5 : 0, status, value });
const nothing = <Value>(): Promise<Answer<Value>> => answer<Value>(null, "Input/output error");

const controller = (oacs: number, fna: number, sanicap: number): Identification =>
  ofNvme({
    ...{ sn: "S", mn: "M", fr: "1", cntlid: 1, nn: 1, tnvmcapBytes: 0n, unvmcapBytes: 0n },
    ...{ oacs, fna, sanicap },
  });

const sata = async (
  sanitize: Partial<AtaIdentity["sanitize"]>,
  security: Partial<AtaIdentity["security"]>,
): Promise<Identification | null> =>
  ofDisk(
    {
      ata: {
        identify: () =>
          answer({
            sanitize: { crypto: false, block: false, ...sanitize },
            security: {
              ...{ supported: false, enabled: false, locked: false, frozen: false, enhancedErase: false },
              ...security,
            },
          }),
      },
      scsi: { supported: nothing },
    },
    { path: "/dev/sda", transport: "sata" },
  );

const sas = (
  value: { sanitizeCrypto: boolean; sanitizeBlock: boolean } | null,
): Promise<Identification | null> =>
  ofDisk(
    { ata: { identify: nothing }, scsi: { supported: () => answer(value, "Input/output error") } },
    { path: "/dev/sdb", transport: "sas" },
  );

const sanitizes = ["nvme-sanitize-crypto", "nvme-sanitize-block", "nvme-sanitize-overwrite"];
const formats = ["nvme-format-crypto", "nvme-format-user-data"];
const secureErases = ["ata-secure-erase-enhanced", "ata-secure-erase"];
const ataSanitizes = ["ata-sanitize-crypto", "ata-sanitize-block"];

describe("an NVMe controller", () => {
  it.each([
    ["everything", 0x1e, 0x4, 0x7, [...sanitizes, ...formats], []],
    ["Sanitize by block alone", 0x0, 0x0, 0x2, [sanitizes[1]], [sanitizes[0], sanitizes[2], ...formats]],
    ["Format without crypto", 0x2, 0x0, 0x0, [formats[1]], [...sanitizes, formats[0]]],
    ["a crypto bit without Format", 0x0, 0x4, 0x0, [], [...sanitizes, ...formats]],
  ])("that offers %s", (_what, oacs, fna, sanicap, offers, refuses) => {
    expect(controller(oacs, fna, sanicap)).toEqual({
      offers,
      refuses,
      said: `SANICAP ${sanicap.toString(16)}h, FNA ${fna.toString(16)}h, OACS ${oacs.toString(16)}h`,
    });
  });
});

describe("a SATA disk", () => {
  it.each([
    [
      "offers all",
      { crypto: true, block: true },
      { supported: true, enhancedErase: true },
      [...ataSanitizes, ...secureErases, "overwrite"],
      [],
    ],
    ["has neither Sanitize nor Security", {}, {}, ["overwrite"], [...ataSanitizes, ...secureErases]],
    [
      "is frozen: unknown",
      {},
      { supported: true, enhancedErase: true, frozen: true },
      ["overwrite"],
      ataSanitizes,
    ],
    [
      "is frozen and lacks the enhanced erase",
      {},
      { supported: true, frozen: true },
      ["overwrite"],
      [...ataSanitizes, "ata-secure-erase-enhanced"],
    ],
    [
      "is locked: nothing is certain",
      { crypto: true },
      { supported: true, locked: true },
      [],
      ["ata-sanitize-block", "ata-secure-erase-enhanced"],
    ],
  ])("that %s", async (_what, sanitize, security, offers, refuses) => {
    expect(await sata(sanitize, security)).toMatchObject({ offers, refuses });
  });

  it("tells what hdparm -I shows", async () => {
    expect((await sata({ block: true }, { supported: true, frozen: true }))?.said).toBe(
      "Sanitize: block erase; Security: supported, frozen",
    );
  });
});

describe("a SAS disk", () => {
  it("offers what its operation codes name, and to be overwritten", async () => {
    expect(await sas({ sanitizeCrypto: true, sanitizeBlock: false })).toEqual({
      offers: ["overwrite", "scsi-sanitize-crypto"],
      refuses: ["scsi-sanitize-block"],
      said: "Supported operation codes: SANITIZE cryptographic erase",
    });
  });

  it("that cannot be asked leaves everything unknown, with its answer", async () => {
    expect(await sas(null)).toEqual({
      offers: [],
      refuses: [],
      said: "/usr/sbin/tool -I answered 5: Input/output error",
    });
  });
});

it("a drive of a RAID kit is formatted by passthrough, and of a USB disk nothing is said", async () => {
  expect(ofKit()).toMatchObject({ offers: ["raid-kit-format"], refuses: [] });
  expect(
    await ofDisk(
      { ata: { identify: nothing }, scsi: { supported: nothing } },
      { path: "/dev/sdc", transport: "usb" },
    ),
  ).toBeNull();
});

it("drives of a model that say the same are one entry; those without a name have none", () => {
  const drive = (serial: string, model: string): StorageDevice => ({
    ...{ serial, model, media: "nvme", transport: "nvme", capacityBytes: "1", removable: false },
  });
  const one = controller(2, 0, 0);
  const other = controller(2, 0, 2);
  const entries = grouped([
    { facts: drive("A", "M"), identification: one },
    { facts: drive("B", "M"), identification: one },
    { facts: drive("C", "M"), identification: other },
    { facts: drive("D", "N"), identification: one },
    { facts: drive("E", "N"), identification: null },
    { facts: drive("", "N"), identification: one },
  ]);
  expect(entries.map(({ model, serials }: EraseCapabilities) => [model, serials])).toEqual([
    ["M", ["A", "B"]],
    ["M", ["C"]],
    ["N", ["D"]],
  ]);
});
