// `last_error` as Ironic words it: which step failed or was aborted, or that the list could not be begun (docs/api-ironic.md#what-the-fields-say).

export interface FailureRow {
  readonly id: string;
  readonly last_error?: string | null;
  /** `interface.step` that failed, null where none did. */
  readonly failed_step?: string | null;
  /** A list made by hand in which no step could be begun. */
  readonly failed_list?: boolean | null;
}

const ofFailed = (columns: string): string =>
  `CASE WHEN r.state LIKE 'Failed/%' THEN (${columns} WHERE c.host_id = h.id AND c.ended_at IS NULL LIMIT 1) END`;

/** Read of failed hosts only. */
export const failureColumns = `
  ${ofFailed(`SELECT (SELECT t.interface || '.' || t.step FROM step_run t WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.status = 'failed' ORDER BY t.position LIMIT 1) FROM reclamation c`)} AS failed_step,
  ${ofFailed("SELECT c.kind = 'manualCleaning' AND c.plan_epoch = 0 FROM reclamation c")} AS failed_list`;

/** Null where nothing is wrong. Pure. */
export function lastErrorOf({
  id,
  last_error: error,
  failed_step: step,
  failed_list: list,
}: FailureRow): string | null {
  if (error == null) return null;
  if (list === true) return `Cannot clean node ${id}: ${error}`;
  if (step == null) return error;
  return error.startsWith("aborted by ")
    ? `Clean operation aborted for node ${id} by request, at step "${step}": ${error}`
    : `Clean step "${step}" failed on node ${id}: ${error}`;
}
