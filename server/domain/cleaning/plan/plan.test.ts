// The automated plan: which steps, in which order, and that the order is always defined.
import { describe, expect, it } from "vitest";
import { automatedPlan, disabledSteps, makePlan } from "@/server/domain/cleaning/plan/plan";
import {
  effectiveSteps,
  overrideScopes,
  tieMessage,
  tiesWithinInterface,
} from "@/server/domain/cleaning/plan/priorities";
import type { StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { cleanSteps } from "@/server/domain/cleaning/steps/catalogue";
import { cleanStep, stepInterfaces } from "@/server/domain/cleaning/steps/step";
import type { CleanStep } from "@/server/domain/cleaning/steps/step";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import { drive, nothing, step } from "@/server/domain/cleaning/plan/testing/steps";

const names = (catalogue: readonly CleanStep[], overrides: readonly StepOverride[] = []) =>
  automatedPlan(catalogue, overrides, nothing).map((row) => row.step.step);

describe("the order", () => {
  it("is by priority, highest first", () => {
    expect(names([step("raid", "low", 1), step("raid", "high", 99), step("bios", "middle", 50)])).toEqual([
      "high",
      "middle",
      "low",
    ]);
  });

  it("of a tie is vendor, power, management, firmware, deploy, bios, raid", () => {
    const catalogue = [...stepInterfaces].map((name) => step(name, name, 10));
    expect(names(catalogue)).toEqual(["vendor", "power", "management", "firmware", "deploy", "bios", "raid"]);
    expect(names([...catalogue].reverse())).toEqual([
      "vendor",
      "power",
      "management",
      "firmware",
      "deploy",
      "bios",
      "raid",
    ]);
  });

  it("leaves out priority 0 and what does not apply", () => {
    expect(
      names([step("raid", "by hand", 0), step("raid", "elsewhere", 5, false), step("raid", "here", 4)]),
    ).toEqual(["here"]);
  });

  it("refuses ties within one interface", () => {
    const [a, b] = [step("raid", "a", 7), step("raid", "b", 7)];
    const ties = tiesWithinInterface(
      effectiveSteps([a, step("bios", "c", 7), b, step("raid", "d", 0), step("raid", "e", 0)], []),
    );
    expect(ties.map(([one, other]) => [one.step, other.step])).toEqual([[a, b]]);
    expect(ties.map(tieMessage)).toEqual(["raid.a and raid.b have the same priority 7"]);
  });
});

describe("an override", () => {
  const catalogue = [step("raid", "a", 7), step("raid", "b", 5)];
  const override = (scope: StepOverride["scope"], name: string, priority: number): StepOverride => ({
    scope,
    interface: "raid",
    step: name,
    priority,
  });

  it("of the most specific scope wins, in whatever order they come", () => {
    const overrides = overrideScopes.map((scope, index) => override(scope, "a", index + 1));
    for (const list of [overrides, [...overrides].reverse()])
      expect(effectiveSteps(catalogue, list)[0]).toMatchObject({ priority: 3, source: "host" });
    expect(effectiveSteps(catalogue, overrides.slice(0, 2))[0]).toMatchObject({ priority: 2, source: "sku" });
    expect(effectiveSteps(catalogue, overrides.slice(0, 1))[0]).toMatchObject({
      priority: 1,
      source: "site",
    });
    expect(effectiveSteps(catalogue, [])[0]).toMatchObject({ priority: 7, source: "default" });
  });

  it("changes the order, adds a step by hand, and disables one", () => {
    expect(names(catalogue, [override("site", "b", 9)])).toEqual(["b", "a"]);
    expect(names(catalogue, [override("host", "a", 0)])).toEqual(["b"]);
    expect(
      disabledSteps(catalogue, [override("host", "a", 0)], nothing).map((row) => [row.step, row.source]),
    ).toEqual([["a", "host"]]);
    expect(names([step("raid", "by hand", 0)], [override("sku", "by hand", 3)])).toEqual(["by hand"]);
  });

  it("may make a tie, which is found", () => {
    expect(tiesWithinInterface(effectiveSteps(catalogue, [override("sku", "b", 7)]))).toHaveLength(1);
  });
});

describe("the plan of a host", () => {
  const catalogue = [step("raid", "a", 7), step("raid", "b", 5), step("raid", "elsewhere", 5, false)];

  it("is none where overrides of several scopes make a tie, and says which steps", () => {
    const made = makePlan(
      catalogue,
      [
        { scope: "site", interface: "raid", step: "a", priority: 6 },
        { scope: "host", interface: "raid", step: "b", priority: 6 },
      ],
      nothing,
    );
    expect(made).toEqual({
      ok: false,
      message: "raid.a and raid.b have the same priority 6: give one of them another priority",
    });
  });

  it("is not kept up by a step that this hardware has nothing for", () => {
    const made = makePlan(catalogue, [], nothing);
    expect(made.ok && made.steps.map((row) => row.step.step)).toEqual(["a", "b"]);
  });

  it("names what an override disabled: the gates that it would have proven, and the drives that it would have treated", () => {
    const made = makePlan(
      cleanSteps,
      [
        { scope: "sku", interface: "deploy", step: "erase_nvme", priority: 0, setBy: "olga" },
        { scope: "site", interface: "deploy", step: "erase_disks", priority: 0 },
        { scope: "site", interface: "deploy", step: "burnin_cpu", priority: 0 },
      ],
      { ...nothing, storage: [drive("nvme")] },
    );
    expect(made.ok && made.disabled).toEqual([
      {
        interface: "deploy",
        step: "erase_nvme",
        source: "sku",
        setBy: "olga",
        proves: ["storageSanitized"],
        devices: [{ serial: "nvme", model: "M" }],
      },
    ]);
  });

  it("counts an erase that names no drive among what storage rests on", () => {
    const boss = { ...nothing, platform: { ...noPlatformFacts, bossController: "BOSS-1" } };
    const made = makePlan(
      cleanSteps,
      [{ scope: "host", interface: "raid", step: "secure_erase_boss", priority: 0 }],
      boss,
    );
    expect(made.ok && made.disabled).toMatchObject([
      { step: "secure_erase_boss", proves: ["storageSanitized"], devices: [] },
    ]);
  });

  it("of an erase that declares no gate holds the storage gate up all the same", () => {
    const erase = cleanStep({
      interface: "vendor",
      step: "scrub",
      summary: "",
      priority: 9,
      where: "agent",
      state: "WaitingForCleanup/HostCleanup",
      failureCause: "CleanFailed",
      erases: true,
    });
    const made = makePlan(
      [erase],
      [{ scope: "host", interface: "vendor", step: "scrub", priority: 0 }],
      nothing,
    );
    expect(made.ok && made.disabled).toMatchObject([
      { step: "scrub", source: "host", proves: ["storageSanitized"] },
    ]);
  });
});
