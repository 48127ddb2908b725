// A boot request that nobody ordered is only a hint: anything in the provisioning network can send one. What the BMC and the agent show decides
// (docs/adr/0122-who-may-give-evidence.md).
import { heardUntilMs, signLagMs } from "@/server/domain/agents/signs-of-life";
import { compareResetMarks, type MarkReading } from "@/server/domain/hosts/reset-mark";

export interface BootHintFacts {
  /** When the check began, which is after the request. */
  readonly atMs: number;
  readonly nowMs: number;
  /** As read after `atMs`; null: the BMC could not be read. */
  readonly bmc: (MarkReading & { readonly power: string }) | null;
  /** The mark after our last restart; null: none is known, or this BMC's marks are not used. */
  readonly knownMark: MarkReading | null;
  /** When the agent of the present boot was last recorded; null: none registered in it, or its session does not show that it lives. */
  readonly agentSeenMs: number | null;
  readonly agentFreshMs: number;
}

/** `unreadable`: neither BMC nor agent can tell. `undecided`: the agent has not been heard from yet, and is not silent yet either. */
export type BootHintVerdict = "restarted" | "notRestarted" | "unreadable" | "undecided";

/** Pure. An agent runs in memory only, so one that is heard from after the request has not been restarted. */
export function judgeBootHint(facts: BootHintFacts): BootHintVerdict {
  const { atMs, nowMs, bmc, knownMark, agentSeenMs } = facts;
  // safety: boot hint: a host that is off runs no agent
  if (bmc !== null && bmc.power === "off") return "restarted";
  const mark = bmc === null || knownMark === null ? "unknown" : compareResetMarks(knownMark, bmc);
  // safety: boot hint: a mark that moved on shows a restart
  if (mark === "later") return "restarted";
  if (agentSeenMs === null) {
    // safety: boot hint: without an agent only a mark shows that nothing happened (always)
    return mark === "same" ? "notRestarted" : "unreadable";
  }
  // What it sent before may be recorded a little later.
  // safety: boot hint: an agent that was heard from before shows nothing (always)
  if (agentSeenMs > atMs + signLagMs) return "notRestarted";
  // safety: boot hint: an agent that fell silent was restarted
  if (nowMs > heardUntilMs(agentSeenMs, facts.agentFreshMs)) return "restarted";
  return "undecided";
}
