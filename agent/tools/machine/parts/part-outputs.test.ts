// What the programs that list parts print: understood as a whole, or not at all.
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { anyText } from "@/server/testing/any-text";
import { readModules } from "@/agent/tools/machine/parts/memory-output";
import { readGpus, readNvlinks, readRemaps } from "@/agent/tools/machine/parts/nvidia-output";
import {
  readCardFirmware,
  readDeviceSerial,
  readPciNames,
  readProductData,
  readSpeed,
} from "@/agent/tools/machine/parts/pci-output";
import {
  configuration,
  ethtoolText,
  gpuCsv,
  lspciText,
  memoryText,
  nvlinkText,
  productData,
  remapCsv,
  uuids,
} from "@/agent/tools/machine/testing/part-outputs";
import { part } from "@/server/domain/hosts/parts/part";

const bytes = (said: string) => Buffer.from(said);

it("reads what nvidia-smi says of GPUs; an idle one has no speed", () => {
  expect(readGpus(bytes(gpuCsv))).toMatchObject([
    {
      slot: "0000:17:00.0",
      model: "NVIDIA H100 80GB HBM3",
      serial: "1653923006543",
      firmware: "96.00.68.00.01",
      memoryBytes: "85520809984",
      link: { width: 16, maxWidth: 16, speed: 32, maxSpeed: 32 },
      ecc: { corrected: 0, uncorrected: 0 },
    },
    { slot: "0000:b1:00.0", link: { width: 16, maxWidth: 16, maxSpeed: 32 }, ecc: {} },
  ]);
  expect(readGpus(bytes(gpuCsv))?.[1]?.link).not.toHaveProperty("speed");
});

it.each([
  ["a lost GPU", "Unable to determine the device handle for GPU0000:5E:00.0: GPU is lost.\n"],
  ["a line that is no GPU", `${gpuCsv}[Unknown Error]\n`],
  ["a cut line", gpuCsv.slice(0, -10)],
  ["nothing", ""],
])("takes no list of GPUs with %s", (_what, output) => {
  expect(readGpus(bytes(output))).toBeNull();
});

it("reads remapped rows and NVLinks", () => {
  expect(readRemaps(bytes(remapCsv))?.get("0000:b1:00.0")).toEqual({
    remappedRows: 2,
    remapPending: true,
    remapFailed: false,
  });
  expect(readNvlinks(bytes(nvlinkText))?.get(`GPU-${uuids[0]}`)).toEqual({ active: 2, total: 3 });
});

it("reads memory modules, without empty slots and placeholders", () => {
  expect(readModules(bytes(memoryText))).toEqual([
    {
      kind: "memory",
      slot: "A1",
      model: "18ASF4G72PDZ-3G2E1",
      manufacturer: "Micron Technology",
      serial: "2E67A645",
      memoryBytes: "34359738368",
      memoryType: "DDR4",
    },
    { kind: "memory", slot: "A3", model: "", memoryBytes: "17179869184", memoryType: "DDR4" },
  ]);
  expect(readModules(bytes("# dmidecode 3.4\n# No SMBIOS nor DMI entry point found, sorry.\n"))).toBeNull();
});

it("reads names, firmware, speeds and serial numbers of PCI devices", () => {
  expect(readPciNames(bytes(lspciText))?.get("0000:17:00.0")).toEqual({
    vendor: "NVIDIA Corporation",
    device: "GH100 [H100 SXM5 80GB]",
  });
  // As lspci prints what its list does not have, or all devices without a list.
  const unlisted = "Slot:\t0000:00:02.0\nClass:\tClass 0200\nVendor:\tVendor 8086\nDevice:\tDevice 10d3\n\n";
  expect(readPciNames(bytes(unlisted))?.get("0000:00:02.0")).toEqual({ vendor: "", device: "" });
  expect(readCardFirmware(bytes(ethtoolText))).toBe("22.31.1014 (MT_0000000359)");
  expect(["16.0 GT/s PCIe", "Unknown", null].map(readSpeed)).toEqual([16, undefined, undefined]);
  expect(readProductData(productData("ConnectX-6 Dx", { PN: "MCX623106AN", SN: "MT2131X03152" }))).toEqual({
    name: "ConnectX-6 Dx",
    serial: "MT2131X03152",
    partNumber: "MCX623106AN",
  });
  expect(readDeviceSerial(configuration(0x0c42a1fffe123456n))).toBe("0c42a1fffe123456");
});

describe("is bounded, breaks on nothing and takes nothing else for an answer", () => {
  const numRuns = inject("fuzz") ?? 100;
  const texts = [gpuCsv, remapCsv, nvlinkText, memoryText, lspciText, ethtoolText];

  it("whatever is cut, changed or put in", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.nat(2_000),
        fc.nat(2_000),
        anyText({ maxLength: 40 }),
        (output, from, to, put) => {
          const changed = bytes(output.slice(0, from) + put + output.slice(to));
          for (const found of readGpus(changed) ?? []) {
            const { uuid: _, ...gpu } = found;
            expect(part.safeParse({ ...gpu, kind: "gpu" }).success).toBe(true);
          }
          for (const found of readModules(changed) ?? []) expect(part.safeParse(found).success).toBe(true);
          for (const ecc of readRemaps(changed)?.values() ?? [])
            expect(part.shape.ecc.safeParse(ecc).success).toBe(true);
          for (const nvlinks of readNvlinks(changed)?.values() ?? [])
            expect(nvlinks.total).toBeLessThanOrEqual(64);
          readPciNames(changed);
          readCardFirmware(changed);
        },
      ),
      { numRuns },
    );
  });

  it("product data with one byte changed is refused or the same, and a chain of capabilities ends", () => {
    const data = productData("ConnectX-6 Dx", { SN: "MT2131X03152" });
    fc.assert(
      fc.property(fc.nat(data.length - 2), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Uint8Array.from(data);
        changed[at] = ((changed[at] ?? 0) + by) & 255;
        expect(readProductData(changed)?.serial ?? "MT2131X03152").toBe("MT2131X03152");
      }),
      { numRuns },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (noise) => {
        expect(readProductData(noise)?.serial ?? "").toMatch(/^[ -~]*$/);
        const config = new Uint8Array(512);
        config.set(noise.subarray(0, 256), 256);
        readDeviceSerial(config);
        readDeviceSerial(noise);
      }),
      { numRuns },
    );
  });
});
