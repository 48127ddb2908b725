// Which gates the trigger before Ready requires, read from the migrated database.

/** What a function of the database counts, such as `ready_is_proven`. */
interface Counted {
  /** How many gates must be on record. */
  readonly count: number;
  /** Gates that it does not count: the previous release, which may run beside this one, does not have them (docs/adr/0024-rolling-upgrade.md). */
  readonly without: readonly string[];
}

/** Throws if the function counts no gates. */
export function gatesCounted(source: string): Counted {
  const [, names, count] = /(?: AND g\.gate NOT IN \(([^)]*)\))?\) <> (\d+)/.exec(source) ?? [];
  if (count === undefined) throw new Error("the function does not count gates");
  return {
    count: Number(count),
    without: [...(names ?? "").matchAll(/'(\w+)'/g)].map(([, name = ""]) => name),
  };
}

export const sourceOf = (name: "ready_is_proven" | "recorded_standing"): string =>
  `SELECT prosrc AS source FROM pg_proc WHERE proname = '${name}'`;
