// `last_error` as Ironic words it: which step failed or was aborted, or that the list could not be started (docs/api-ironic.md#what-the-fields-say).

export interface FailureRow {
  readonly id: string;
  readonly last_error?: string | null;
  /** The `interface.step` that failed; null: none. */
  readonly failed_step?: string | null;
  /** A manual list of which no step could be started. */
  readonly failed_list?: boolean | null;
}

/** Null if nothing is wrong. */
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
