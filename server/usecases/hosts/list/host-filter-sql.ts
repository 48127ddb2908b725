// A parsed filter as conditions on the hosts query.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { hostStandingSql } from "@/server/db/host-standing";
import { literal } from "@/server/db/like";
import { hostSets, statesOfGroup } from "@/server/domain/hosts/host-groups";
import type { HostSetName } from "@/server/domain/hosts/host-groups";
import { parseHostFilter } from "@/server/domain/hosts/host-filter";
import type { FilteredOwner, HostTerm, ParsedFilter } from "@/server/domain/hosts/host-filter";
import { allStates, isFailed } from "@/server/domain/lifecycle/states";
import type { UnknownState } from "@/server/domain/lifecycle/states";
import { readOtherStates } from "@/server/db/other-states";
import type { Reader } from "@/server/db/prisma";
import { alertCondition, readAlertNames } from "@/server/usecases/hosts/list/alert-filter";
import type { AlertNames } from "@/server/usecases/hosts/list/alert-filter";
import { hasSilentAgent } from "@/server/usecases/hosts/silent-agents";
import { readFailedGroups } from "@/server/usecases/cleaning/failures/failed-hosts";
import type { FailedGroup } from "@/server/usecases/cleaning/failures/failed-hosts";

const known = allStates();

/** As in `hostGroup`: failed hosts do not also count as over their limit. */
export const overLimit = sql`(r.limit_at < now() AND r.state NOT LIKE 'Failed/%')`;

/** Condition on `host_run r`: an alert exempts it from limits (docs/repair.md#classifications). A state then has no limit; reclamations need this check. */
export const isExcluded = sql`coalesce(r.health @> '{"classifications": ["ExcludeFromStateMachineSla"]}', false)`;

/** As in `overdueMs` (domain/cleaning/clocks.ts), for the open reclamation `c`. */
export const overdue = sql`(coalesce(c.limit_at < coalesce(c.paused_at, now()), false) AND NOT ${isExcluded})`;

