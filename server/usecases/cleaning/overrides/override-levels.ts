// Where an override counts: its scope and every combination of scopes below it, with the steps that agents there offer; and what a change is checked against.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { offeredStep } from "@/server/domain/agents/protocol";
import type { OfferedStep } from "@/server/domain/agents/protocol";
import { maxPriority, overrideScopes, tiesMade } from "@/server/domain/cleaning/plan/priorities";
import type { OverrideChange, OverrideScope, StepOverride } from "@/server/domain/cleaning/plan/priorities";
import { findCleanStep, hostCatalogue } from "@/server/domain/cleaning/steps/catalogue";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { OverridePreview } from "@/server/contract/cleaning/cleaning-answers";
import type { Target } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

type OverrideName = Omit<OverrideChange, "priority">;

/** Name of the override in the audit log. */
export const overrideId = (name: OverrideName): string => `${name.scope} ${name.scopeId} ${stepName(name)}`;

export type StoredOverride = StepOverride & { readonly scopeId: string };

const scopes: readonly string[] = overrideScopes;

/** Every override that may count where a change of this scope does. The database allows no other scope. */
export async function readOverrides(
  reader: SqlReader,
  { scope, scopeId }: Pick<OverrideName, "scope" | "scopeId">,
): Promise<readonly StoredOverride[]> {
  const which = scope === "host" ? sql`scope <> 'host' OR scope_id = ${scopeId}::uuid` : sql`true`;
  const rows = await queryRows(
    reader,
    sql<StoredOverride>`SELECT scope, scope_id::text AS "scopeId", interface, step, priority FROM step_override WHERE ${which}`,
  );
  return rows.filter((row) => scopes.includes(row.scope));
}

export interface LockedOverrides {
  /** The override of the named step at the named scope; null if there is none. */
  readonly before: StoredOverride | null;
  readonly stored: readonly StoredOverride[];
}

/** Locks the table against other writers until the transaction ends, because two concurrent writes could make a tie. Readers are not blocked. */
export async function holdOverrides(tx: SqlReader): Promise<void> {
  await queryRows(tx, sql`SELECT pg_advisory_xact_lock(hashtextextended('step_override', 0))::text`);
}

/** Finds the override of a step, with the table locked. */
export async function lockOverrides(tx: SqlReader, name: OverrideName): Promise<Target<LockedOverrides>> {
  await holdOverrides(tx);
  const stored = await readOverrides(tx, name);
  const id = overrideId(name);
  const before = stored.find((override) => overrideId(override) === id) ?? null;
  return { id, belongs: { tenantId: null }, value: { before, stored } };
}

/** A combination of scopes that hosts have, or could have. */
export interface OverrideLevel {
  /** Described in words, for the answer to a save. */
  readonly where: string;
  /** 0 if no host has this combination yet. */
  readonly hosts: number;
  /** Overrides that count there now. */
  readonly overrides: readonly StepOverride[];
  /** Steps that agents there offer in addition to ours. */
  readonly offered: readonly OfferedStep[];
}

