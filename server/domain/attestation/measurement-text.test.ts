// Words for measured boot, and registers as people type them.
import { expect, it } from "vitest";
import { measurementWords, readRegisters, registerText } from "@/server/domain/attestation/measurement-text";

const bundle = { name: "R750", state: "Retired" } as const;
const boot = { bootEpoch: 3, problem: null, bundle: null };

it.each([
  ["Discovered", {}, /asked for a quote, and has sent none yet/],
  ["PendingBundle", {}, /^No approved bundle expects what boot 3 measured/],
  ["Measured", { bundle }, /what the bundle R750 expects\.$/],
  ["MeasuringFailed", { bundle }, /the bundle R750 expects, which is retired\.$/],
  ["MeasuringFailed", { problem: "another nonce" }, /^Not measured in boot 3: another nonce$/],
] as const)("%s is said in a sentence (%j)", (state, change, words) => {
  expect(measurementWords({ ...boot, ...change, state })).toMatch(words);
});

it.each([
  ["9, 4,0", [0, 4, 9]],
  ["4,4", [4]],
  ["23", [23]],
  ["24", undefined],
  ["4-9", undefined],
  ["", undefined],
  ["-1", undefined],
])("reads the registers %j as %j", (text, registers) => {
  expect(readRegisters(text)).toEqual(registers);
});

it("says what a register holds, also of one that our image does not use", () => {
  expect(registerText(7)).toBe("secure boot");
  expect(registerText(23)).toBe("not used by our image");
});
