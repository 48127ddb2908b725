// What changed since the host was last verified: found by serial number and slot, and never hidden by what nobody reported.
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  changesDigest,
  changeText,
  knownOf,
  knownParts,
  partChanges,
} from "@/server/domain/hosts/parts/changes";
import { partKinds } from "@/server/domain/hosts/parts/part";
import type { Part, PartsReport } from "@/server/domain/hosts/parts/part";
import { allParts, dimm, gpu, nic, report } from "@/server/domain/hosts/parts/testing/parts";

const [first, second] = [gpu("0000:17:00.0", "G1"), gpu("0000:b1:00.0", "G2")];
const bare = ({ serial: _, ...rest }: Part): Part => rest;

/** What a person reads of a host that had `before` and has `now`. */
const said = (before: readonly Part[], now: PartsReport | undefined): readonly string[] =>
  partChanges(knownOf(report(before)), now).map(changeText);

it.each<[string, readonly Part[], PartsReport | undefined, readonly (string | RegExp)[]]>([
  ["nothing", allParts, report(allParts), []],
  [
    "a swapped GPU",
    [first, second],
    report([first, gpu("0000:b1:00.0", "G9")]),
    [
      "GPU in slot 0000:b1:00.0: serial G2 (NVIDIA H100 80GB HBM3) before, serial G9 (NVIDIA H100 80GB HBM3) now",
    ],
  ],
  ["a lost GPU", [first, second], report([first]), [/slot 0000:b1:00.0: serial G2 .* is gone/]],
  ["a new GPU", [first], report([first, second]), [/slot 0000:b1:00.0: serial G2 .* is new/]],
  [
    "two GPUs that changed places",
    [first, second],
    report([gpu("0000:b1:00.0", "G1"), gpu("0000:17:00.0", "G2")]),
    [],
  ],
  [
    "a GPU that no longer has a serial number",
    [first],
    report([bare(first)]),
    [/serial G1 .* before, no serial number .* now/],
  ],
  ["a serial number that is learned", [bare(first)], report([first]), []],
  [
    "a model that is named anew",
    [{ ...bare(first), pciId: "10de:2330" }],
    report([{ ...first, pciId: "10de:2330", model: "GH100" }]),
    [],
  ],
  [
    "another model",
    [bare(nic)],
    report([{ ...nic, model: "ConnectX-6" }]),
    [/ConnectX-7\) before, .*ConnectX-6\) now/],
  ],
  [
    "cards without serial numbers whose buses were renumbered",
    [bare(nic)],
    report([{ ...bare(nic), slot: "0000:4b:00.0" }]),
    [],
  ],
  [
    "a module with another serial number",
    [dimm("A1", "D1")],
    report([dimm("A1", "D2")]),
    [/memory module in slot A1: serial D1 .* before, serial D2 .* now/],
  ],
  [
    "a kind that cannot be listed any more",
    [dimm("A1", "D1")],
    report([], {
      told: ["gpu"],
      untold: [{ kind: "memory", reason: "dmidecode is not in the agent image" }],
    }),
    ["memory modules: not reported by the agent: dmidecode is not in the agent image"],
  ],
  [
    "an agent that reports no parts",
    [first, dimm("A1", "D1")],
    undefined,
    [/^GPUs: not reported/, /^memory modules: not reported/],
  ],
])("finds %s", (_what, before, now, words) => {
  const found = said(before, now);
  expect(found).toHaveLength(words.length);
  for (const [at, text] of words.entries()) expect(found[at]).toMatch(text);
});

it("learns what was not known before", () => {
  expect(partChanges(null, report(allParts))).toEqual([]);
  const { parts } = knownOf(report(allParts));
  expect(
    partChanges({ told: ["nic"], parts: parts.filter(({ kind }) => kind === "nic") }, report(allParts)),
  ).toEqual([]);
  expect(knownParts.parse(knownOf(report(allParts)))).toEqual(knownOf(report(allParts)));
});

it("a digest is of one host and of exactly these changes", () => {
  const changes = partChanges(knownOf(report([first])), report([second]));
  expect(changesDigest("h", changes)).toBe(changesDigest("h", [...changes]));
  expect(changesDigest("h", changes)).not.toBe(changesDigest("i", changes));
  expect(changesDigest("h", changes)).not.toBe(changesDigest("h", changes.slice(1)));
});

const anyPart: fc.Arbitrary<Part> = fc
  .record({
    kind: fc.constantFrom(...partKinds),
    slot: fc.constantFrom("1", "2", "3"),
    model: fc.constantFrom("A", "B"),
    serial: fc.option(fc.constantFrom("S1", "S2", "S3"), { nil: undefined }),
  })
  .map(({ serial, ...rest }) => (serial === undefined ? rest : { ...rest, serial }));

it("another serial number is never hidden, in whatever order parts are reported", () => {
  fc.assert(
    fc.property(fc.array(anyPart, { maxLength: 6 }), fc.nat(5), (found, which) => {
      const before = knownOf(report(found));
      expect(partChanges(before, report([...found].reverse()))).toEqual([]);
      const at = found[which];
      if (at?.serial === undefined) return;
      const swapped = found.map((each, place) => (place === which ? { ...each, serial: "NEW" } : each));
      expect(partChanges(before, report(swapped))).not.toEqual([]);
      expect(partChanges(before, report(found.filter((_, place) => place !== which)))).not.toEqual([]);
      expect(partChanges(before, undefined)).not.toEqual([]);
    }),
    { numRuns: 100 },
  );
});
