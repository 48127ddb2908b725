// Which agent that runs a step has missed a call (docs/next.md#advice). It counts as lost only later, after `agentSilenceMs`.
import { sql } from "kysely";
import { signLagMs } from "@/server/domain/agents/signs-of-life";

/** To be joined to a reclamation `c`: the step `t` that is with its agent, its attempt `a`, and the agent's session `g`, which may have ended. */
export const agentStep = sql`step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t."where" = 'agent'
  JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
  LEFT JOIN agent_session g ON g.host_id = c.host_id AND g.boot_epoch = a.boot_epoch`;

/** The last sign of it, as recorded. */
export const lastHeard = sql`greatest(g.last_seen_at, a.progress_at, a.started_at)`;

/** Signs are recorded late, so it may have been heard from until so long after the last one. */
export const missedCall = sql`(t.status = 'running' AND ${lastHeard} + (${signLagMs} + (c.policy -> 'times' ->> 'heartbeatMs')::float8) * interval '1 ms' < now())`;

/** Condition on `host_run r`: its agent has missed a call. */
export const hasSilentAgent = sql`EXISTS (SELECT FROM reclamation c JOIN ${agentStep}
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL AND ${missedCall})`;
