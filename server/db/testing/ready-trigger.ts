// How many gates the trigger before Ready requires, read from the migrated database.

/**
 * The counts that it accepts: its own release's and, during an upgrade, the previous release's (docs/adr/0024-rolling-upgrade.md).
 * `source`: of `ready_is_proven`.
 */
export function countsTaken(source: string): readonly number[] {
  const [, counts] = /(?:<>|NOT IN) \(?([\d, ]+?)\)? THEN/.exec(source) ?? [];
  if (counts === undefined) throw new Error("the trigger before Ready does not count gates");
  return counts.split(", ").map(Number);
}

export const readyTriggerSource = "SELECT prosrc AS source FROM pg_proc WHERE proname = 'ready_is_proven'";