/** Lists the states by name, known or not, so that their index is used. */
function setCondition(name: HostSetName, others: readonly UnknownState[]): RawBuilder<unknown> {
  const groups: readonly string[] = hostSets[name].groups;
  const states = hostSets[name].groups.flatMap((group) =>
    group === "overLimit" ? [] : statesOfGroup(group, others),
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

/** `*` matches anything; LIKE's own special characters match literally. */
const like = (pattern: string): string => literal(pattern).replaceAll("*", "%");

const anyOf = (column: RawBuilder<unknown>, patterns: readonly string[]): RawBuilder<unknown> =>
  sql`coalesce(${column} ILIKE ANY(${patterns.map(like)}), false)`;

/** Groups are of messages, which the database cannot compare, so their hosts are listed. */
function hostsOf(digests: readonly string[], groups: readonly FailedGroup[]): RawBuilder<unknown> {
  const ids = groups
    .filter(({ digest }) => digests.some((beginning) => digest.startsWith(beginning)))
    .flatMap(({ hosts }) => hosts.map(({ hostId }) => hostId));
  return sql`r.host_id = ANY(${ids}::uuid[])`;
}

interface Stored {
  readonly groups: readonly FailedGroup[];
  readonly others: readonly UnknownState[];
  readonly alerts: AlertNames;
}

const owned: Readonly<Record<FilteredOwner, RawBuilder<unknown>>> = {
  reclaim: sql`(r.outside_lease IS NULL AND NOT EXISTS (SELECT 1 FROM instance o WHERE o.host_id = r.host_id AND o.ended_at IS NULL))`,
  tenant: sql`EXISTS (SELECT 1 FROM instance o WHERE o.host_id = r.host_id AND o.ended_at IS NULL)`,
  "repair-system": sql`r.outside_lease IS NOT NULL`,
  overdue: sql`r.outside_lease IN (SELECT l.id FROM repair_lease l WHERE l.ended_at IS NULL AND l.until < now())`,
};

/** Uses plain columns, for which PostgreSQL has statistics: for an expression, it assumed one row in two hundred. */
function ofLevels(levels: readonly string[]): RawBuilder<unknown> {
  const reported = sql`(r.health IS NOT NULL AND e.level = ANY(${levels.filter((level) => level !== "none")}))`;
  return levels.includes("none") ? sql`(r.health IS NULL OR ${reported})` : reported;
}

function condition(term: HostTerm, { groups, others, alerts }: Stored): RawBuilder<unknown> {
  switch (term.kind) {
    case "failures":
      return hostsOf(term.digests, groups);
    case "states":
      return sql`r.state = ANY(${[...term.states]})`;
    case "sets":
      return sql`(${sql.join(
        term.sets.map((name) => setCondition(name, others)),
        sql` OR `,
      )})`;
    case "overLimit":
      return overLimit;
    case "overdue":
      return overdue;
    case "silent":
      return hasSilentAgent;
    case "maintenance":
      return sql`r.maintenance`;
    case "allocatable":
      // Never in a state of another release, whatever that release wrote (ADR 24).
      return sql`(r.allocatable AND r.state = ANY(${known}))`;
    case "health":
      return ofLevels(term.levels);
    case "standing":
      return sql`${sql.raw(hostStandingSql)} = ANY(${[...term.standings]})`;
    case "owner":
      return sql`(${sql.join(
        term.owners.map((owner) => owned[owner]),
        sql` OR `,
      )})`;
    case "alert":
      return alertCondition(term.patterns, alerts);
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
    case "firmware":
      return sql`EXISTS (SELECT 1 FROM host_inventory v, jsonb_to_recordset(v.body -> 'firmware') AS f(component text, version text)
        WHERE v.host_id = r.host_id AND v.source = 'bmc' AND ${anyOf(sql`f.component || ' ' || f.version`, term.patterns)})`;
    case "model":
      return anyOf(sql`h.model`, term.patterns);
    case "label":
      // By its key, or by key and value.
      return sql`EXISTS (SELECT 1 FROM jsonb_each_text(h.labels) l WHERE ${anyOf(sql`l.key`, term.patterns)} OR ${anyOf(sql`l.key || '=' || l.value`, term.patterns)})`;
    case "text": {
      const pattern = `%${like(term.text)}%`;
      return sql`(r.name ILIKE ${pattern} OR coalesce(h.serial ILIKE ${pattern}, false) OR coalesce(h.rack ILIKE ${pattern}, false) OR coalesce(t.name ILIKE ${pattern}, false))`;
    }
  }
}

export type FilterConditions =
  | { readonly ok: true; readonly conditions: readonly RawBuilder<unknown>[] }
  | Extract<ParsedFilter, { readonly ok: false }>;

/** Parses a filter where hosts may be in states of another release. Those are read only if the filter names states or sets, or cannot be parsed without. */
export async function parseStoredFilter(
  reader: Reader,
  filter: string,
): Promise<{ readonly parsed: ParsedFilter; readonly others: readonly UnknownState[] }> {
  const parsed = parseHostFilter(filter);
  if (parsed.ok && !parsed.terms.some(({ kind }) => kind === "states" || kind === "sets"))
    return { parsed, others: [] };
  const others = await readOtherStates(reader);
  return { parsed: others.length === 0 ? parsed : parseHostFilter(filter, others), others };
}

/** The filter as conditions that must all hold. Reads the failed hosts only if the filter names a group of failures. */
export async function filterConditions(reader: Reader, filter: string): Promise<FilterConditions> {
  const { parsed, others } = await parseStoredFilter(reader, filter);
  if (!parsed.ok) return parsed;
  const groups = parsed.terms.some(({ kind }) => kind === "failures") ? await readFailedGroups(reader) : [];
  const stored = { groups, others, alerts: await readAlertNames(reader, parsed.terms) };
  return {
    ok: true,
    conditions: parsed.terms.map((term) =>
      term.negated ? sql`NOT coalesce(${condition(term, stored)}, false)` : condition(term, stored),
    ),
  };
}

/** Tables for the conditions. Each join is on a key, so PostgreSQL removes joins that no condition uses. */
export const filterFrom = sql`
  host_run r
  LEFT JOIN host h ON h.id = r.host_id
  LEFT JOIN site s ON s.id = r.site_id
  LEFT JOIN sku k ON k.id = h.sku_id
  LEFT JOIN reclamation c ON c.id = r.reclamation_id AND c.ended_at IS NULL
  LEFT JOIN host_health e ON e.host_id = r.host_id
  LEFT JOIN tenant t ON t.id = coalesce(r.tenant_id, c.tenant_id)`;
