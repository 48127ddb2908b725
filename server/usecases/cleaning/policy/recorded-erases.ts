// Recorded drives and erases, grouped by what matters to a policy. Hosts of a fleet are similar, so there are few groups.
import { sql } from "kysely";
import { z } from "zod";
import { mediaKinds, transports } from "@/server/domain/hosts/inventory/inventory";
import type { KnownDrives, RecordedResults } from "@/server/domain/cleaning/policy/erase-effect";
import { techniques } from "@/server/domain/cleaning/sanitization/techniques";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { recordedHosts } from "@/server/usecases/cleaning/policy/recorded-hosts";

/** Maximum number of results, newest first; a site of 10,000 hosts with 8 drives has this many in 90 days. */
export const maxResults = 200_000;

/** Null if this version does not know the word. */
const wordOf =
  <const Text extends readonly string[]>(words: Text) =>
  (word: unknown): Text[number] | null =>
    words.find((one) => one === word) ?? null;
const mediaOf = wordOf(mediaKinds);
const transportOf = wordOf(transports);
const anyList = z.array(z.unknown()).catch([]);
/** The words that are techniques; drops those that this version does not know. */
const known = (...words: readonly unknown[]) => {
  const list = words.flatMap((one) => anyList.parse(one));
  return techniques.filter((one) => list.includes(one));
};

/**
 * What a result says about techniques: those that the drive completed, those that were sent and not completed, and those that its identification
 * excludes, which the agent writes into the message as `technique: not …`. One expression each, because they run for every result.
 */
const evidence = sql`
  jsonb_path_query_array(d.report, '$.tries[*] ? (@.completed == true && @.exitCode == 0).technique') AS completed,
  jsonb_path_query_array(d.report, '$.tries[*] ? (@.completed == false).technique') AS failed,
  CASE WHEN position(': not ' IN d.report ->> 'message') > 0
    THEN translate(d.report ->> 'message', '0123456789', '') END AS excluded`;

/** The techniques that such a message excludes. Digits were removed from it, which no technique name has, so that messages of similar drives form one group. */
const excludedBy = (message: string | null): readonly string[] =>
  [...(message ?? "").matchAll(/([a-z-]+): not /g)].map(([, technique = ""]) => technique);

const bound = sql`(SELECT coalesce(max(id), 0) - ${maxResults} FROM device_result)`;

interface DriveRow {
  readonly model: string;
  readonly firmware: string | null;
  readonly media: string;
  readonly transport: string | null;
  /** Null if nothing is recorded. */
  readonly completed: unknown;
  readonly failed: unknown;
  readonly excluded: string | null;
  /** Null if the drive reported nothing. */
  readonly offers: unknown;
  readonly refuses: unknown;
  readonly drives: number;
}

/** What drives of a site's hosts reported, by serial number and model: `eraseCapabilities` in the agent's inventory. One row per drive. */
const reportedBy = (siteId: string) => sql`
  SELECT DISTINCT ON (s.serial, g ->> 'model') s.serial, g ->> 'model' AS model, g -> 'offers' AS offers, g -> 'refuses' AS refuses
  FROM host h JOIN host_inventory i ON i.host_id = h.id AND i.source = 'agent',
    jsonb_path_query(i.body, '$.capabilities[*]') g, jsonb_array_elements_text(g -> 'serials') s(serial)
  WHERE h.site_id = ${siteId}::uuid ORDER BY s.serial, g ->> 'model', i.collected_at DESC, i.host_id`;

const reportedOf = ({ offers, refuses }: { readonly offers: unknown; readonly refuses: unknown }) =>
  offers === null ? null : { offers: known(offers), refuses: known(refuses) };

