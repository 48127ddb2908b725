// Checks that every released host completed the whole reclamation: a benchmark of anything less is not printed.
import type { Client } from "pg";
import { z } from "zod";
import { mark } from "@/bench/scale/database";

const row = z.object({
  name: z.string(),
  state: z.string(),
  allocatable: z.boolean(),
  instance_ended: z.boolean(),
  reclamations: z.coerce.number(),
  outcome: z.string().nullable(),
  ended: z.boolean(),
  stopped_cause: z.string().nullable(),
  message: z.string().nullable(),
  expected: z.coerce.number(),
  sanitized: z.coerce.number(),
  steps: z.coerce.number(),
  steps_succeeded: z.coerce.number(),
  reports: z.coerce.number(),
  gates: z.coerce.number(),
  gates_known: z.coerce.number(),
  gates_open: z.array(z.string()),
  debts: z.coerce.number(),
  history: z.coerce.number(),
  history_span: z.coerce.number(),
  release_audited: z.coerce.number(),
});
export type HostRecord = z.infer<typeof row>;

/** What one reclamation left in the database, for each released instance. @param waived the gates that the plan's policy does not require */
export async function readRecords(
  client: Client,
  instanceIds: readonly string[],
  waived: readonly string[],
): Promise<readonly HostRecord[]> {
  const { rows } = await client.query(
    `SELECT ${mark} r.name, r.state, r.allocatable, n.ended_at IS NOT NULL AS instance_ended,
       (SELECT count(*) FROM reclamation x WHERE x.instance_id = n.id) AS reclamations,
       c.outcome, c.ended_at IS NOT NULL AS ended, c.stopped_cause, coalesce(c.message, r.last_error) AS message,
       coalesce(jsonb_array_length(c.devices -> 'expected'), 0) AS expected,
       (SELECT count(DISTINCT (d.serial, d.model)) FROM device_result d WHERE d.reclamation_id = c.id AND d.plan_epoch = c.plan_epoch AND d.verdict = 'sanitized'
          AND EXISTS (SELECT 1 FROM jsonb_array_elements(c.devices -> 'expected') e WHERE e ->> 'serial' = d.serial AND e ->> 'model' = d.model)) AS sanitized,
       (SELECT count(*) FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch) AS steps,
       (SELECT count(*) FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status = 'succeeded' AND t.ended_at IS NOT NULL) AS steps_succeeded,
       (SELECT count(*) FROM step_run t JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
          WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND a.report IS NOT NULL AND a.verdict = 'succeeded') AS reports,
       (SELECT count(*) FROM gate g WHERE g.reclamation_id = c.id) AS gates,
       (SELECT count(DISTINCT g.gate) FROM gate g) AS gates_known,
       (SELECT coalesce(array_agg(g.gate || ' ' || g.status), '{}') FROM gate g WHERE g.reclamation_id = c.id AND g.status NOT IN ('satisfied', 'not required', 'excepted', 'not implemented') AND NOT (g.status = 'waived' AND g.gate = ANY($2::text[]))) AS gates_open,
       (SELECT count(*) FROM debt d WHERE d.chassis_serial = h.serial AND d.cleared_at IS NULL) AS debts,
       (SELECT count(*) FROM state_history s WHERE s.host_id = h.id) AS history,
       (SELECT max(s.version) - min(s.version) + 1 FROM state_history s WHERE s.host_id = h.id) AS history_span,
       (SELECT count(*) FROM audit_event a WHERE a.action = 'instance.release' AND a.target_id = n.id::text AND a.outcome = 'done') AS release_audited
     FROM instance n JOIN host h ON h.id = n.host_id JOIN host_run r ON r.host_id = h.id
       LEFT JOIN LATERAL (SELECT * FROM reclamation x WHERE x.instance_id = n.id ORDER BY x.started_at DESC LIMIT 1) c ON true
     WHERE n.id = ANY($1::uuid[]) ORDER BY r.name`,
    [instanceIds, waived],
  );
  return z.array(row).parse(rows);
}

/** What is wrong with a record, in words; empty if it is complete. Pure. */
export function gaps(record: HostRecord): readonly string[] {
  const checks: readonly (readonly [boolean, string])[] = [
    [
      record.state === "Ready",
      `is in ${record.state}${record.message === null ? "" : ` (${record.message})`}`,
    ],
    [record.state !== "Ready" || record.allocatable, "is Ready but may not be allocated"],
    [record.instance_ended, "its instance has not ended"],
    [record.reclamations === 1, `has ${record.reclamations} reclamations for one release`],
    [
      record.ended && record.outcome === "ready",
      `its reclamation has the outcome ${record.outcome ?? "none"}${record.stopped_cause === null ? "" : `, stopped by ${record.stopped_cause}`}`,
    ],
    [record.expected > 0, "its reclamation knows no device"],
    [
      record.sanitized === record.expected,
      `${record.sanitized} of ${record.expected} devices have a verified result`,
    ],
    [
      record.steps > 0 && record.steps_succeeded === record.steps,
      `${record.steps_succeeded} of ${record.steps} steps succeeded`,
    ],
    [record.reports === record.steps, `${record.reports} of ${record.steps} steps have the agent's report`],
    // As many as the database has: an earlier release, to which the guard compares, may know fewer gates.
    [
      record.gates === record.gates_known && record.gates > 0,
      `${record.gates} of ${record.gates_known} gates were evaluated`,
    ],
    [record.gates_open.length === 0, `open gates: ${record.gates_open.join(", ")}`],
    [record.debts === 0, "a sanitization debt stands"],
    [record.history === record.history_span, `its history has ${record.history_span - record.history} gaps`],
    [record.release_audited === 1, `its release was audited ${record.release_audited} times`],
  ];
  return checks.flatMap(([holds, words]) => (holds ? [] : [words]));
}

const maxNamed = 10;

/** Throws if any host's record is missing or incomplete, naming the first ones. */
export function assertComplete(records: readonly HostRecord[], expected: number): void {
  const incomplete = records.flatMap((record) => gaps(record).map((gap) => `${record.name} ${gap}`));
  if (records.length !== expected) incomplete.unshift(`${records.length} of ${expected} records were found`);
  if (incomplete.length === 0) return;
  const more = incomplete.length > maxNamed ? `\n… and ${incomplete.length - maxNamed} more` : "";
  throw new Error(
    `no figures, because the job was not done:\n${incomplete.slice(0, maxNamed).join("\n")}${more}`,
  );
}
