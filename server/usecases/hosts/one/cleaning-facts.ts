// What decides on abort, hold, resume and retry, as the database has it: one column for one host and for many.
import { sql } from "kysely";
import { z } from "zod";
import { interruptionFacts } from "@/server/domain/cleaning/interruptions";
import type { InterruptionFacts } from "@/server/domain/cleaning/interruptions";
import { cleaningContext, emptyCleaning } from "@/server/domain/lifecycle/context";
import type { State } from "@/server/domain/lifecycle/states";

/** The column `cleaning` of a statement over `host_run r`; null on a host that is not being cleaned and has not failed. */
export const cleaningColumn = sql`
  CASE WHEN r.state LIKE 'WaitingForCleanup/%' OR r.state LIKE 'ManualCleaning/%' OR r.state LIKE 'Failed/%' THEN json_build_object(
    'open', EXISTS (SELECT 1 FROM reclamation c WHERE c.host_id = r.host_id AND c.ended_at IS NULL),
    'running', (SELECT json_build_object('interface', t.interface, 'step', t.step, 'where', t."where", 'abortable', t.abortable)
      FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status = 'running' WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1),
    'nowMs', extract(epoch FROM now()) * 1000,
    'agentSeenMs', (SELECT extract(epoch FROM g.last_seen_at) * 1000 FROM agent_session g WHERE g.host_id = r.host_id AND g.boot_epoch = r.boot_epoch),
    'agentFreshMs', (SELECT (coalesce(c.policy, p.body)->'times'->>'agentFreshMs')::float8 FROM site t JOIN site_policy p ON p.site_id = t.id AND p.version = t.policy_version
      LEFT JOIN reclamation c ON c.host_id = r.host_id AND c.ended_at IS NULL WHERE t.id = r.site_id),
    'erasing', r.erasing, 'context', r.context->'cleaning') END AS cleaning`;

const row = z
  .object({
    open: z.boolean(),
    running: z
      .object({
        interface: z.string(),
        step: z.string(),
        where: z.enum(["agent", "controller"]),
        abortable: z.boolean(),
      })
      .nullable(),
    nowMs: z.number(),
    agentSeenMs: z.number().nullable(),
    agentFreshMs: z.number(),
    erasing: z.boolean(),
    context: cleaningContext.nullable(),
  })
  .nullable();

/** `IntentFacts.cleaning` from that column. Throws on what this version does not understand. */
export function toCleaningFacts(state: State, column: unknown): InterruptionFacts | null {
  const found = row.parse(column);
  return found === null
    ? null
    : interruptionFacts({ state, ...found, cleaning: found.context ?? emptyCleaning() });
}
