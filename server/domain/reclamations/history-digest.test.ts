// The digest of a reclamation's history: every part of it counts.
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, it } from "vitest";
import { historyDigest } from "@/server/domain/reclamations/history-digest";
import type { ReclamationHistory } from "@/server/domain/reclamations/history-digest";

const at = "2026-11-23T12:00:00.000Z";
const id = "10000000-0000-4000-8000-000000000001";
const history: ReclamationHistory = {
  reclamation: {
    id,
    number: "7",
    hostId: id,
    hostSerial: "7XKQ2D3",
    kind: "release",
    instanceId: id,
    startedAt: at,
    endedAt: at,
    outcome: "ready",
  },
  transitions: [
    { version: "3", state: "ReturnToAllocation/Init", reason: null, causes: null, generation: "1", at },
    { version: "4", state: "Ready", reason: "all gates", causes: null, generation: "1", at },
  ],
  stepRuns: [
    {
      planEpoch: 1,
      position: 0,
      interface: "deploy",
      step: "erase_devices",
      where: "agent",
      priority: 10,
      args: { level: "purge" },
      proves: ["storageSanitized"],
      status: "succeeded",
      attempt: 1,
      startedAt: at,
      endedAt: at,
      message: null,
    },
  ],
};
const [first, second] = history.transitions;
const [run] = history.stepRuns;
if (first === undefined || second === undefined || run === undefined) throw new Error("the history is empty");

it("is that of the canonical JSON, and says what it covers", () =>
  expect(historyDigest(history)).toEqual({
    form: 1,
    sha256: createHash("sha256")
      .update(canonicalize({ form: 1, ...history }) ?? "", "utf8")
      .digest("hex"),
    transitions: 2,
    lastVersion: "4",
    stepRuns: 1,
    outcome: "ready",
  }));

it("does not depend on the order of members, which jsonb does not keep", () =>
  expect(
    historyDigest({ ...history, stepRuns: [{ ...run, args: { level: "purge" }, step: run.step }] }).sha256,
  ).toBe(historyDigest(history).sha256));

const changes: Readonly<Record<string, ReclamationHistory>> = {
  "a transition that is gone": { ...history, transitions: [second] },
  "transitions in another order": { ...history, transitions: [second, first] },
  "another state": { ...history, transitions: [{ ...first, state: "Failed/NVMECleanFailed" }, second] },
  "another time": { ...history, transitions: [first, { ...second, at: "2026-11-23T12:00:00.001Z" }] },
  "a step run that is gone": { ...history, stepRuns: [] },
  "another status": { ...history, stepRuns: [{ ...run, status: "excepted" }] },
  "another argument": { ...history, stepRuns: [{ ...run, args: { level: "clear" } }] },
  "another outcome": { ...history, reclamation: { ...history.reclamation, outcome: "abandoned" } },
};
it.each(Object.entries(changes))("%s is another digest", (_, changed) =>
  expect(historyDigest(changed).sha256).not.toBe(historyDigest(history).sha256),
);

it("takes no time in another form, which would be another text for the same moment", () =>
  expect(() =>
    historyDigest({ ...history, transitions: [{ ...first, at: "2026-11-23T13:00:00.000+01:00" }] }),
  ).toThrow("Invalid ISO datetime"));
