// The verdict on a step: all of its devices together, and what the agent said about the step.
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import type { ResultBody } from "@/server/domain/agents/protocol";
import type { DeviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { judgeDevice, judgeStep } from "@/server/domain/cleaning/sanitization/judge";
import { device, result } from "@/server/domain/cleaning/sanitization/testing/device-results";

const policy = defaultPolicy().sanitization;

it("a device that the agent was told to treat and did not find is missing, and not one that failed", () => {
  const report: ResultBody = {
    attempt: 1,
    result: "ERROR",
    message: "B: expected, but not found by the agent",
    devices: [
      result("A"),
      {
        ...result("B"),
        result: "ERROR",
        tries: [],
        message: "expected, but not found by the agent",
        missing: true,
      },
    ],
    journal: [],
  };
  const verdict = judgeStep([device("A"), device("B")], report, policy);
  expect(verdict.missing.map(({ serial }) => serial)).toEqual(["B"]);
  expect(verdict).toMatchObject({ ok: false, message: "B (M): expected, but not found by the agent" });
  // A device reported as both missing and sanitized does not count as sanitized.
  expect(
    judgeStep(
      [device("A")],
      { ...report, result: "OK", message: "", devices: [{ ...result("A"), missing: true }] },
      policy,
    ),
  ).toMatchObject({ ok: false, devices: [{ verdict: "failed" }] });
});

describe("a step", () => {
  const judge = (
    expected: readonly string[],
    devices: readonly DeviceResult[],
    changes: Partial<ResultBody> = {},
  ) =>
    judgeStep(
      expected.map((serial) => device(serial)),
      { attempt: 1, result: "OK", message: "done", devices: [...devices], journal: [], ...changes },
      policy,
    );

  it("succeeds when the devices treated are those expected", () => {
    expect(judge(["A", "B"], [result("B"), result("A")])).toMatchObject({
      ok: true,
      message: "done",
      missing: [],
    });
    expect(judge([], [])).toMatchObject({ ok: true });
  });

  it.each<[string, readonly string[], readonly DeviceResult[], Partial<ResultBody>, RegExp]>([
    ["a device is missing", ["A", "B"], [result("A")], {}, /^B \(M\): no result; the device was expected$/],
    ["it says OK about no device", ["A"], [], {}, /no result/],
    ["it failed as a whole", ["A"], [result("A")], { result: "ERROR", message: "killed" }, /^killed$/],
    ["it failed without words", [], [], { result: "ERROR", message: "" }, /reports an error/],
    [
      "one of its devices failed",
      ["A", "B"],
      [result("A"), result("B", { result: "ERROR", message: "worn out" })],
      {},
      /^B \(M\): worn out$/,
    ],
    [
      "its own words are its devices' words, which are said once",
      ["A", "B"],
      [
        result("A", { result: "ERROR", message: "frozen" }),
        result("B", { result: "ERROR", message: "worn out" }),
      ],
      { result: "ERROR", message: "A: frozen; B: worn out" },
      /^A \(M\): frozen\nB \(M\): worn out$/,
    ],
    [
      "it says more than its devices do",
      ["A"],
      [result("A", { result: "ERROR", message: "frozen" })],
      { result: "ERROR", message: "aborted: A: frozen" },
      /^aborted: A: frozen\nA \(M\): frozen$/,
    ],
    ["a device is told of twice", ["A"], [result("A"), result("A")], {}, /reported twice/],
    ["the model is another", ["A"], [result("A", { model: "N" })], {}, /no result/],
    [
      "a device that nobody expected failed",
      ["A"],
      [result("A"), result("X", { result: "ERROR", message: "locked" })],
      {},
      /X \(M\): locked/,
    ],
  ])("has failed when %s", (_what, expected, devices, changes, message) => {
    const verdict = judge(expected, devices, changes);
    expect(verdict.ok).toBe(false);
    expect(verdict.message).toMatch(message);
  });

  it("treats a device that nobody expected as one", () => {
    expect(judge(["A"], [result("A"), result("X")])).toMatchObject({
      ok: true,
      devices: [{ serial: "A" }, { serial: "X", verdict: "sanitized" }],
    });
  });
});

describe("an agent that was asked what is on the drive now", () => {
  const digest = "A".repeat(22);
  const area = (
    places: NonNullable<DeviceResult["fingerprint"]>[number]["places"],
  ): NonNullable<DeviceResult["fingerprint"]> => [{ name: "drive", blocks: 8, blockBytes: 512, places }];
  const judged = (changes: Partial<DeviceResult>) =>
    judgeDevice(result("A", changes), "nvme", policy, "agent", true).verdict;

  it("must tell it for every stretch of the drive", () => {
    expect(judged({ fingerprint: area({ bootRecord: digest, sampled: digest }) })).toBe("sanitized");
    expect(judged({})).toBe("failed");
    expect(judged({ fingerprint: area({ bootRecord: digest }) })).toBe("failed");
    expect(judged({ fingerprint: [...area({ bootRecord: digest, sampled: digest }), ...area({})] })).toBe(
      "failed",
    );
    expect(judgeDevice(result("A"), "nvme", policy).verdict).toBe("sanitized");
  });
});
