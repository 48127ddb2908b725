// Parsing typed traits, and steps in one line.
import { expect, it } from "vitest";
import { formatSteps, traitsOf } from "@/components/cleaning/runbooks/runbook-text";

it("reads traits by commas and spaces, each once", () => {
  expect(traitsOf(" CUSTOM_A, CUSTOM_B  CUSTOM_A,\nCUSTOM_C")).toEqual(["CUSTOM_A", "CUSTOM_B", "CUSTOM_C"]);
  expect(traitsOf(" , ")).toEqual([]);
});

it("says steps in one line", () => {
  const steps = ["a", "b", "c", "d", "e"].map((step) => ({ interface: "deploy", step }));
  expect(formatSteps(steps)).toBe("5 steps: deploy.a, deploy.b, deploy.c and 2 more");
  expect(formatSteps(steps.slice(0, 1))).toBe("1 step: deploy.a");
});
