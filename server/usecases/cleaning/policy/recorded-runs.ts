// Records of a site's reclamations that matter to limits, tests and priorities.
import { sql } from "kysely";
import type { RecordedRuns } from "@/server/domain/cleaning/policy/settings-effect";
import type { RecordedPeriod } from "@/server/domain/cleaning/policy/limits-effect";
import { gateNames } from "@/server/domain/reclamations/gates/gate-names";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { maxResults } from "@/server/usecases/cleaning/policy/recorded-erases";
import { recordedHosts } from "@/server/usecases/cleaning/policy/recorded-hosts";

export const maxRuns = 50_000;

const begun = (siteId: string, since: Date) => sql`
  reclamation c JOIN ${recordedHosts(siteId)} h ON h.id = c.host_id
  WHERE c.started_at >= ${since} AND c.kind <> 'manualCleaning'`;

/** Reclamations that started since then and have ended or stopped. */
export const ended = (siteId: string, since: Date) =>
  sql`${begun(siteId, since)} AND (c.ended_at IS NOT NULL OR c.stopped_at IS NOT NULL)`;

interface CountRow {
  readonly total: number;
  readonly waited: number;
  readonly failed_tests: number;
  readonly releases: number;
  readonly onboardings: number;
}

interface StepRow {
  readonly step: string;
  readonly runs: number;
  readonly releases: number;
  readonly failed: number;
  readonly proves: readonly string[];
}

export async function readRecordedRuns(
  reader: SqlReader,
  siteId: string,
  since: Date,
): Promise<Omit<RecordedRuns, "gates"> & { readonly total: number }> {
  const of = ended(siteId, since);
  const [[count], inProgress, steps] = await Promise.all([
    queryRows(
      reader,
      sql<CountRow>`
      SELECT count(*)::int AS total,
        count(*) FILTER (WHERE c.queued_at IS NOT NULL AND c.admitted_at > c.queued_at + interval '1 second')::int AS waited,
        count(*) FILTER (WHERE c.stopped_cause = 'MachineValidation')::int AS failed_tests,
        count(*) FILTER (WHERE c.kind IN ('release', 'repairRelease'))::int AS releases,
        count(*) FILTER (WHERE c.kind = 'onboarding')::int AS onboardings FROM ${of}`,
    ),
    queryRows(
      reader,
      sql<RecordedPeriod>`
      SELECT (extract(epoch FROM coalesce(c.admitted_at, c.started_at)) * 1000)::float8 AS "fromMs",
        (extract(epoch FROM coalesce(c.ended_at, c.stopped_at)) * 1000)::float8 AS "untilMs",
        h.power_domain AS "powerDomain"
      FROM ${begun(siteId, since)} AND coalesce(c.ended_at, c.stopped_at, c.admitted_at) IS NOT NULL
      ORDER BY c.started_at DESC, c.number DESC LIMIT ${maxRuns}`,
    ),
    queryRows(
      reader,
      sql<StepRow>`
      SELECT t.interface || '.' || t.step AS step, count(DISTINCT c.id)::int AS runs,
        count(DISTINCT c.id) FILTER (WHERE c.kind IN ('release', 'repairRelease') AND c.outcome = 'ready')::int AS releases,
        count(DISTINCT c.id) FILTER (WHERE t.status = 'failed')::int AS failed,
        ARRAY(SELECT DISTINCT x FROM unnest(string_to_array(string_agg(array_to_string(t.proves, ','), ','), ',')) x WHERE x <> '') AS proves
      FROM (SELECT c.id, c.kind, c.outcome, c.plan_epoch FROM ${of} ORDER BY c.started_at DESC, c.number DESC LIMIT ${maxResults}) c
        JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.attempt > 0
      GROUP BY 1`,
    ),
  ]);
  return {
    total: count?.total ?? 0,
    waited: count?.waited ?? 0,
    failedTests: count?.failed_tests ?? 0,
    releases: count?.releases ?? 0,
    onboardings: count?.onboardings ?? 0,
    inProgress,
    steps: Object.fromEntries(
      steps.map(({ step, proves, ...row }) => [
        step,
        { ...row, proves: gateNames.filter((gate) => proves.includes(gate)) },
      ]),
    ),
  };
}
