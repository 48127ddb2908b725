// Labels for bulk acts.
import { describe, expect, it } from "vitest";
import { countsOf, runTitle, statusOrder, throughOf } from "@/components/hosts/bulk/run-text";
import { bulkStatuses } from "@/server/contract/hosts/bulk-answers";

const none = {
  can: 0,
  cannot: 0,
  asked: 0,
  refused: 0,
  refusedLater: 0,
  running: 0,
  failed: 0,
  ended: 0,
  accepted: 0,
};

it("shows every status once", () => {
  expect([...statusOrder].sort()).toEqual([...bulkStatuses].sort());
});

describe("a title", () => {
  const act = {
    words: "Clean manually",
    runbookName: null,
    steps: ["power.wait", "power.reboot"],
    reason: null,
  };
  it.each([
    [act, "Clean manually: 2 steps"],
    [{ ...act, steps: ["power.wait"] }, "Clean manually: power.wait"],
    [{ ...act, runbookName: "Blink" }, "Clean manually: runbook Blink"],
    [{ ...act, words: "Hold", steps: [], reason: "bay 3" }, "Hold: bay 3"],
    [{ ...act, words: "Resume", steps: [] }, "Resume"],
  ])("%#", (given, words) => {
    expect(runTitle(given)).toBe(words);
  });
});

it("counts what some host has, and how far it is", () => {
  const counts = { ...none, running: 2, ended: 5, failed: 1, cannot: 4, can: 3 };
  expect(countsOf(counts)).toEqual([
    { status: "running", count: 2 },
    { status: "failed", count: 1 },
    { status: "cannot", count: 4 },
    { status: "ended", count: 5 },
    { status: "can", count: 3 },
  ]);
  expect(throughOf(counts)).toEqual({ through: 6, of: 11 });
});
