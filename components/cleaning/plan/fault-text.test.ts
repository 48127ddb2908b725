// Texts for faults and arguments.
import { describe, expect, it } from "vitest";
import { formatArgs, formatFault } from "@/components/cleaning/plan/fault-text";

const fault = (argument: string | null, message = "Invalid input") => ({
  index: 0,
  step: "firmware.update",
  argument,
  message,
});

describe("a fault", () => {
  const item = { args: { settings: [{ component: "SSD.Bay.1", wait: 9999 }] } };
  it.each([
    ["settings.0.checksum", "settings[0].checksum is required"],
    ["settings.0.wait", "settings[0].wait: invalid input"],
    ["settings.1.url", "settings[1].url is required"],
    ["seconds", "seconds is required"],
    [null, "Invalid input"],
  ])("of %s", (argument, words) => {
    expect(formatFault(fault(argument), item)).toBe(words);
  });
});

it.each([
  [{}, "no arguments"],
  [{ seconds: 600, reason: "look" }, "seconds: 600; reason: look"],
  [{ devices: ["A", "B", "C", "D", "E"] }, "devices: A, B, C and 2 more"],
  [{ settings: [{ a: 1 }], delete_existing: true }, "settings: 1 entry; delete_existing: yes"],
])("says arguments in one line (%#)", (args, words) => {
  expect(formatArgs(args)).toBe(words);
});
