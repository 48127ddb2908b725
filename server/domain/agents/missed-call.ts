// Whether an agent that runs a step has missed a call (docs/next.md#advice). It counts as lost only later, after `agentSilenceMs`.
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";

export interface AgentSigns {
  /** When its session was last recorded as heard from; null: it has none. */
  readonly seenMs: number | null;
  /** When the running attempt last reported progress; null: it has not. */
  readonly progressMs: number | null;
  readonly startedMs: number;
  /** How often it must call while it runs a step. */
  readonly heartbeatMs: number;
}

/** For how long nothing was heard from it, in ms; null: no call is missed. Pure. */
export function missedCallMs(
  { seenMs, progressMs, startedMs, heartbeatMs }: AgentSigns,
  nowMs: number,
): number | null {
  const lastMs = Math.max(seenMs ?? 0, progressMs ?? 0, startedMs);
  return nowMs > heardUntilMs(lastMs, heartbeatMs) ? nowMs - lastMs : null;
}
