// What put a brake on: its failures, and on how many hosts of the site is what the failed ones have.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { Having, Property } from "@/server/domain/cleaning/queue/distinctions";

export interface FailureRow {
  readonly reclamation_id: string;
  readonly number: bigint;
  readonly host_id: string;
  readonly name: string | null;
  /** Null: its history was removed. */
  readonly state: string | null;
  readonly reason: string | null;
  readonly failed_at: Date | null;
  /** Null: the host has left. */
  readonly now: string | null;
}

/** The failures that put a brake on, also of hosts that were mended or have left, the newest first. */
export const readFailures = (reader: SqlReader, brakeId: string): Promise<readonly FailureRow[]> =>
  queryRows(
    reader,
    sql<FailureRow>`
    SELECT c.id::text AS reclamation_id, c.number, c.host_id::text, coalesce(r.name, g.name) AS name, f.state, f.reason, f.at AS failed_at, r.state AS now
    FROM brake b, unnest(b.failures) AS x(id) JOIN reclamation c ON c.id = x.id
    LEFT JOIN host_run r ON r.host_id = c.host_id
    LEFT JOIN LATERAL (SELECT o.name FROM gone_host o WHERE o.host_id = c.host_id ORDER BY o.id DESC LIMIT 1) g ON true
    LEFT JOIN LATERAL (SELECT s.state, s.reason, s.at FROM state_history s
      WHERE s.reclamation_id = c.id AND s.state LIKE 'Failed/%' AND s.at <= b.engaged_at ORDER BY s.at DESC, s.version DESC LIMIT 1) f ON true
    WHERE b.id = ${brakeId}::uuid ORDER BY f.at DESC NULLS LAST, c.id`,
  );

/** How many hosts the site has besides those that failed, and each value that a failed host has, with how many of both have it. */
export async function readHavings(
  reader: SqlReader,
  brakeId: string,
): Promise<{ readonly others: number; readonly found: readonly Having[] }> {
  const rows = await queryRows(
    reader,
    // Drives of a failed host are those of the reclamation that failed: they may have been replaced since. For the rest, what was read last counts.
    // Drives that only the BMC reaches are left out: the agents of other hosts, which are what these are compared with, list none or call them otherwise.
    sql<{ property: Property | null; value: string | null; failed: number; others: number; rest: number }>`
    WITH failed AS (
      SELECT DISTINCT ON (c.host_id) c.host_id AS id, c.devices FROM brake b, unnest(b.failures) AS x(id) JOIN reclamation c ON c.id = x.id
      WHERE b.id = ${brakeId}::uuid ORDER BY c.host_id, c.started_at DESC
    ), site AS (
      SELECT h.*, f.id IS NOT NULL AS failed, f.devices FROM brake b JOIN host h ON h.site_id = b.site_id LEFT JOIN failed f ON f.id = h.id WHERE b.id = ${brakeId}::uuid
    ), drive AS (
      SELECT s.id, s.failed, d ->> 'model' AS model, d ->> 'firmware' AS firmware FROM site s, jsonb_array_elements(coalesce(s.devices -> 'expected', '[]')) d WHERE s.failed AND NOT d ? 'outOfBand'
      UNION ALL
      SELECT s.id, s.failed, d ->> 'model', d ->> 'firmware' FROM site s JOIN host_inventory v ON v.host_id = s.id AND v.source = 'agent', jsonb_array_elements(coalesce(v.body -> 'storage', '[]')) d WHERE NOT s.failed
    ), own AS (
      SELECT id, failed, 'driveFirmware' AS property, concat_ws(' ', model, firmware) AS value FROM drive WHERE firmware IS NOT NULL
      UNION ALL SELECT id, failed, 'driveModel', model FROM drive
      UNION ALL SELECT s.id, s.failed, 'firmware', f.component || ' ' || f.version FROM site s JOIN host_inventory v ON v.host_id = s.id AND v.source = 'bmc',
        jsonb_to_recordset(coalesce(v.body -> 'firmware', '[]')) AS f(component text, version text)
      UNION ALL SELECT s.id, s.failed, 'image', coalesce(
        (SELECT i.version FROM boot_window w JOIN agent_image i ON i.id = w.image_id WHERE w.host_id = s.id ORDER BY w.boot_epoch DESC LIMIT 1),
        (SELECT a.agent_version FROM agent_session a WHERE a.host_id = s.id ORDER BY a.boot_epoch DESC LIMIT 1)) FROM site s
      UNION ALL SELECT id, failed, 'model', concat_ws(' ', manufacturer, model) FROM site
      UNION ALL SELECT s.id, s.failed, 'sku', k.name FROM site s JOIN sku k ON k.id = s.sku_id
      UNION ALL SELECT id, failed, 'rack', rack FROM site
      UNION ALL SELECT id, failed, 'segment', network_segment FROM site
      UNION ALL SELECT id, failed, 'powerDomain', power_domain FROM site
    ), counted AS (
      SELECT property, value, count(DISTINCT id) FILTER (WHERE failed)::int AS failed, count(DISTINCT id) FILTER (WHERE NOT failed)::int AS others
      FROM own WHERE value IS NOT NULL AND value <> '' GROUP BY property, value
    )
    SELECT n.property, n.value, coalesce(n.failed, 0) AS failed, coalesce(n.others, 0) AS others, r.rest
    FROM (SELECT count(*)::int AS rest FROM site WHERE NOT failed) r LEFT JOIN counted n ON n.failed > 0`,
  );
  return {
    others: rows[0]?.rest ?? 0,
    found: rows.flatMap(({ property, value, failed, others }) =>
      property === null || value === null ? [] : [{ property, value, failed, others }],
    ),
  };
}
