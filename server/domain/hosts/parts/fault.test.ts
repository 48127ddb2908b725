// What is wrong with a part by what was reported; what is not known is not wrong.
import { expect, it } from "vitest";
import { partFault } from "@/server/domain/hosts/parts/fault";
import type { Part } from "@/server/domain/hosts/parts/part";
import { gpu } from "@/server/domain/hosts/parts/testing/parts";

it.each<[string, Partial<Part>, string | null]>([
  ["nothing", {}, null],
  ["a link that nobody measured", { link: { maxWidth: 16, maxSpeed: 32 } }, null],
  ["a link whose maximum is not known", { link: { width: 8, speed: 8 } }, null],
  ["a narrow link", { link: { width: 4, maxWidth: 8 } }, "its PCIe link has 4 of 8 lanes"],
  ["a link without lanes", { link: { width: 0, maxWidth: 8 } }, "its PCIe link has 0 of 8 lanes"],
  ["a slow link", { link: { width: 8, maxWidth: 8, speed: 8, maxSpeed: 32 } }, "runs at 8 of 32 GT/s"],
  ["corrected errors", { ecc: { corrected: 1_000, remappedRows: 2 } }, null],
  ["uncorrected errors", { ecc: { uncorrected: 3 } }, "3 uncorrected memory errors"],
  ["a remapping to come", { ecc: { remapPending: true } }, "waits to be remapped"],
  ["a failed remapping", { ecc: { remapPending: true, remapFailed: true } }, "could not be remapped"],
  ["what its driver says", { fault: "GPU is lost" }, "GPU is lost"],
])("%s", (_what, more, words) => {
  const fault = partFault(gpu("0000:17:00.0", "G1", more));
  if (words === null) expect(fault).toBeNull();
  else expect(fault).toContain(words);
});
