// Drives as shown in a list: where each is, its newest result, and what a person stated about it.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import type { DriveHost, DriveRow, DriveStay } from "@/server/contract/hosts/drives-answers";
import { dispositionKinds, dispositionTable } from "@/server/domain/cleaning/sanitization/disposition-kinds";

/** Each typed word must occur in the serial number, model or firmware. */
export function findsDrives(text: string): RawBuilder<unknown> {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return words.length === 0
    ? sql`true`
    : sql.join(
        words.map((word) => sql`d.search LIKE ${containing(word)}`),
        sql` AND `,
      );
}

/** Name of a host by id: of a known host, or of the newest record if it is gone. */
export const hostName = (hostId: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
  (SELECT h.name FROM host h WHERE h.id = ${hostId}),
  (SELECT g.name FROM gone_host g WHERE g.host_id = ${hostId} ORDER BY g.gone_at DESC, g.name LIMIT 1))`;

export const isGone = (hostId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`NOT EXISTS (SELECT FROM host h WHERE h.id = ${hostId})`;

export interface StayColumns {
  readonly hostId: string;
  readonly hostName: string | null;
  readonly gone: boolean;
  readonly slot: string | null;
  readonly from: Date;
  readonly until: Date | null;
  readonly readAt: Date | null;
  readonly lackedAt: Date | null;
}

/** Each stay `s`, with the times `i` of its host's newest inventories that list the drive and that do not. */
export const stays = sql`drive_stay s CROSS JOIN LATERAL (
  SELECT max(v.collected_at) FILTER (WHERE v.listed) AS listed, max(v.collected_at) FILTER (WHERE NOT v.listed) AS lacked
  FROM (SELECT i.collected_at, i.body -> 'storage' @> jsonb_build_array(jsonb_build_object('serial', k.serial, 'model', k.model)) AS listed
    FROM host_inventory i, drive k WHERE s.until_at IS NULL AND i.host_id = s.host_id AND k.id = s.drive_id) v) i`;

/** Columns of `stays`. */
export const stayColumns = sql`
  s.host_id::text AS "hostId", ${hostName(sql`s.host_id`)} AS "hostName", ${isGone(sql`s.host_id`)} AS gone, s.slot,
  s.from_at AS "from", s.until_at AS "until",
  i.listed AS "readAt", CASE WHEN i.lacked > i.listed THEN i.lacked END AS "lackedAt"`;

/**
 * Firmware of a drive `d`. Its record has the firmware from the inventory that changed last, which is not necessarily the newest reading if two hosts
 * list the drive.
 */
export const driveFirmware = sql<string | null>`coalesce(CASE
  WHEN (SELECT count(*) FROM drive_stay s WHERE s.drive_id = d.id AND s.until_at IS NULL) > 1
  THEN (SELECT v ->> 'firmware' FROM drive_stay s JOIN host_inventory i ON i.host_id = s.host_id
      CROSS JOIN LATERAL jsonb_path_query(i.body, '$.storage[*]') v
    WHERE s.drive_id = d.id AND s.until_at IS NULL AND v ->> 'serial' = d.serial AND v ->> 'model' = d.model
      AND v ->> 'firmware' <> ''
    ORDER BY i.collected_at DESC, i.source LIMIT 1) END, d.firmware)`;

export const driveHostOf = (row: {
  readonly hostId: string;
  readonly hostName: string | null;
  readonly gone: boolean;
}): DriveHost => ({ id: row.hostId, name: row.hostName, gone: row.gone });

export const toStay = ({ slot, from, until, readAt, lackedAt, ...host }: StayColumns): DriveStay => ({
  host: driveHostOf(host),
  slot,
  from,
  until,
  readAt,
  lackedAt,
});

const kindOf = (kind: string | null) => dispositionKinds.find((known) => known === kind);

/** A kind that this version does not know is shown as stored. Pure. */
export function formatDisposition(kind: string): string {
  const known = kindOf(kind);
  return known === undefined ? kind : dispositionTable[known].words;
}

type StayDates = "from" | "until" | "readAt" | "lackedAt";

interface Row {
  readonly id: string;
  readonly serial: string;
  readonly model: string;
  readonly firmware: string | null;
  readonly media: string | null;
  readonly capacityBytes: string | null;
  readonly hosts: number;
  readonly disposition: string | null;
  readonly stay: (Omit<StayColumns, StayDates> & Record<StayDates, string | null>) | null;
  readonly erase: {
    readonly at: string;
    readonly verdict: string;
    readonly technique: string | null;
    readonly level: string;
  } | null;
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** A drive that two hosts list is shown where it was last found. */
export async function readDriveRows(
  reader: SqlReader,
  where: RawBuilder<unknown>,
  { order, limit }: { readonly order: RawBuilder<unknown>; readonly limit: number },
): Promise<readonly DriveRow[]> {
  const rows = await queryRows(
    reader,
    sql<Row>`
    WITH d AS MATERIALIZED (SELECT d.* FROM drive d WHERE ${where} ORDER BY ${order} LIMIT ${limit})
    SELECT d.id::text, d.serial, d.model, ${driveFirmware} AS firmware, d.media, d.capacity_bytes AS "capacityBytes",
      (SELECT count(DISTINCT s.host_id)::int FROM drive_stay s WHERE s.drive_id = d.id) AS hosts,
      (SELECT to_jsonb(x) FROM (SELECT ${stayColumns} FROM ${stays} WHERE s.drive_id = d.id
        ORDER BY s.until_at DESC NULLS FIRST, s.from_at DESC, s.id DESC LIMIT 1) x) AS stay,
      (SELECT to_jsonb(x) FROM (SELECT r.at, r.verdict, r.technique, r.level FROM device_result r
        WHERE r.serial = d.serial AND r.model = d.model ORDER BY r.id DESC LIMIT 1) x) AS erase,
      (SELECT p.kind FROM drive_disposition p WHERE p.key = d.serial AND p.model IN ('', d.model) AND p.withdrawn_at IS NULL
        ORDER BY p.at DESC, p.id DESC LIMIT 1) AS disposition
    FROM d ORDER BY ${order}`,
  );
  return rows.map(({ stay, erase, disposition, ...row }) => ({
    ...row,
    stay:
      stay === null
        ? null
        : toStay({
            ...stay,
            from: new Date(stay.from ?? 0),
            until: dateOf(stay.until),
            readAt: dateOf(stay.readAt),
            lackedAt: dateOf(stay.lackedAt),
          }),
    erase: erase === null ? null : { ...erase, at: new Date(erase.at) },
    disposition: disposition === null ? null : formatDisposition(disposition),
  }));
}
