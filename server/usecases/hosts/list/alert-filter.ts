// The filter by alert or classification: its patterns are compared with the names that there are, and hosts are then found by those (docs/benchmarks.md#health).
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { HostTerm } from "@/server/domain/hosts/host-filter";

/** By the patterns of a term, the names that they fit; null: too many to compare each host with. */
export type AlertNames = ReadonlyMap<readonly string[], readonly string[] | null>;

const mostNames = 100;

/** Of a host's health `e`. Not strict, so that a join of all hosts would not look into the index on it. */
const namesOfHost = sql`(e.alert_ids || e.classifications)`;

/** A regular expression for a text of whole lines, one of which fits: ten times as fast as to look at each name of a list. */
const oneLineOf = (patterns: readonly string[]): string =>
  `\\n(${patterns.map((each) => each.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^\\n]*")).join("|")})\\n`;

/** Every name that stands at a host is there: triggers write them (prisma/migrations/20261123192000_alert_names). */
export async function readAlertNames(reader: SqlReader, terms: readonly HostTerm[]): Promise<AlertNames> {
  const found = new Map<readonly string[], readonly string[] | null>();
  for (const term of terms) {
    if (term.kind !== "alert") continue;
    const rows = await queryRows(
      reader,
      sql<{ name: string }>`
      SELECT name FROM alert_name WHERE E'\\n' || name || E'\\n' ~* ${oneLineOf(term.patterns)} LIMIT ${mostNames + 1}`,
    );
    found.set(term.patterns, rows.length > mostNames ? null : rows.map(({ name }) => name));
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
