// Whether an erase may still run on a host that nobody can stop, as the database has it: one column for one host and for many.
import { sql } from "kysely";
import { z } from "zod";
import { drivesAreHeard } from "@/server/domain/agents/protocol";
import { eraseProtectedUntilMs } from "@/server/domain/cleaning/erase-time";

/**
 * The column `erase` of a statement over `host_run r`; null on a host that is not erasing. The same facts as the controller's own
 * (`Draft.eraseMayRunUntilMs`): the devices' estimates, else the step's deadline, and what an ended reclamation left behind.
 */
export const eraseColumn = sql`
  CASE WHEN r.erasing THEN json_build_object('nowMs', extract(epoch FROM now()) * 1000, 'left', r.context->>'eraseUntil', 'sinceMs', extract(epoch FROM r.state_since) * 1000, 'attempt', (
    SELECT json_build_object('ends', a.erase_ends, 'reportedAtMs', extract(epoch FROM a.progress_at) * 1000, 'movedAtMs', extract(epoch FROM a.moved_at) * 1000, 'deadlineAtMs', extract(epoch FROM t.deadline_at) * 1000)
    FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0 AND t.status NOT IN ('succeeded', 'excepted')
      JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
    WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1),
    'policy', (SELECT json_build_object('mostMs', q.body->'times'->'eraseStepMs', 'noProgressMs', q.body->'sanitization'->'erase'->'noProgressTimeoutMs', 'freshMs', q.body->'times'->'agentFreshMs')
      FROM (SELECT coalesce((SELECT c.policy FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL), p.body) AS body
        FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version WHERE t.id = r.site_id) q),
    'agent', (SELECT json_build_object('version', g.agent_version, 'seenMs', extract(epoch FROM g.last_seen_at) * 1000) FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch)) END AS erase`;

const time = z.number().nullable();
const row = z
  .object({
    nowMs: z.number(),
    left: z.string().nullable(),
    sinceMs: z.number(),
    attempt: z
      .object({ ends: z.record(z.string(), time), reportedAtMs: time, movedAtMs: time, deadlineAtMs: time })
      .nullable(),
    policy: z.object({ mostMs: z.number(), noProgressMs: z.number(), freshMs: z.number() }),
    agent: z.object({ version: z.string(), seenMs: z.number() }).nullable(),
  })
  .nullable();

const none = { erasing: false, eraseUntilMs: null, drivesHeard: false };
const nothingTold = { ends: {}, reportedAtMs: null, movedAtMs: null, deadlineAtMs: null };

/** Whether and until when an erase may run now, and whether somebody can say so, from that column. */
export function toEraseFacts(column: unknown): {
  readonly erasing: boolean;
  readonly eraseUntilMs: number | null;
  readonly drivesHeard: boolean;
} {
  const found = row.parse(column);
  if (found === null) return none;
  const { attempt, policy, agent, left, nowMs } = found;
  const eraseUntilMs = eraseProtectedUntilMs({
    ...(attempt ?? nothingTold),
    ...policy,
    leftUntilMs: left === null ? null : Date.parse(left),
    stateSinceMs: found.sinceMs,
  });
  if (eraseUntilMs <= nowMs) return none;
  const agentSeen = agent === null ? null : { version: agent.version, seenMs: agent.seenMs };
  return {
    erasing: true,
    eraseUntilMs,
    drivesHeard: drivesAreHeard({
      nowMs,
      agent: agentSeen,
      reportedAtMs: attempt?.reportedAtMs ?? null,
      agentFreshMs: policy.freshMs,
    }),
  };
}
