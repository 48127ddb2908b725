// Where an override counts: the scope itself and every combination of scopes below it, with what the agents there offer.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import { offeredStep } from "@/server/domain/agents/protocol";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import type { OverrideChange, OverrideLevel } from "@/server/domain/cleaning/plan/override-ties";
import type { OverrideScope, StepOverride } from "@/server/domain/cleaning/plan/priorities";
import type { Reader } from "@/server/db/prisma";
import { toOverrides } from "@/server/usecases/cleaning/known-host";

export interface NamedLevel extends OverrideLevel {
  /** In words, for the answer to a save. */
  readonly where: string;
  /** 0: no host is there yet. */
  readonly hosts: number;
}

interface LevelRow {
  readonly site_id: string;
  readonly sku_id: string | null;
  /** Set where the host has overrides of its own. */
  readonly host_id: string | null;
  readonly first_name: string;
  readonly offered: unknown;
  readonly hosts: number;
}

const hostColumn = {
  site: sql`h.site_id`,
  sku: sql`h.sku_id`,
  host: sql`h.id`,
} as const satisfies Record<OverrideScope, RawBuilder<unknown>>;

/**
 * Hosts by what decides on their order: site, SKU, own overrides, and the steps of their newest agent. Hosts of a fleet are alike, so the rows are few.
 * Sessions of one agent version say the same, so each distinct text is taken apart once.
 */
const readLevels = (reader: Reader, { scope, scopeId }: OverrideChange): Promise<LevelRow[]> =>
  queryRows(
    reader,
    sql`
  WITH found AS (
    SELECT h.id, h.name, h.site_id, h.sku_id, CASE WHEN EXISTS (SELECT 1 FROM step_override o WHERE o.scope_id = h.id) THEN h.id END AS own,
      (SELECT a.hardware_managers FROM agent_session a WHERE a.host_id = h.id ORDER BY a.boot_epoch DESC LIMIT 1) AS managers
    FROM host h WHERE ${hostColumn[scope]} = ${scopeId}::uuid
  )
  SELECT site_id::text, sku_id::text, own::text AS host_id, min(name) AS first_name, count(*)::int AS hosts, jsonb_path_query_array(managers, '$[*].steps[*]') AS offered
  FROM found GROUP BY site_id, sku_id, own, managers ORDER BY first_name`,
  );

export interface ScopeNames {
  readonly sites: ReadonlyMap<string, string>;
  readonly skus: ReadonlyMap<string, string>;
}

async function readNames(reader: Reader): Promise<ScopeNames> {
  // One after the other: inside a transaction there is one connection.
  const sites = await reader.site.findMany({ select: { id: true, name: true } });
  const skus = await reader.sku.findMany({ select: { id: true, name: true } });
  return {
    sites: new Map(sites.map(({ id, name }) => [id, name])),
    skus: new Map(skus.map(({ id, name }) => [id, name])),
  };
}

const offeredList = offeredStep.array().catch([]);

/** The name of a scope's site, SKU or host; null when there is none. */
export async function scopeName(reader: Reader, scope: OverrideScope, id: string): Promise<string | null> {
  const select = { where: { id }, select: { name: true } } as const;
  const row =
    scope === "site"
      ? await reader.site.findUnique(select)
      : scope === "sku"
        ? await reader.sku.findUnique(select)
        : await reader.host.findUnique(select);
  return row?.name ?? null;
}

/** Every level at which a change counts. The first is the scope itself, where also hosts that come later begin. */
export async function overrideLevels(
  reader: Reader,
  change: OverrideChange,
  name: string,
): Promise<readonly NamedLevel[]> {
  const rows = await readLevels(reader, change);
  const names = await readNames(reader);
  const ids = new Set([
    change.scopeId,
    ...names.sites.keys(),
    ...names.skus.keys(),
    ...rows.flatMap(({ host_id }) => host_id ?? []),
  ]);
  const stored = await reader.stepOverride.findMany({ where: { scopeId: { in: [...ids] } } });
  const at = (...scopes: readonly (string | null)[]): readonly StepOverride[] =>
    toOverrides(stored.filter(({ scopeId }) => scopes.includes(scopeId)));
  const words = (siteId: string | null, skuId: string | null): string =>
    [
      skuId === null ? "" : `SKU ${names.skus.get(skuId) ?? skuId}`,
      siteId === null ? "" : `site ${names.sites.get(siteId) ?? siteId}`,
    ]
      .filter((part) => part !== "")
      .join(" at ");
  const own: NamedLevel = {
    where: change.scope === "sku" ? `SKU ${name}` : `${change.scope} ${name}`,
    hosts: 0,
    overrides: at(change.scopeId),
    offered: [],
  };
  const has = (id: string): boolean => stored.some(({ scopeId }) => scopeId === id);
  // A host that is enrolled later, or gets its SKU later, comes to such a pair without anybody saving anything.
  const others =
    change.scope === "site"
      ? [...names.skus.keys()].filter(has)
      : change.scope === "sku"
        ? [...names.sites.keys()].filter(has)
        : [];
  const pairs = others.map((other): NamedLevel => ({
    where: change.scope === "site" ? words(change.scopeId, other) : words(other, change.scopeId),
    hosts: 0,
    overrides: at(change.scopeId, other),
    offered: [],
  }));
  const hosts = rows.map((row): NamedLevel => {
    const offered: readonly OfferedStep[] = offeredList.parse(row.offered);
    const where =
      row.host_id !== null
        ? `host ${row.first_name}`
        : `${row.hosts === 1 ? `host ${row.first_name}` : `${row.hosts} hosts, ${row.first_name} among them`}, ${words(row.site_id, row.sku_id)}`;
    return { where, hosts: row.hosts, overrides: at(row.site_id, row.sku_id, row.host_id), offered };
  });
  return change.scope === "host" ? hosts : [own, ...pairs, ...hosts];
}
