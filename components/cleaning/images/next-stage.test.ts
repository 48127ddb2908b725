// Which rollout stage is proposed next, and which values are valid.
import { expect, test } from "vitest";
import { widenRefusal, type Rollout } from "@/server/domain/cleaning/images/image-rollout";
import { proposedStage, rolloutFrom, textOf } from "@/components/cleaning/images/next-stage";

test("what is proposed is always taken, and leads to all", () => {
  const steps: Rollout[] = [{ stage: "few", hosts: 5 }];
  for (let next = proposedStage(steps[0] ?? { stage: "all" }); next !== null; next = proposedStage(next)) {
    expect(
      widenRefusal({ rollout: steps.at(-1) ?? { stage: "all" }, braked: false, cameUp: 1 }, next),
    ).toBeNull();
    steps.push(next);
  }
  expect(steps.map((step) => `${step.stage} ${textOf(step)}`.trim())).toEqual([
    "few 5",
    "share 5",
    "share 20",
    "share 50",
    "all",
  ]);
});

test.each([
  ["few", "12", { stage: "few", hosts: 12 }],
  ["share", " 20 ", { stage: "share", percent: 20 }],
  ["all", "", { stage: "all" }],
  ["few", "0", null],
  ["few", "101", null],
  ["share", "100", null],
  ["share", "2.5", null],
  ["share", "", null],
] as const)("%s of %j", (stage, text, rollout) => expect(rolloutFrom({ stage, text })).toEqual(rollout));
