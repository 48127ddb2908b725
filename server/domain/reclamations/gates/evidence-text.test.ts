// The evidence of a gate in plain sentences. Unknown members are left out, because the raw evidence is shown below.
import { describe, expect, it } from "vitest";
import { evidenceDrives, evidenceSentences } from "@/server/domain/reclamations/gates/evidence-text";
import { evaluateGates } from "@/server/domain/reclamations/gates/evaluate";
import { good } from "@/server/domain/reclamations/gates/testing/evidence";

const names = new Map([["run-1", "deploy.erase_nvme"]]);
const words = (evidence: unknown) => evidenceSentences(evidence, names).map((sentence) => sentence.words);

describe("evidence in words", () => {
  it.each([
    [
      { stepRuns: [{ id: "run-1", attempt: 2, status: "succeeded" }] },
      ["Step deploy.erase_nvme succeeded in attempt 2."],
    ],
    [{ stepRuns: [{ id: "run-9", attempt: 0, status: "planned" }] }, ["Step run-9 is planned."]],
    [
      {
        devices: [
          { serial: "A", verdict: "sanitized" },
          { serial: "B", verdict: "failed" },
          { serial: "C", verdict: "none" },
        ],
        content: { readEpoch: 3, drives: ["A"], visibleToBmcOnly: [] },
        excluded: [{ serial: "U", model: "USB", reason: "a virtual medium" }],
      },
      [
        "1 of 3 drives are sanitized: A.",
        "Drive B has the verdict failed.",
        "Drive C has no result.",
        "The content of A is recorded and was found unchanged in boot 3.",
        "Drive U (USB) is excluded: a virtual medium.",
      ],
    ],
    [
      { version: 4, acknowledgements: [{ interface: "eth0", version: 4, sha256: "s" }] },
      ["Acknowledged by eth0 (version 4)."],
    ],
    [
      { epoch: 2, name: "r750", differences: 0, storage: null },
      ["The inventory of boot 2 matches SKU r750."],
    ],
    [{ epoch: 2, passed: 3, failed: ["dcgm"], skipped: [] }, ["3 tests passed in boot 2; failed: dcgm."]],
    [
      {
        healthSources: ["bmc-health"],
        alerts: [{ id: "FanFailed", target: "1", sources: ["bmc-health"], message: "fan 1 stands" }],
      },
      ["Health is reported by bmc-health.", "Alert FanFailed by bmc-health: fan 1 stands."],
    ],
    [{ anything: { of: "a later version" } }, []],
    [null, []],
  ])("%j", (evidence, expected) => expect(words(evidence)).toEqual(expected));

  it("says something of every gate that rests on more than its reason", () => {
    for (const { gate, evidence } of evaluateGates(good))
      if (Object.keys(evidence).length > 0)
        expect(evidenceSentences(evidence, new Map()).length, gate).toBeGreaterThan(0);
  });
});

it("names each drive once, wherever the evidence has it", () => {
  const evidence = {
    devices: [{ serial: "A", verdict: "sanitized" }],
    content: { readEpoch: 2, drives: ["A", "B"] },
    answered: [{ serial: "C", disposition: { key: "k" } }],
  };
  expect(evidenceDrives(evidence)).toEqual(["A", "C", "B"]);
  expect(evidenceDrives(null)).toEqual([]);
});
