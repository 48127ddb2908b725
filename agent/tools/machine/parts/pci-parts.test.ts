// Which PCI functions are parts: graphics that nobody needs to clear are no GPUs.
import { expect, it } from "vitest";
import { kindOf } from "@/agent/tools/machine/parts/pci-parts";

it.each([
  ["NVIDIA's 3D controller", "0x10de", "0x030200", "0000:17:00.0", "gpu"],
  ["NVIDIA's GPU with a screen", "0x10de", "0x030000", "0000:17:00.0", "gpu"],
  ["AMD's display controller", "0x1002", "0x038000", "0000:c1:00.0", "gpu"],
  ["Intel's display controller in a slot", "0x8086", "0x038000", "0000:29:00.0", "gpu"],
  ["a processing accelerator", "0x1002", "0x120000", "0000:c1:00.0", "gpu"],
  ["a processor's own graphics", "0x8086", "0x030000", "0000:00:02.0", null],
  ["a processor's own graphics beside a BMC's screen", "0x8086", "0x038000", "0000:00:02.0", null],
  ["a BMC's screen", "0x1a03", "0x030000", "0000:03:00.0", null],
  ["the screen of virtio without VGA", "0x1af4", "0x038000", "0000:00:03.0", null],
  ["the screen of Bochs without VGA", "0x1234", "0x038000", "0000:00:04.0", null],
])("%s", (_what, vendor, classCode, address, kind) => {
  expect(kindOf({ vendor, device: "0x0001", classCode, address, hasDriver: false })).toBe(kind);
});
