// Whether the agent of the present boot may be believed (docs/adr/0020-a-boot-is-proven.md).
import { heardUntilMs } from "@/server/domain/agents/signs-of-life";
import type { Draft } from "@/server/controller/host/draft";

/** True if the agent of the newest boot may be used: at least `minEpoch`, alone in a boot with a proven restart, and heard from recently or working. */
export function usableAgent(draft: Draft): boolean {
  const agent = draft.view.agent;
  if (agent === null || agent.bootEpoch !== draft.bootEpoch || agent.bootEpoch < draft.context.minEpoch)
    return false;
  // safety: boot: an agent of a boot that proves nothing
  if (!agent.afterReset || agent.contested) return false;
  // safety: boot: an agent that is silent (true)
  return draft.nowMs <= heardUntilMs(agent.lastSeenMs, draft.policy.times.agentFreshMs);
}
