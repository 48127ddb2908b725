// What a boot request that nobody ordered proves, by what BMC and agent show.
import { describe, expect, it } from "vitest";
import { signLagMs } from "@/server/domain/agents/signs-of-life";
import { judgeBootHint, type BootHintFacts } from "@/server/domain/cleaning/sanitization/boot-hint";

const minute = 60_000;
const atMs = 10 * minute;
const mark = "2026-11-01T10:00:00Z";
const judge = (facts: Partial<BootHintFacts>) =>
  judgeBootHint({
    atMs,
    nowMs: atMs + 1_000,
    ...reads(mark),
    knownMark: known,
    agentSeenMs: atMs - 1_000,
    agentFreshMs: minute,
    ...facts,
  });
const reading = (resetMark: string | null, at: string) => ({
  resetMark,
  markClock: { bmcTime: at, readAt: at },
});
const known = reading(mark, "2026-11-01T10:00:30Z");
const reads = (resetMark: string | null) => ({
  bmc: { power: "on", ...reading(resetMark, "2026-11-01T10:05:30Z") },
});
const heard = { agentSeenMs: atMs + signLagMs + 1, nowMs: atMs + minute };

describe("judgeBootHint", () => {
  it.each<readonly [string, Partial<BootHintFacts>, ReturnType<typeof judgeBootHint>]>([
    ["a host that is off", { bmc: { power: "off", resetMark: mark }, ...heard }, "restarted"],
    ["a mark that moved on", { ...reads("2026-11-01T10:05:00Z"), ...heard }, "restarted"],
    ["an agent that goes on", heard, "notRestarted"],
    ["an agent that goes on, and a silent BMC", { bmc: null, ...heard }, "notRestarted"],
    ["an agent that goes on, and no known mark", { knownMark: null, ...heard }, "notRestarted"],
    ["an agent that was not heard from yet", {}, "undecided"],
    ["what an agent sent before, recorded later", { agentSeenMs: atMs + signLagMs }, "undecided"],
    ["an agent that fell silent, though the mark is as it was", { nowMs: atMs + 5 * minute }, "restarted"],
    ["no agent, and the mark is as it was", { agentSeenMs: null }, "notRestarted"],
    ["no agent, and no known mark", { agentSeenMs: null, knownMark: null }, "unreadable"],
    ["no agent, and a silent BMC", { agentSeenMs: null, bmc: null }, "unreadable"],
    [
      "no agent, and a mark that went back",
      { agentSeenMs: null, ...reads("2026-11-01T09:00:00Z") },
      "unreadable",
    ],
  ])("%s", (_what, facts, verdict) => expect(judge(facts)).toBe(verdict));
});
