// What agents report about their steps: progress and results, each in one statement (docs/design/agent.md#protocol).
import { gathered } from "@/server/db/hot/gather";
import { seenCte, sessionCte, wakeSet } from "@/server/db/hot/agent/session";
import type { AgentQuestion } from "@/server/db/hot/agent/session";

/** `step_run_id` and `attempt`: what the report is about. */
type Report = AgentQuestion & {
  readonly step_run_id: string;
  readonly attempt: number;
  readonly journal: readonly object[];
};

/** Condition: a lost attempt that nothing has replaced. Its step waits for another attempt, or has failed, in the plan that its host still has. */
export const unreplaced = (step: string, attempt: string, newestBoot: string): string =>
  `(
      ${newestBoot} -- safety: report: none of a boot that was replaced → true
      AND ${attempt}.verdict = 'lost' AND ${step}.status IN ('planned', 'failed') AND EXISTS (
        SELECT 1 FROM reclamation c WHERE c.id = ${step}.reclamation_id
          AND c.plan_epoch = ${step}.plan_epoch AND c.ended_at IS NULL -- safety: report: none for a plan that was replaced
      ))`;

/**
 * CTEs `s`, `seen`, `r` and `t`: the session, its host (locked first, as in the controller's commit), and the attempt that the report is
 * about. `t` has no row if this host has no such attempt in this boot.
 * A lost agent may still report the result of the attempt in which it was lost, until another attempt, plan or boot replaces it
 * (docs/adr/0022-durations-travel.md).
 */
const reportCtes = (
  columns: string,
): string => `${sessionCte(`step_run_id uuid, attempt int, journal jsonb, ${columns}`)}, ${seenCte},
   r AS (
     SELECT s.*, r.boot_epoch = s.boot_epoch AS newest, r.tenant_id, r.reclamation_id, CASE WHEN r.command_epoch = s.boot_epoch THEN r.command END AS command
       FROM s JOIN host_run r ON r.host_id = s.host_id ORDER BY r.host_id FOR UPDATE OF r),
   t AS (
     SELECT r.n, a.step_run_id, a.sequence, a.report_hash, a.reported_at, r.journal <> '[]' AND pg_column_size(a.journal) > ${journalLimitBytes} AS full,
            coalesce(x.attempt = a.attempt AND a.report_hash IS NULL
              AND ( -- safety: report: of a step that runs
                x.status = 'running' AND a.verdict IS NULL OR ${unreplaced("x", "a", "r.newest")}
              )
            , false) AS open
       FROM r JOIN step_run x ON x.id = r.step_run_id
         AND x.host_id = r.host_id -- safety: report: of this host
       JOIN step_attempt a ON a.step_run_id = x.id AND a.attempt = r.attempt
         AND a.boot_epoch = r.boot_epoch -- safety: report: of this boot
     )`;

/** The row of the attempt, which is still open according to the statement's snapshot. */
const ofAttempt = `FROM r JOIN t ON t.open
         AND t.n = r.n -- safety: report: each by its own attempt
       WHERE a.step_run_id = r.step_run_id AND a.attempt = r.attempt`;

/** Limit for the journal of one attempt, in bytes as stored. An honest one has a few events per drive. A result is always accepted. */
const journalLimitBytes = 4 * 1024 * 1024;

const journalSet = `journal = CASE WHEN r.journal = '[]' THEN a.journal ELSE a.journal || r.journal END`;

/** The attempt is still open at the moment of writing: checked again on the locked row, which the snapshot may not show yet. */
const stillOpen = `a.report_hash IS NULL AND (a.verdict IS NULL OR a.verdict = 'lost')`;

/** Limit for the erase ends of one attempt's drives, in bytes as stored. 512 drives need a fifth of it. */
const endsLimitBytes = 128 * 1024;

/** Durations are turned into times here. What was reported about other drives stays. */
const endsSet = `CASE WHEN r.remaining = '[]' OR pg_column_size(a.erase_ends) > ${endsLimitBytes} THEN a.erase_ends ELSE
           a.erase_ends -- safety: report: what is said of one drive shortens no other → '{}'::jsonb
           || (SELECT jsonb_object_agg(d.serial,
             floor(extract(epoch FROM now()) * 1000 + d.ms) -- safety: report: durations are anchored when they come → d.ms
           ) FROM jsonb_to_recordset(r.remaining) AS d(serial text, ms float8)) END`;

