// Steps that a site adds: planned by their priority, proving nothing, and never left out silently.
import { describe, expect, it } from "vitest";
import type { HardwareManager, OfferedStep } from "@/server/domain/agents/protocol";
import { manualFaults } from "@/server/domain/cleaning/plan/manual";
import { makePlan } from "@/server/domain/cleaning/plan/plan";
import { withSiteSteps } from "@/server/domain/cleaning/plan/site-steps";
import { defaultPolicy, policy } from "@/server/domain/cleaning/policy/policy";
import { findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import { nothing } from "@/server/domain/cleaning/plan/testing/steps";

const check: OfferedStep = {
  interface: "vendor",
  step: "check_cables",
  priority: 70,
  abortable: true,
  summary: "Counts the ports with a link.",
  timeLimitMs: 120_000,
  args: [
    { name: "ports", description: "At least so many.", type: "integer", required: false },
    { name: "rack", description: "Its rack.", type: "string", required: false },
    { name: "strict", description: "Fail on a warning.", type: "boolean", required: false },
  ],
};
const manager = (changes: Partial<HardwareManager> = {}): HardwareManager => ({
  name: "site",
  version: "1",
  steps: [check],
  ...changes,
});
const planOf = (managers: readonly HardwareManager[], required: readonly string[] = []) =>
  withSiteSteps(
    makePlan(hostCatalogue(managers.flatMap(({ steps }) => steps)), [], nothing),
    required,
    managers,
  );
const words = (made: ReturnType<typeof planOf>) => (made.ok ? "" : made.message);

describe("a plan with a step of the site", () => {
  it("has it by its priority, and it proves no gate", () => {
    const made = planOf([manager()], ["vendor.check_cables"]);
    if (!made.ok) throw new Error(made.message);
    const names = made.steps.map(({ step }) => stepName(step));
    expect(names[0]).toBe("vendor.check_cables");
    expect(names).toContain("deploy.verify_mem_overwrite");
    expect(made.steps[0]?.step).toMatchObject({ proves: [], erases: false, where: "agent" });
  });

  it("is not made without one that the site requires: nobody offers it, or only by hand", () => {
    expect(words(planOf([], ["vendor.check_cables"]))).toContain("the site requires vendor.check_cables");
    const byHand = manager({ steps: [{ ...check, priority: 0 }] });
    expect(words(planOf([byHand], ["vendor.check_cables"]))).toContain("with a priority above 0");
  });

  it("is not made while a file cannot be read, whether it is required or not", () => {
    const faults = [{ file: "/etc/reclaim/steps.d/x.json", message: "command is required" }];
    expect(words(planOf([manager({ faults })]))).toBe(
      "the agent image contains invalid step files: /etc/reclaim/steps.d/x.json: command is required",
    );
  });

  it("is refused for its own fault first, such as a tie", () => {
    const tie = manager({ steps: [check, { ...check, step: "other" }] });
    expect(words(planOf([tie], ["vendor.none"]))).toContain("the same priority 70");
  });

  it("does not let it write to drives that are erased", () => {
    const late = { ...check, writes: true, priority: 1 };
    const drives = { ...nothing, storage: [{ ...drive, serial: "S1" }] };
    const made = makePlan(hostCatalogue([late]), [], drives);
    expect(made).toMatchObject({ ok: false, message: expect.stringContaining("would write to drives") });
  });
});

const drive = {
  serial: "S1",
  model: "M",
  media: "nvme",
  transport: "nvme",
  capacityBytes: "1",
  removable: false,
} as const;

describe("its arguments", () => {
  const faults = (args: Record<string, never>) =>
    manualFaults([{ interface: "vendor", step: "check_cables", args }], [check]).map(
      ({ message }) => message,
    );
  it.each<[string, Record<string, unknown>, RegExp | null]>([
    ["fit", { ports: 3, rack: "A 7", strict: true }, null],
    ["may be left out", {}, null],
    ["of another type", { ports: "3" }, /ports must be/],
    ["that look like an option", { rack: "--all" }, /must not begin with -/],
    ["of two lines", { rack: "a\nb" }, /control characters/],
    ["empty", { rack: "" }, /rack/],
    ["unknown", { port: 3 }, /no argument port/],
  ])("%s", (_what, args, message) => {
    const found = faults(args as Record<string, never>);
    if (message === null) expect(found).toEqual([]);
    else expect(found.join()).toMatch(message);
  });
});

it("has the time that it declares, and then some for its answer", () => {
  const found = findCleanStep("vendor", "check_cables", [check]);
  expect(found?.timeLimitMs(defaultPolicy(), {}, nothing)).toBe(120_000 + defaultPolicy().times.otherStepMs);
});

it("a policy of the release before requires none, and a name must be one", () => {
  const { requiredSteps: _, ...before } = defaultPolicy();
  expect(policy.parse(before).requiredSteps).toEqual([]);
  expect(policy.safeParse({ ...before, requiredSteps: ["check cables"] }).success).toBe(false);
});
