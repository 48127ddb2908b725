// How many hosts of a filter there are per cause, independent of the page of the list.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { HostCauseGroup } from "@/server/contract/hosts/hosts-answers";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import { failureFilter, groupOf } from "@/server/domain/cleaning/failures/group";
import { formatFailureGroup, notFailedGroup, overLimitGroup } from "@/server/domain/hosts/cause-groups";
import { patternDigest } from "@/server/domain/hosts/failure-pattern";
import { filterFrom, overLimit } from "@/server/usecases/hosts/list/host-filter-sql";
import { troubleOfFailed } from "@/server/usecases/hosts/list/host-rows";

interface FailedRow {
  readonly name: string;
  readonly last_error: string | null;
  readonly trouble: unknown;
  readonly serial: string | null;
  readonly model: string | null;
}

const and = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`WHERE ${sql.join([...conditions], sql` AND `)}`;

function failureGroups(rows: readonly FailedRow[]): HostCauseGroup[] {
  const groups = new Map<string, HostCauseGroup>();
  for (const { name, last_error: message, trouble, serial, model } of rows) {
    const names = serial === null ? [name] : [name, serial];
    const group = groupOf({
      causes: readCauses(trouble),
      message: message ?? "",
      names,
      hostModel: model ?? "unknown model",
    });
    const known = groups.get(group.key);
    groups.set(group.key, {
      words: formatFailureGroup(group),
      count: (known?.count ?? 0) + 1,
      filter: failureFilter(patternDigest(group.key)),
    });
  }
  return [...groups.values()];
}

/** Failures first, most hosts first; then hosts over their limit, then the others. */
export async function readCauseGroups(
  database: Database,
  conditions: readonly RawBuilder<unknown>[],
): Promise<readonly HostCauseGroup[]> {
  const [failed, [others]] = await Promise.all([
    queryRows(
      database,
      sql<FailedRow>`
      SELECT r.name, r.last_error, ${troubleOfFailed} AS trouble, h.serial, h.model
      FROM ${filterFrom} ${and([...conditions, sql`r.state LIKE 'Failed/%'`])}`,
    ),
    queryRows(
      database,
      sql<{ over: number; within: number }>`
      SELECT count(*) FILTER (WHERE ${overLimit})::int AS over, count(*) FILTER (WHERE ${overLimit} IS NOT TRUE)::int AS within
      FROM ${filterFrom} ${and([...conditions, sql`r.state NOT LIKE 'Failed/%'`])}`,
    ),
  ]);
  return [
    ...failureGroups(failed).sort((a, b) => b.count - a.count || a.words.localeCompare(b.words)),
    { words: overLimitGroup, count: others?.over ?? 0, filter: "sla:over" },
    { words: notFailedGroup, count: others?.within ?? 0, filter: null },
  ].filter(({ count }) => count > 0);
}