interface ReportRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  /** Of this boot; null: none. */
  readonly command: unknown;
}

/**
 * `stored`. `same`: this report is already stored. `late`: a newer one is. `full`: the attempt's journal is full. `unknown`: this host has no such
 * attempt in this boot. `over`: it is no longer running. `moved`: it changed at the same moment; retry.
 */
export type ProgressVerdict = "stored" | "same" | "late" | "full" | "unknown" | "over" | "moved";

export interface ProgressRow extends ReportRow {
  readonly verdict: ProgressVerdict;
}

/**
 * `erasing` is only ever set here. The controller clears it when it has judged the step, because a late report must not allow a power
 * action.
 */
export const storeProgress = gathered<
  ProgressRow,
  Report & {
    readonly sequence: number;
    readonly progress: object;
    readonly mark: string;
    readonly remaining: readonly object[];
    readonly percent: number;
    readonly message: string;
    readonly unstoppable: boolean;
  }
>(
  "agent_progress",
  `WITH ${reportCtes("sequence int, progress jsonb, mark text, remaining jsonb, percent float8, message text, unstoppable boolean")},
   put AS (
     UPDATE step_attempt a SET progress = r.progress, progress_at = now(), sequence = r.sequence, erase_ends = ${endsSet}, moved_mark = r.mark,
         moved_at = CASE
           WHEN a.moved_mark IS DISTINCT FROM r.mark THEN now() -- safety: report: the same numbers are no progress → WHEN true THEN now()
           ELSE a.moved_at END, ${journalSet}
       ${ofAttempt} AND NOT t.full AND a.sequence < r.sequence AND ${stillOpen} RETURNING r.n),
   run AS (
     UPDATE host_run h SET clean_percent = r.percent, clean_message = r.message, erasing = h.erasing OR r.unstoppable, evidence_seq = h.evidence_seq + (CASE WHEN r.journal = '[]' THEN 0 ELSE 1 END)
       FROM put JOIN r ON r.n = put.n WHERE h.host_id = r.host_id),
   fed AS (INSERT INTO feed (host_id, tenant_id, what) SELECT r.host_id, r.tenant_id, 'progress' FROM put JOIN r ON r.n = put.n)
   SELECT r.n, r.host_id, r.boot_epoch, r.reclamation_id, r.tenant_id, r.command,
          CASE WHEN put.n IS NOT NULL THEN 'stored'
               WHEN t.n IS NULL THEN 'unknown'
               WHEN NOT t.open THEN 'over'
               WHEN t.sequence = r.sequence THEN 'same'
               WHEN t.sequence > r.sequence THEN 'late'
               WHEN t.full THEN 'full'
               ELSE 'moved' END AS verdict
     FROM r LEFT JOIN t ON t.n = r.n LEFT JOIN put ON put.n = r.n`,
);

/** As for progress; `different`: a different report of this attempt is stored, and stays. */
export type ResultVerdict = "stored" | "same" | "different" | "unknown" | "over" | "moved";

export interface ResultRow extends ReportRow {
  readonly verdict: ResultVerdict;
}

/** The report is stored as received; the handler judges it. */
export const storeResult = gathered<
  ResultRow,
  Report & { readonly report: object; readonly report_hash: string }
>(
  "agent_result",
  `WITH ${reportCtes("report jsonb, report_hash text")},
   put AS (
     UPDATE step_attempt a SET report = r.report, report_hash = r.report_hash, reported_at = now(), ${journalSet}
       ${ofAttempt} AND ${stillOpen} RETURNING r.n, r.host_id, a.step_run_id, a.attempt),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT host_id, 'stepReport', jsonb_build_object('stepRunId', step_run_id, 'attempt', attempt) FROM put RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT r.n, r.host_id, r.boot_epoch, r.reclamation_id, r.tenant_id, r.command,
          CASE WHEN put.n IS NOT NULL THEN 'stored'
               WHEN t.n IS NULL THEN 'unknown'
               WHEN t.report_hash = r.report_hash THEN 'same'
               WHEN t.report_hash IS NOT NULL THEN 'different'
               WHEN NOT t.open THEN 'over'
               ELSE 'moved' END AS verdict
     FROM r LEFT JOIN t ON t.n = r.n LEFT JOIN put
       ON put.n = r.n -- safety: report: each answered by its own
  `,
);
