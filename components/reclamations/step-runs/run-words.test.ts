// Texts for a step run.
import { expect, test } from "vitest";
import {
  argsWords,
  disabledWords,
  limitWords,
  priorityWords,
} from "@/components/reclamations/step-runs/run-words";

test("a priority says where it comes from", () => {
  expect(priorityWords({ priority: 90, prioritySource: "default" })).toBe("90, default");
  expect(priorityWords({ priority: 44, prioritySource: "site" })).toBe("44, override of the site");
  expect(priorityWords({ priority: 3, prioritySource: "manual" })).toBe("in the order asked for");
});

test("a disabled step says by what", () => {
  expect(disabledWords({ source: "sku" })).toBe("disabled by the override of the SKU");
});

test("a time limit is a span, and unknown in old plans", () => {
  expect(limitWords({ timeLimitMs: 21 * 60_000 })).toBe("at most 21 min");
  expect(limitWords({ timeLimitMs: null })).toBeNull();
});

test("arguments are named, whatever their type", () => {
  expect(argsWords({ args: {} })).toBeNull();
  expect(argsWords({ args: { pattern: "zero", passes: 3, devices: ["a", "b"] } })).toBe(
    'pattern: zero, passes: 3, devices: ["a","b"]',
  );
});