interface LevelRow {
  readonly site_id: string;
  readonly sku_id: string | null;
  /** Set if the host has overrides of its own. */
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
 * Hosts grouped by what determines their order: site, SKU, own overrides, and the steps of their newest agent. Hosts of a fleet are similar, so there
 * are few rows. Agents of one version report the same text, so each distinct text is parsed only once.
 */
const readLevels = (
  reader: SqlReader,
  { scope, scopeId }: OverrideChange,
  stored: readonly StoredOverride[],
): Promise<LevelRow[]> =>
  queryRows(
    reader,
    sql`
  WITH found AS (
    SELECT h.id, h.name, h.site_id, h.sku_id, CASE WHEN h.id = ANY(${stored.filter((one) => one.scope === "host").map((one) => one.scopeId)}::uuid[]) THEN h.id END AS own,
      (SELECT a.hardware_managers FROM agent_session a WHERE a.host_id = h.id ORDER BY a.boot_epoch DESC LIMIT 1) AS managers
    FROM host h WHERE ${hostColumn[scope]} = ${scopeId}::uuid
  )
  SELECT site_id::text, sku_id::text, own::text AS host_id, min(name) AS first_name, count(*)::int AS hosts, jsonb_path_query_array(managers, '$[*].steps[*]') AS offered
  FROM found GROUP BY site_id, sku_id, own, managers ORDER BY first_name`,
  );

interface ScopeNames {
  readonly sites: ReadonlyMap<string, string>;
  readonly skus: ReadonlyMap<string, string>;
}

async function readNames(reader: SqlReader): Promise<ScopeNames> {
  const rows = await queryRows(
    reader,
    sql<{ scope: string; id: string; name: string }>`
    SELECT 'site' AS scope, id::text, name FROM site UNION ALL SELECT 'sku', id::text, name FROM sku`,
  );
  const of = (wanted: OverrideScope): ReadonlyMap<string, string> =>
    new Map(rows.filter(({ scope }) => scope === wanted).map(({ id, name }) => [id, name]));
  return { sites: of("site"), skus: of("sku") };
}

/** Describes where hosts of a site, a SKU or both are. */
const placeText = ({ sites, skus }: ScopeNames, siteId: string | null, skuId: string | null): string =>
  [
    skuId === null ? "" : `SKU ${skus.get(skuId) ?? skuId}`,
    siteId === null ? "" : `site ${sites.get(siteId) ?? siteId}`,
  ]
    .filter((part) => part !== "")
    .join(" at ");

const countingAt = (
  stored: readonly StoredOverride[],
  ...ids: readonly (string | null)[]
): readonly StepOverride[] => stored.filter(({ scopeId }) => ids.includes(scopeId));

/** A host that is enrolled or gets its SKU later may end up in such a pair of site and SKU, without another save that would be checked. */
function pairLevels(
  change: OverrideChange,
  names: ScopeNames,
  stored: readonly StoredOverride[],
): readonly OverrideLevel[] {
  const has = (id: string): boolean => stored.some(({ scopeId }) => scopeId === id);
  const others = change.scope === "site" ? [...names.skus.keys()] : [...names.sites.keys()];
  return others.filter(has).map((other) => ({
    where:
      change.scope === "site"
        ? placeText(names, change.scopeId, other)
        : placeText(names, other, change.scopeId),
    hosts: 0,
    overrides: countingAt(stored, change.scopeId, other),
    offered: [],
  }));
}

const offeredList = offeredStep.array().catch([]);

function hostLevel(row: LevelRow, names: ScopeNames, stored: readonly StoredOverride[]): OverrideLevel {
  const some =
    row.hosts === 1 ? `host ${row.first_name}` : `${row.hosts} hosts, ${row.first_name} among them`;
  return {
    where:
      row.host_id !== null
        ? `host ${row.first_name}`
        : `${some}, ${placeText(names, row.site_id, row.sku_id)}`,
    hosts: row.hosts,
    overrides: countingAt(stored, row.site_id, row.sku_id, row.host_id),
    offered: offeredList.parse(row.offered),
  };
}

interface Levels {
  /** Name of the scope's site, SKU or host. */
  readonly name: string;
  readonly levels: readonly OverrideLevel[];
}

/** Every level where a change counts. The first is the scope itself, where hosts that come later begin. Null if there is no such scope. */
async function overrideLevels(
  reader: SqlReader,
  change: OverrideChange,
  stored: readonly StoredOverride[],
): Promise<Levels | null> {
  const { scope, scopeId } = change;
  // Sequential, because a transaction has a single connection.
  const rows = await readLevels(reader, change, stored);
  const names = await readNames(reader);
  const name = { site: names.sites.get(scopeId), sku: names.skus.get(scopeId), host: rows[0]?.first_name }[
    scope
  ];
  if (name === undefined) return null;
  const hosts = rows.map((row) => hostLevel(row, names, stored));
  if (scope === "host") return { name, levels: hosts };
  const own: OverrideLevel = {
    where: `${scopeLabels[scope]} ${name}`,
    hosts: 0,
    overrides: countingAt(stored, scopeId),
    offered: [],
  };
  return { name, levels: [own, ...pairLevels(change, names, stored), ...hosts] };
}

export const scopeLabels = { site: "site", sku: "SKU", host: "host" } as const;

/** What a change is checked against; a problem if its scope, step or priority is unknown. @param stored from `readOverrides` */
export async function checkedLevels(
  reader: SqlReader,
  change: OverrideChange,
  stored: readonly StoredOverride[],
): Promise<Outcome<readonly OverrideLevel[]>> {
  const { priority } = change;
  if (priority !== null && (!Number.isInteger(priority) || priority < 0 || priority > maxPriority))
    return refused("invalid", `priority must be a whole number from 0 to ${maxPriority}.`, "priority");
  const found = await overrideLevels(reader, change, stored);
  if (found === null) return notFound(scopeLabels[change.scope], change.scopeId);
  const declared = findCleanStep(change.interface, change.step);
  if (declared?.reserved === true)
    return refused(
      "invalid",
      `${stepName(change)} is a reserved step: it runs only in manual cleanings that name it.`,
      "step",
    );
  const isOffered = found.levels.some(({ offered }) =>
    offered.some((row) => stepName(row) === stepName(change)),
  );
  // An override of a step that no agent offers any more can still be removed.
  if (declared === null && !isOffered && priority !== null)
    return refused(
      "invalid",
      `There is no clean step ${stepName(change)}, and no agent of ${scopeLabels[change.scope]} ${found.name} offers one.`,
      "step",
    );
  return done(found.levels);
}

/** Every tie that the change would make, most hosts first. Pure. */
export function tiesOf(levels: readonly OverrideLevel[], change: OverrideChange): OverridePreview["ties"] {
  return levels.flatMap(({ where, hosts, overrides, offered }) =>
    tiesMade(hostCatalogue(offered), overrides, change).map((tie) => ({ where, hosts, ...tie })),
  );
}
