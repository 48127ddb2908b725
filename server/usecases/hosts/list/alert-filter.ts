// The filter by alert or classification: its patterns are matched against the existing names, by which hosts are then found (docs/benchmarks.md#health).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { HostTerm } from "@/server/domain/hosts/host-filter";

/** The names that match the patterns of a term; null if there are too many, so that each host is compared with the patterns. */
export type AlertNames = ReadonlyMap<readonly string[], readonly string[] | null>;

const maxNames = 100;

/** Names in a host's health `e`. Not strict, so that a join over all hosts does not search its index. */
const namesOfHost = sql`(e.alert_ids || e.classifications)`;

/** A regular expression on a text of lines, of which one must match: ten times as fast as checking each name of a list. */
const oneLineOf = (patterns: readonly string[]): string =>
  `\\n(${patterns.map((each) => each.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^\\n]*")).join("|")})\\n`;

/** Triggers keep every name that any host has in this table. */
export async function readAlertNames(reader: SqlReader, terms: readonly HostTerm[]): Promise<AlertNames> {
  const found = new Map<readonly string[], readonly string[] | null>();
  for (const term of terms) {
    if (term.kind !== "alert") continue;
    const rows = await queryRows(
      reader,
      sql<{ name: string }>`
      SELECT name FROM alert_name WHERE E'\\n' || name || E'\\n' ~* ${oneLineOf(term.patterns)} LIMIT ${maxNames + 1}`,
    );
    found.set(term.patterns, rows.length > maxNames ? null : rows.map(({ name }) => name));
  }
  return found;
}

export function alertCondition(patterns: readonly string[], known: AlertNames): RawBuilder<unknown> {
  const names = known.get(patterns) ?? null;
  if (names === null)
    return sql`coalesce(E'\\n' || array_to_string(${namesOfHost}, E'\\n') || E'\\n' ~* ${oneLineOf(patterns)}, false)`;
  return names.length === 0
    ? sql`false`
    : sql`r.host_id IN (SELECT e.host_id FROM host_health e WHERE ${namesOfHost} && ${[...names]}::text[])`;
}
