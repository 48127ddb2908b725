// The plan file: what it fixes, and that every change to it changes its digest.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { parsePlan, readPlan } from "@/bench/release/plan";

it("gives a policy that a site can have", () => {
  const plan = readPlan();
  expect(policy.parse(plan.fullPolicy)).toEqual(plan.fullPolicy);
  expect(plan.fullPolicy.sanitization.erase.samplesPerDevice).toBe(plan.policy.samplesPerDevice);
  expect(plan.fullPolicy.automatedClean).toBe(true);
});

it("has another digest when anything in it differs", () => {
  const text = readFileSync(new URL("plan.json", import.meta.url), "utf8");
  const changed = JSON.stringify({ ...JSON.parse(text), fleetSeed: 2 });
  expect(parsePlan(changed).digest).not.toBe(parsePlan(text).digest);
  expect(parsePlan(text, true).digest).not.toBe(parsePlan(text).digest);
});

it("refuses a plan with something unknown in it", () => {
  expect(() =>
    parsePlan(
      JSON.stringify({
        ...JSON.parse(readFileSync(new URL("plan.json", import.meta.url), "utf8")),
        extra: 1,
      }),
    ),
  ).toThrow("extra");
});
