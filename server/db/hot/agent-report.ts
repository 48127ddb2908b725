// What an agent says about the step that it runs: progress and result, each in one statement (design: agent.md, Protocol).
import { seenCte, sessionCte, wakeSet } from "@/server/db/hot/agent-session";
import { named } from "@/server/db/hot/pool";

/**
 * CTEs `s`, `seen`, `r` and `t`: the session, its host (locked first, as the controller's commit does), and the attempt that the report is
 * about: `$2` step run, `$3` attempt. `t` is empty when there is no such attempt of this host in this boot.
 * A lost agent may still bring the result of the very attempt that it was lost in (design: lifecycle.md, AgentLost).
 */
const reportCtes = `${sessionCte}, ${seenCte},
   r AS (SELECT r.host_id, r.state, r.tenant_id, r.reclamation_id, CASE WHEN r.command_epoch = s.boot_epoch THEN r.command END AS command FROM s JOIN host_run r ON r.host_id = s.host_id FOR UPDATE OF r),
   t AS (
     SELECT a.step_run_id, a.attempt, a.sequence, a.report_hash, a.reported_at,
            x.attempt = a.attempt AND a.report_hash IS NULL AND (x.status = 'running' AND a.verdict IS NULL OR r.state = 'Failed/AgentLost' AND a.verdict = 'lost') AS open
       FROM s JOIN r ON true
       JOIN step_run x ON x.id = $2::uuid AND x.host_id = s.host_id
       JOIN step_attempt a ON a.step_run_id = x.id AND a.attempt = $3::int AND a.boot_epoch = s.boot_epoch)`;

/** The attempt is still open at the moment of writing: re-checked on the locked row, which the snapshot may not show yet. */
const stillOpen = `a.report_hash IS NULL AND (a.verdict IS NULL OR a.verdict = 'lost')`;

interface ReportRow {
  readonly host_id: string;
  readonly boot_epoch: number;
  readonly reclamation_id: string | null;
  readonly tenant_id: string | null;
  /** Of this boot; null when there is none. */
  readonly command: unknown;
}

/**
 * `stored`; `same`: this very report is there already; `late`: a newer one is. `unknown`: no such attempt of this host in this boot;
 * `over`: it is not running any more; `moved`: it changed in the same moment, ask once more.
 */
export type ProgressVerdict = "stored" | "same" | "late" | "unknown" | "over" | "moved";

export interface ProgressRow extends ReportRow {
  readonly verdict: ProgressVerdict;
}

/**
 * `erasing` is only ever raised here: the controller lowers it when it has judged the step, because a report that comes late must not
 * allow a power action.
 */
export const storeProgress = named<
  ProgressRow,
  [tokenHash: Buffer, stepRunId: string, attempt: number, sequence: number, progress: string, journal: string, percent: number, message: string, unstoppable: boolean]
>(
  "agent_progress",
  `WITH ${reportCtes},
   put AS (
     UPDATE step_attempt a SET progress = $5::jsonb, progress_at = now(), sequence = $4::int,
            journal = CASE WHEN $6::text = '[]' THEN a.journal ELSE a.journal || $6::jsonb END
       FROM t WHERE a.step_run_id = t.step_run_id AND a.attempt = t.attempt AND t.open AND a.sequence < $4::int AND ${stillOpen} RETURNING a.step_run_id),
   run AS (
     UPDATE host_run h SET clean_percent = $7::float8, clean_message = $8::text, erasing = h.erasing OR $9::boolean, evidence_seq = h.evidence_seq + (CASE WHEN $6::text = '[]' THEN 0 ELSE 1 END)
       FROM put, r WHERE h.host_id = r.host_id),
   fed AS (INSERT INTO feed (host_id, tenant_id, what) SELECT r.host_id, r.tenant_id, 'progress' FROM put, r)
   SELECT s.host_id, s.boot_epoch, r.reclamation_id, r.tenant_id, r.command,
          CASE WHEN EXISTS (SELECT 1 FROM put) THEN 'stored'
               WHEN t.step_run_id IS NULL THEN 'unknown'
               WHEN NOT t.open THEN 'over'
               WHEN t.sequence = $4::int THEN 'same'
               WHEN t.sequence > $4::int THEN 'late'
               ELSE 'moved' END AS verdict
     FROM s JOIN r ON true LEFT JOIN t ON true`,
);

/** As for progress; `different`: another report of this attempt is stored, and stays. */
export type ResultVerdict = "stored" | "same" | "different" | "unknown" | "over" | "moved";

export interface ResultRow extends ReportRow {
  readonly verdict: ResultVerdict;
}

/** The report is kept as it came; the handler judges it. */
export const storeResult = named<ResultRow, [tokenHash: Buffer, stepRunId: string, attempt: number, report: string, reportHash: string, journal: string]>(
  "agent_result",
  `WITH ${reportCtes},
   put AS (
     UPDATE step_attempt a SET report = $4::jsonb, report_hash = $5::text, reported_at = now(),
            journal = CASE WHEN $6::text = '[]' THEN a.journal ELSE a.journal || $6::jsonb END
       FROM t WHERE a.step_run_id = t.step_run_id AND a.attempt = t.attempt AND t.open AND ${stillOpen} RETURNING a.step_run_id, a.attempt),
   told AS (
     INSERT INTO signal (host_id, kind, payload)
     SELECT r.host_id, 'stepReport', jsonb_build_object('stepRunId', put.step_run_id, 'attempt', put.attempt) FROM put, r RETURNING host_id),
   woken AS (UPDATE host_run r SET ${wakeSet}, evidence_seq = r.evidence_seq + 1 FROM told WHERE r.host_id = told.host_id)
   SELECT s.host_id, s.boot_epoch, r.reclamation_id, r.tenant_id, r.command,
          CASE WHEN EXISTS (SELECT 1 FROM put) THEN 'stored'
               WHEN t.step_run_id IS NULL THEN 'unknown'
               WHEN t.report_hash = $5::text THEN 'same'
               WHEN t.report_hash IS NOT NULL THEN 'different'
               WHEN NOT t.open THEN 'over'
               ELSE 'moved' END AS verdict
     FROM s JOIN r ON true LEFT JOIN t ON true`,
);
