// Which hosts of a group a brake still holds after the rest was let go on: never fewer than those that have the value or may have it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isFirmwareKnown,
  isInPart,
  narrowedTo,
  partDimensions,
} from "@/server/domain/cleaning/queue/narrowed";
import type { Part, PartFacts } from "@/server/domain/cleaning/queue/narrowed";

const facts = (firmware: readonly string[], unknown: PartFacts["unknown"] = []): PartFacts => ({
  has: { driveFirmware: firmware, model: ["Dell R750"] },
  unknown,
});
const firmware = (value: string): Part => ({ dimension: "driveFirmware", value });

describe("a narrowed brake", () => {
  it.each([
    ["has the value", [firmware("A 1")], facts(["A 1", "A 2"]), true],
    ["has another one", [firmware("A 1")], facts(["A 2"]), false],
    ["has one of several values", [firmware("A 1"), firmware("A 2")], facts(["A 2"]), true],
    ["has no known value", [firmware("A 1")], facts([]), true],
    [
      "has another one, and a drive that does not tell",
      [firmware("A 1")],
      facts(["A 2"], ["driveFirmware"]),
      true,
    ],
    ["is of another model", [{ dimension: "model", value: "Dell R760" }], facts([]), false],
    ["is one of a brake without parts", null, facts(["A 2"]), true],
    ["is one of a brake with an empty list of parts", [], facts(["A 2"]), true],
  ] as const)("of a host that %s", (_, parts, known, held) => {
    expect(isInPart(parts, known)).toBe(held);
  });

  it("never lets a host go on that has the value, or of which it is unknown", () => {
    const value = fc.constantFrom("1", "2", "3");
    const dimension = fc.constantFrom(...partDimensions);
    fc.assert(
      fc.property(
        fc.array(fc.record({ dimension, value })),
        fc.record({
          has: fc.record({ driveFirmware: fc.array(value), model: fc.array(value) }),
          unknown: fc.uniqueArray(dimension),
        }),
        (parts, known) => {
          const mayHave = parts.some(
            (one) =>
              known.has[one.dimension].includes(one.value) ||
              known.has[one.dimension].length === 0 ||
              known.unknown.includes(one.dimension),
          );
          expect(isInPart(parts, known)).toBe(mayHave || parts.length === 0);
        },
      ),
    );
  });

  it.each([
    ["nothing", null],
    ["no part", []],
    ["a dimension of another release", [{ dimension: "rack", value: "r1" }]],
    [
      "one part that it knows and one that it does not",
      [firmware("A 1"), { dimension: "rack", value: "r1" }],
    ],
    ["no list", "driveFirmware"],
  ])("that is stored with %s holds its whole group", (_, stored) => {
    expect(narrowedTo.parse(stored)).toBeNull();
  });
});

describe("the firmware of a host's drives", () => {
  const drive = (serial: string, firmware?: string) => ({ serial, firmware });
  it.each([
    ["no drive", [], [], false],
    ["a list of the BMC only", null, [drive("1", "x")], false],
    ["a list of the agent only", [drive("1", "x")], null, false],
    ["each told by the agent", [drive("1", "x"), drive("2", "y")], [], true],
    ["one not told by the agent", [drive("1", "x"), drive("2")], [drive("2", "y")], false],
    ["one told as empty", [drive("1", "")], [], false],
    ["the same drives by the BMC, without firmware", [drive("1", "x")], [drive("1")], true],
    ["one more by the BMC", [drive("1", "x")], [drive("2", "x")], false],
    ["one more without a serial number", [drive("1", "x")], [drive("", "x")], false],
  ] as const)("of %s", (_, agent, bmc, known) => {
    expect(isFirmwareKnown({ agent, bmc, expected: [], unnamed: 0 })).toBe(known);
  });

  it("is not known of a drive that only the reclamation lists, or that nobody can name", () => {
    const lists = { agent: [drive("1", "x")], bmc: [drive("1")], expected: [drive("1")], unnamed: 0 };
    expect(isFirmwareKnown(lists)).toBe(true);
    expect(isFirmwareKnown({ ...lists, expected: [drive("1"), drive("2", "x")] })).toBe(false);
    expect(isFirmwareKnown({ ...lists, unnamed: 1 })).toBe(false);
  });
});