/** Every drive in an inventory of the site's hosts, with its newest result at any host. */
export async function readKnownDrives(reader: SqlReader, siteId: string): Promise<readonly KnownDrives[]> {
  const rows = await queryRows(
    reader,
    sql<DriveRow>`
    WITH listed AS (
      SELECT DISTINCT ON (v ->> 'serial', v ->> 'model') v ->> 'serial' AS serial, v ->> 'model' AS model,
        v ->> 'firmware' AS firmware, v ->> 'media' AS media, v ->> 'transport' AS transport
      FROM host h JOIN host_inventory i ON i.host_id = h.id, jsonb_array_elements(i.body -> 'storage') v
      WHERE h.site_id = ${siteId}::uuid AND jsonb_typeof(i.body -> 'storage') = 'array' AND v ->> 'transport' <> 'virtual'
      ORDER BY v ->> 'serial', v ->> 'model', i.source
    ), newest AS (
      SELECT max(d.id) AS id, d.serial, d.model FROM device_result d WHERE d.id > ${bound} GROUP BY d.serial, d.model
    ), told AS (
      SELECT n.serial, n.model, ${evidence} FROM newest n JOIN device_result d ON d.id = n.id
    ), reported AS (${reportedBy(siteId)})
    SELECT l.model, l.firmware, l.media, l.transport, t.completed, t.failed, t.excluded, r.offers, r.refuses, count(*)::int AS drives
    FROM listed l LEFT JOIN told t ON t.serial = l.serial AND t.model = l.model
      LEFT JOIN reported r ON r.serial = l.serial AND r.model = l.model
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  );
  return rows.flatMap(
    ({ model, firmware, media, transport, completed, failed, excluded, drives, ...report }) => {
      const medium = mediaOf(media);
      return medium === null
        ? []
        : [
            {
              model,
              firmware,
              media: medium,
              transport: transportOf(transport),
              evidence:
                completed === null
                  ? null
                  : { completed: known(completed), refused: known(failed, excludedBy(excluded)) },
              reported: reportedOf(report),
              count: drives,
            },
          ];
    },
  );
}

interface ResultRow {
  readonly model: string;
  readonly media: string;
  readonly transport: string | null;
  readonly completed: unknown;
  readonly failed: unknown;
  readonly excluded: string | null;
  readonly verdict: string;
  readonly verified: boolean;
  readonly offers: unknown;
  readonly refuses: unknown;
  readonly reclamations: readonly string[];
}

/** The last result of each drive in the newest plan of each reclamation of the site that started since then and has ended or stopped. */
export async function readRecordedResults(
  reader: SqlReader,
  siteId: string,
  since: Date,
): Promise<readonly RecordedResults[]> {
  const rows = await queryRows(
    reader,
    sql<ResultRow>`
    WITH newest AS (
      SELECT max(d.id) AS id FROM device_result d
        JOIN reclamation c ON c.id = d.reclamation_id AND c.plan_epoch = d.plan_epoch
        JOIN ${recordedHosts(siteId)} h ON h.id = c.host_id
      WHERE d.id > ${bound} AND c.started_at >= ${since}
        AND c.kind <> 'manualCleaning' AND (c.ended_at IS NOT NULL OR c.stopped_at IS NOT NULL)
      GROUP BY d.reclamation_id, d.serial, d.model
    ), told AS (
      SELECT d.reclamation_id, d.serial, d.model, d.media, d.report ->> 'transport' AS transport, d.verdict,
        coalesce(d.report #>> '{verification,result}' = 'passed', false) AS verified, ${evidence}
      FROM newest n JOIN device_result d ON d.id = n.id
    ), reported AS (${reportedBy(siteId)})
    SELECT t.model, t.media, t.transport, t.completed, t.failed, t.excluded, t.verdict, t.verified, r.offers, r.refuses,
      array_agg(DISTINCT t.reclamation_id::text) AS reclamations
    FROM told t LEFT JOIN reported r ON r.serial = t.serial AND r.model = t.model GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
  );
  return rows.flatMap((row): RecordedResults[] => {
    const media = mediaOf(row.media);
    return media === null
      ? []
      : [
          {
            model: row.model,
            media,
            transport: transportOf(row.transport),
            evidence: {
              completed: known(row.completed),
              refused: known(row.failed, excludedBy(row.excluded)),
            },
            reported: reportedOf(row),
            // Any verdict other than sanitized counts as failed.
            verdict: row.verdict === "sanitized" ? "sanitized" : "failed",
            verified: row.verified,
            reclamations: row.reclamations,
          },
        ];
  });
}
