// Texts for a step run.
import { expect, test } from "vitest";
import {
  formatArgs,
  disabledText,
  formatLimit,
  formatPriority,
} from "@/components/reclamations/step-runs/run-text";

test("a priority says where it comes from", () => {
  expect(formatPriority({ priority: 90, prioritySource: "default" })).toBe("90, default");
  expect(formatPriority({ priority: 44, prioritySource: "site" })).toBe("44, override of the site");
  expect(formatPriority({ priority: 3, prioritySource: "manual" })).toBe("in the order asked for");
});

test("a disabled step says by what", () => {
  expect(disabledText({ source: "sku" })).toBe("disabled by the override of the SKU");
});

test("a time limit is a span, and unknown in old plans", () => {
  expect(formatLimit({ timeLimitMs: 21 * 60_000 })).toBe("at most 21 min");
  expect(formatLimit({ timeLimitMs: null })).toBeNull();
});

test("arguments are named, whatever their type", () => {
  expect(formatArgs({ args: {} })).toBeNull();
  expect(formatArgs({ args: { pattern: "zero", passes: 3, devices: ["a", "b"] } })).toBe(
    'pattern: zero, passes: 3, devices: ["a","b"]',
  );
});
