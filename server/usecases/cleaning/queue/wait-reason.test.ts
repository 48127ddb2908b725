// The line that says why a queued host waits.
import { describe, expect, it } from "vitest";
import { reasonOf } from "@/server/usecases/cleaning/queue/wait-reason";

const brake = {
  dimension: "driveFirmware",
  value: "CM6 0104",
  message: "12 of 20 hosts with drive firmware CM6 0104 failed.",
} as const;

describe("a host in the queue", () => {
  it.each([
    [
      "meets a limit",
      "2 hosts of the site are in progress",
      true,
      "waiting for admission",
      { reason: "2 hosts of the site are in progress", braked: false },
    ],
    [
      "has a place and meets no limit",
      null,
      true,
      "waiting for admission",
      { reason: "it is about to start", braked: false },
    ],
    [
      "is held back by a brake",
      null,
      false,
      `new starts are paused: ${brake.message}`,
      { reason: "new starts with drive firmware CM6 0104 are paused", braked: true },
    ],
    [
      "was held back by a brake that is lifted",
      null,
      false,
      "new starts are paused: 10 of 10 hosts with model R750 failed.",
      { reason: "it is about to be checked", braked: false },
    ],
    [
      "stands too far back to be counted",
      null,
      false,
      "waiting for admission",
      { reason: "waiting for admission", braked: false },
    ],
    ["was not looked at yet", null, false, null, { reason: "it is about to be checked", braked: false }],
  ] as const)("that %s says so", (_words, limit, hasPlace, waitReason, expected) =>
    expect(reasonOf(limit, hasPlace, waitReason, [brake])).toEqual(expected),
  );
});
