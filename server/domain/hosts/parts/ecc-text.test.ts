// What is said of memory errors: counts with their period, and never none where nothing was told.
import { expect, it } from "vitest";
import { eccText } from "@/server/domain/hosts/parts/ecc-text";
import type { Part } from "@/server/domain/hosts/parts/part";

it.each<[Part["kind"], Part["ecc"], string | null]>([
  ["gpu", undefined, "errors not told"],
  ["memory", undefined, "errors not told"],
  ["memory", { remapPending: false }, "errors not told"],
  ["nic", undefined, null],
  ["nvswitch", undefined, null],
  ["gpu", { corrected: 3, uncorrected: 0 }, "3 corrected, 0 uncorrected since its driver was loaded"],
  ["memory", { lifetimeCorrected: 7 }, "7 corrected in its life"],
  [
    "gpu",
    { uncorrected: 1, lifetimeUncorrected: 2, remappedRows: 1, remapPending: true, remapFailed: true },
    "1 uncorrected since its driver was loaded; 2 uncorrected in its life; 1 row remapped; a row waits to be remapped; a row could not be remapped",
  ],
])("says of a %s with %j: %s", (kind, ecc, words) => {
  expect(eccText({ kind, ecc })).toBe(words);
});
