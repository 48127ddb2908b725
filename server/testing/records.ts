// What must be true of the records of any host, whatever was killed meanwhile: read off the database after the fact.
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import type { Stack } from "@/server/testing/stack";

/** Problems in words; an empty list is what a test expects. */
export type Problems = string[];

/** History is 1, 2, 3 … per host up to the host's version, never goes back in generation, and ends in the host's state. */
export async function historyProblems({ pool }: Stack, hostIds: readonly string[]): Promise<Problems> {
  const { rows } = await pool.query<{
    name: string;
    rows: bigint;
    first: bigint;
    last: bigint;
    version: bigint;
    state: string;
    last_state: string;
    back: bigint;
    repeated: bigint;
  }>(
    `WITH h AS (
       SELECT s.*, lag(s.generation) OVER w AS generation_before, lag(s.state) OVER w AS state_before FROM state_history s WHERE s.host_id = ANY($1::uuid[]) WINDOW w AS (PARTITION BY s.host_id ORDER BY s.version)
     )
     SELECT r.name, count(*) AS rows, min(h.version) AS first, max(h.version) AS last, r.state_version AS version, r.state,
       (array_agg(h.state ORDER BY h.version DESC))[1] AS last_state,
       count(*) FILTER (WHERE h.generation < h.generation_before) AS back, count(*) FILTER (WHERE h.state = h.state_before) AS repeated
     FROM h JOIN host_run r ON r.host_id = h.host_id GROUP BY r.host_id`,
    [hostIds],
  );
  const problems = rows.flatMap((row) => [
    ...(row.first === 1n && row.last === row.version && row.rows === row.version
      ? []
      : [
          `${row.name}: ${row.rows} rows from ${row.first} to ${row.last}, but the version is ${row.version}`,
        ]),
    ...(row.last_state === row.state
      ? []
      : [`${row.name}: in ${row.state}, but its history ends in ${row.last_state}`]),
    ...(row.back === 0n
      ? []
      : [`${row.name}: ${row.back} rows were written by a generation before the one before`]),
    ...(row.repeated === 0n ? [] : [`${row.name}: ${row.repeated} states were entered twice in a row`]),
  ]);
  return rows.length === hostIds.length
    ? problems
    : [...problems, `${rows.length} of ${hostIds.length} hosts have a history`];
}

/** No step run has two attempts that the agent finished or that were judged a success, and each planned step of an ended reclamation has exactly one. */
export async function stepProblems({ pool }: Stack, hostIds: readonly string[]): Promise<Problems> {
  const { rows } = await pool.query<{
    name: string;
    step: string;
    succeeded: number;
    reported: number;
    status: string;
  }>(
    `SELECT r.name, t.step, t.status, count(*) FILTER (WHERE a.verdict = 'succeeded')::int AS succeeded, CASE WHEN t."where" = 'agent' THEN count(*) FILTER (WHERE a.report ->> 'result' = 'OK')::int ELSE 1 END AS reported
     FROM step_run t JOIN host_run r ON r.host_id = t.host_id JOIN reclamation c ON c.id = t.reclamation_id AND c.outcome = 'ready' AND c.plan_epoch = t.plan_epoch LEFT JOIN step_attempt a ON a.step_run_id = t.id
     WHERE t.host_id = ANY($1::uuid[]) GROUP BY r.name, t.id`,
    [hostIds],
  );
  const problems = rows.filter(
    (row) => row.succeeded !== 1 || row.reported !== 1 || row.status !== "succeeded",
  );
  return [
    ...(rows.length === 0 ? ["no step ran"] : []),
    ...problems.map(
      (row) =>
        `${row.name}: ${row.step} is ${row.status}, succeeded ${row.succeeded} times, ran to its end ${row.reported} times`,
    ),
  ];
}

/** Each of these instances ended once, told its tenant so once, and left a debt that one reclamation of the host has cleared. */
export async function releaseProblems({ pool }: Stack, instanceIds: readonly string[]): Promise<Problems> {
  const { rows } = await pool.query<{
    id: string;
    ended: boolean;
    held: number;
    debts: number;
    open: number;
    reclamations: number;
    ready: number;
    gates: number;
  }>(
    `SELECT n.id, n.ended_at IS NOT NULL AS ended,
       (SELECT count(*)::int FROM network_resource w WHERE w.instance_id = n.id AND w.released_at IS NULL) AS held,
       (SELECT count(*)::int FROM debt d WHERE d.instance_id = n.id) AS debts,
       (SELECT count(*)::int FROM debt d WHERE d.instance_id = n.id AND d.cleared_at IS NULL) AS open,
       (SELECT count(*)::int FROM reclamation c WHERE c.instance_id = n.id) AS reclamations,
       (SELECT count(*)::int FROM reclamation c WHERE c.instance_id = n.id AND c.outcome = 'ready' AND c.ended_at IS NOT NULL) AS ready,
       (SELECT count(*)::int FROM reclamation c JOIN gate g ON g.reclamation_id = c.id WHERE c.instance_id = n.id AND (g.status IN ('satisfied', 'not required', 'not implemented') OR (g.gate = 'platformAtBaseline' AND g.status = 'waived'))) AS gates
     FROM instance n WHERE n.id = ANY($1::uuid[])`,
    [instanceIds],
  );
  const problems = rows.flatMap((row) => {
    const wrong = [
      ...(row.ended ? [] : ["has not ended"]),
      ...(row.held === 0 ? [] : [`still holds ${row.held} network resources`]),
      ...(row.debts === 1 ? [] : [`left ${row.debts} debts`]),
      ...(row.open === 0 ? [] : [`${row.open} debts stand`]),
      ...(row.reclamations === 1 && row.ready === 1
        ? []
        : [`${row.reclamations} reclamations, ${row.ready} of them to Ready`]),
      ...(row.gates === gateNames.length ? [] : [`${row.gates} of ${gateNames.length} gates let it pass`]),
    ];
    return wrong.map((problem) => `instance ${row.id}: ${problem}`);
  });
  return rows.length === instanceIds.length
    ? problems
    : [...problems, `${rows.length} of ${instanceIds.length} instances are there`];
}

/** Nothing is left over that a later wake-up could still act on. */
export async function leftovers({ pool }: Stack, hostIds: readonly string[]): Promise<Problems> {
  const { rows } = await pool.query<{ what: string; count: number }>(
    `SELECT 'signals' AS what, count(*)::int AS count FROM signal WHERE host_id = ANY($1::uuid[])
     UNION ALL SELECT 'leases', count(*)::int FROM host_run WHERE host_id = ANY($1::uuid[]) AND lease_owner IS NOT NULL
     UNION ALL SELECT 'hosts marked as erasing', count(*)::int FROM host_run WHERE host_id = ANY($1::uuid[]) AND erasing
     UNION ALL SELECT 'running steps', count(*)::int FROM step_run WHERE host_id = ANY($1::uuid[]) AND status = 'running'`,
    [hostIds],
  );
  return rows.filter(({ count }) => count > 0).map(({ what, count }) => `${count} ${what}`);
}
