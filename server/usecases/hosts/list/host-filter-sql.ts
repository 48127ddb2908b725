// A parsed filter as conditions on the hosts query.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { literal } from "@/server/db/like";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import type { HostSetName } from "@/server/domain/hosts/host-groups";
import { parseHostFilter } from "@/server/domain/hosts/host-filter";
import type { HostTerm, ParsedFilter } from "@/server/domain/hosts/host-filter";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import type { Reader } from "@/server/db/prisma";
import { readFailedGroups } from "@/server/usecases/failures/failed-hosts";
import type { FailedGroup } from "@/server/usecases/failures/failed-hosts";

const notFailed = allStates().filter((state) => !isFailed(state));

/** As `hostGroup`: failed hosts are not also over their limit. */
export const overLimit = sql`(r.limit_at < now() AND r.state = ANY(${notFailed}))`;

/** As `overdueMs` (domain/cleaning/clocks.ts), of the reclamation `c` that is open. */
export const overdue = sql`coalesce(c.limit_at < coalesce(c.paused_at, now()), false)`;

function setCondition(name: HostSetName): RawBuilder<unknown> {
  const groups: readonly string[] = hostSets[name].groups;
  const states = hostSets[name].groups.flatMap((group) =>
    group === "overLimit" ? [] : statesOfGroup(group),
  );
  const failed = states.filter(isFailed);
  const within = states.filter((state) => !isFailed(state));
  const parts = [
    ...(failed.length > 0 ? [sql`r.state = ANY(${failed})`] : []),
    ...(within.length > 0
      ? [sql`(r.state = ANY(${within}) AND (r.limit_at IS NULL OR r.limit_at >= now()))`]
      : []),
    ...(groups.includes("overLimit") ? [overLimit] : []),
  ];
  return sql`(${sql.join(parts, sql` OR `)})`;
}

/** `*` stands for anything; what LIKE takes specially is taken as it is. */
const like = (pattern: string): string => literal(pattern).replaceAll("*", "%");

const anyOf = (column: RawBuilder<unknown>, patterns: readonly string[]): RawBuilder<unknown> =>
  sql`coalesce(${column} ILIKE ANY(${patterns.map(like)}), false)`;

/** A group is of messages, which the database cannot compare: its hosts are named. */
function hostsOf(digests: readonly string[], groups: readonly FailedGroup[]): RawBuilder<unknown> {
  const ids = groups
    .filter(({ digest }) => digests.some((beginning) => digest.startsWith(beginning)))
    .flatMap(({ hosts }) => hosts.map(({ hostId }) => hostId));
  return sql`r.host_id = ANY(${ids}::uuid[])`;
}

function condition(term: HostTerm, groups: readonly FailedGroup[]): RawBuilder<unknown> {
  switch (term.kind) {
    case "failures":
      return hostsOf(term.digests, groups);
    case "states":
      return sql`r.state = ANY(${[...term.states]})`;
    case "sets":
      return sql`(${sql.join(term.sets.map(setCondition), sql` OR `)})`;
    case "overLimit":
      return overLimit;
    case "overdue":
      return overdue;
    case "maintenance":
      return sql`r.maintenance`;
    case "allocatable":
      return sql`r.allocatable`;
    case "site":
      return anyOf(sql`s.name`, term.patterns);
    case "rack":
      return anyOf(sql`h.rack`, term.patterns);
    case "segment":
      return anyOf(sql`h.network_segment`, term.patterns);
    case "domain":
      return anyOf(sql`h.power_domain`, term.patterns);
    case "sku":
      return anyOf(sql`k.name`, term.patterns);
    case "tenant":
      return sql`(${anyOf(sql`t.org`, term.patterns)} OR ${anyOf(sql`t.name`, term.patterns)})`;
    case "image":
      return sql`EXISTS (SELECT 1 FROM boot_window w JOIN agent_image i ON i.id = w.image_id WHERE w.host_id = r.host_id AND w.boot_epoch = r.boot_epoch AND ${anyOf(sql`i.version`, term.patterns)})`;
    case "text": {
      const pattern = `%${like(term.text)}%`;
      return sql`(r.name ILIKE ${pattern} OR coalesce(h.serial ILIKE ${pattern}, false) OR coalesce(h.rack ILIKE ${pattern}, false) OR coalesce(t.name ILIKE ${pattern}, false))`;
    }
  }
}

export type FilterConditions =
  | { readonly ok: true; readonly conditions: readonly RawBuilder<unknown>[] }
  | Extract<ParsedFilter, { readonly ok: false }>;

/** What a filter means, as conditions that must all hold. Reads the failed hosts only where the filter names a group of them. */
export async function filterConditions(reader: Reader, filter: string): Promise<FilterConditions> {
  const parsed = parseHostFilter(filter);
  if (!parsed.ok) return parsed;
  const groups = parsed.terms.some(({ kind }) => kind === "failures") ? await readFailedGroups(reader) : [];
  return {
    ok: true,
    conditions: parsed.terms.map((term) =>
      term.negated ? sql`NOT coalesce(${condition(term, groups)}, false)` : condition(term, groups),
    ),
  };
}

/** What the conditions may name. Each join is on a key, so PostgreSQL leaves out those that no condition names. */
export const filterFrom = sql`
  host_run r
  LEFT JOIN host h ON h.id = r.host_id
  LEFT JOIN site s ON s.id = r.site_id
  LEFT JOIN sku k ON k.id = h.sku_id
  LEFT JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL
  LEFT JOIN tenant t ON t.id = coalesce(r.tenant_id, c.tenant_id)`;
