// What people are told before they interrupt a cleaning matches what the table does.
import { describe, expect, it } from "vitest";
import { formatInterruption } from "@/server/domain/cleaning/interruption-text";
import { interrupt, interruptions, situations } from "@/server/domain/cleaning/interruptions";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";

const facts = (over: Partial<InterruptionFacts>): InterruptionFacts => ({
  situation: "agentRuns",
  step: "deploy.erase_nvme",
  abortable: false,
  erasing: true,
  holdAsked: false,
  abortAsked: false,
  ...over,
});

describe("the words of an interruption", () => {
  it.each(interruptions.flatMap((intent) => situations.map((situation) => [intent, situation] as const)))(
    "%s, %s: are there where it is accepted, and only there",
    (intent, situation) => {
      for (const flags of [{}, { holdAsked: true }, { abortAsked: true }, { abortable: true }]) {
        const at = facts({ situation, ...flags });
        expect(formatInterruption(intent, at) !== null).toBe(interrupt(intent, at).ok);
      }
    },
  );
  it.each([
    ["abort", {}, "deploy.erase_nvme cannot be stopped"],
    ["abort", { abortable: true }, "deploy.erase_nvme is stopped"],
    ["abort", { situation: "agentSilent" }, "as failed after the erase's estimated time"],
    ["abort", { situation: "onHold" }, "ends now"],
    ["hold", {}, "deploy.erase_nvme ends first"],
    ["hold", { situation: "betweenSteps", step: null }, "waits from now on"],
    ["resume", { holdAsked: true }, "withdrawn"],
  ] as const)("%s %j", (intent, over, words) =>
    expect(formatInterruption(intent, facts(over))).toContain(words),
  );
  it("are none where nothing is being cleaned", () => expect(formatInterruption("abort", null)).toBeNull());
});
