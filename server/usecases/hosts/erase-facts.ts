// Whether an erase may still run on a host that nobody can stop, as the database has it: one column for one host and for many.
import { z } from "zod";
import { Prisma } from "@/server/db/generated/prisma/client";

/**
 * The column `erase` of a statement over `host_run r`; null on a host that is not erasing. The same facts as the controller's own
 * (`Draft.eraseMayRunUntilMs`): the devices' estimates, else the step's deadline, and what an ended reclamation left behind.
 */
export const eraseColumn = Prisma.sql`
  CASE WHEN r.erasing THEN json_build_object('nowMs', extract(epoch FROM now()) * 1000, 'left', r.context->>'eraseUntil', 'attempt', (
    SELECT json_build_object('ends', coalesce(jsonb_path_query_array(a.progress, '$.devices[*].expectedEndAt'), '[]'), 'deadlineMs', extract(epoch FROM t.deadline_at) * 1000)
    FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0 AND t.status NOT IN ('succeeded', 'excepted')
      JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
    WHERE c.host_id = r.host_id AND c.ended_at IS NULL ORDER BY t.position LIMIT 1)) END AS erase`;

const row = z.object({ nowMs: z.number(), left: z.string().nullable(), attempt: z.object({ ends: z.array(z.unknown()), deadlineMs: z.number().nullable() }).nullable() }).nullable();

/** Whether it may run now, from that column. */
export function toErasing(column: unknown): boolean {
  const found = row.parse(column);
  if (found === null) return false;
  const ends = (found.attempt?.ends ?? []).flatMap((end) => (typeof end === "string" && !Number.isNaN(Date.parse(end)) ? [Date.parse(end)] : []));
  const untilMs = ends.length > 0 ? Math.max(...ends) : (found.attempt?.deadlineMs ?? 0);
  return Math.max(untilMs, found.left === null ? 0 : Date.parse(found.left)) > found.nowMs;
}
