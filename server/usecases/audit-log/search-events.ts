// Search conditions for events of the audit log, and how events are read. Used for listing and for following.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { z } from "zod";
import type { audit, AuditLine } from "@/server/contract/audit-log/audit-log";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { isUuid } from "@/server/domain/uuid";

type Search = Omit<z.output<typeof audit.follow.input>, "from">;
export type Condition = RawBuilder<unknown>;

const isGiven = (condition: Condition | null): condition is Condition => condition !== null;

/** Includes gone hosts: their events remain. */
const targetIs = (target: string): Condition => sql`(e.target_id = ${target}::text
    OR e.target_id IN (SELECT id::text FROM host WHERE name = ${target}::text
      UNION ALL SELECT host_id::text FROM gone_host WHERE name = ${target}::text
      UNION ALL SELECT id::text FROM instance WHERE name = ${target}::text
      UNION ALL SELECT id::text FROM site WHERE name = ${target}::text))`;

/**
 * Events about a target. A host's include those about its instances (the release), its approvals (exceptions, records of procedures), and its
 * reclamations (their end, and the certificate).
 */
const aboutTarget = (id: string): Condition =>
  isUuid(id)
    ? sql`e.target_id = ANY(ARRAY(SELECT ${id}::text
      UNION ALL SELECT i.id::text FROM instance i WHERE i.host_id = ${id}::uuid
      UNION ALL SELECT c.id::text FROM reclamation c WHERE c.host_id = ${id}::uuid
      UNION ALL SELECT a.id::text FROM approval a WHERE a.host_id = ${id}::uuid))`
    : sql`e.target_id = ${id}::text`;

const atSite = (site: string): Condition => sql`e.target_id IN (
    WITH asked AS (SELECT id, name FROM site WHERE name = ${site}::text OR id::text = ${site}::text),
      hosts AS (SELECT h.id FROM host h JOIN asked ON asked.id = h.site_id UNION ALL SELECT g.host_id FROM gone_host g JOIN asked ON asked.name = g.site)
    SELECT id::text FROM asked UNION ALL SELECT id::text FROM hosts UNION ALL SELECT i.id::text FROM instance i JOIN hosts ON hosts.id = i.host_id)`;

/** All texts of an event, with its facts in their JSON form. */
const hasText = (text: string): Condition =>
  sql`strpos(lower(concat_ws(E'\\n', e.action, e.actor_name, e.actor_id, e.target_id, e.request_id, e.address, e.before::text, e.after::text)), lower(${text}::text)) > 0`;

const actionIs = (action: string): Condition =>
  action.endsWith(".") ? sql`starts_with(e.action, ${action}::text)` : sql`e.action = ${action}::text`;

/** Conditions that an event must all meet. */
export const conditionsOf = ({
  targetId,
  target,
  site,
  actor,
  action,
  outcome,
  text,
}: Search): readonly Condition[] =>
  [
    targetId === undefined ? null : aboutTarget(targetId),
    target === undefined ? null : targetIs(target),
    site === undefined ? null : atSite(site),
    actor === undefined ? null : sql`(e.actor_id = ${actor}::text OR e.actor_name = ${actor}::text)`,
    action === undefined ? null : actionIs(action),
    outcome === undefined ? null : sql`e.outcome = ${outcome}::text`,
    text === undefined ? null : hasText(text),
  ].filter(isGiven);

type EventRow = Omit<AuditLine, "targetName">;

interface Name {
  readonly name: string;
  /** It is of a host that has left. */
  readonly gone: boolean;
}

/** What a person calls a target: a name, or a number of the kind R-42. Those without one are left out. */
async function namesOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Name>> {
  if (ids.length === 0) return new Map();
  const any = sql`= ANY(${ids}::uuid[])`;
  const rows = await queryRows(
    database,
    sql<Name & { id: string }>`
    SELECT host_id::text AS id, name, true AS gone FROM gone_host WHERE host_id ${any}
    UNION ALL SELECT id::text, name, false FROM host WHERE id ${any}
    UNION ALL SELECT id::text, name, false FROM instance WHERE id ${any}
    UNION ALL SELECT id::text, 'R-' || number, false FROM reclamation WHERE id ${any}
    UNION ALL SELECT id::text, name, false FROM site WHERE id ${any}
    UNION ALL SELECT id::text, name, false FROM tenant WHERE id ${any}
    UNION ALL SELECT id::text, name, false FROM sku WHERE id ${any}
    UNION ALL SELECT id::text, name, false FROM person WHERE id ${any}`,
  );
  return new Map(rows.map(({ id, name, gone }) => [id, { name, gone }]));
}

async function named(database: Database, rows: readonly EventRow[]): Promise<readonly AuditLine[]> {
  const ids = new Set(
    rows.flatMap(({ targetId }) => (targetId !== null && isUuid(targetId) ? targetId : [])),
  );
  const names = await namesOf(database, [...ids]);
  return rows.map((row) => {
    const name = names.get(row.targetId ?? "");
    return { ...row, targetName: name?.name ?? null, ...(name?.gone === true && { targetIsGone: true }) };
  });
}

/** @param order includes the limit */
export async function readEvents(
  database: Database,
  conditions: readonly Condition[],
  order: Condition,
): Promise<readonly AuditLine[]> {
  const rows = await queryRows(
    database,
    sql<EventRow>`
    SELECT e.id::text, l.seq::float8 AS seq, e.at, e.actor_kind AS "actorKind", e.actor_id AS "actorId", e.actor_name AS "actorName", e.action,
      e.target_kind AS "targetKind", e.target_id AS "targetId", e.outcome, e.request_id AS "requestId", e.address, e.before, e.after
    FROM audit_event e LEFT JOIN audit_leaf l ON l.event_id = e.id
    WHERE ${sql.join([sql`true`, ...conditions], sql` AND `)}
    ${order}`,
  );
  return named(database, rows);
}
