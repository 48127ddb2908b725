// One drive: where it was, every erase with all tries, failures that this drive caused, and what people stated about it.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { DriveDetail } from "@/server/contract/hosts/drives-answers";
import { readCauses } from "@/server/domain/cleaning/failures/cause";
import { causeSentence } from "@/server/domain/cleaning/failures/text";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import {
  formatDisposition,
  driveFirmware,
  driveHostOf,
  hostName,
  isGone,
  stayColumns,
  stays,
  toStay,
} from "@/server/usecases/hosts/drives/drive-rows";
import type { StayColumns } from "@/server/usecases/hosts/drives/drive-rows";
import { readErases } from "@/server/usecases/hosts/drives/read-erases";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export interface DriveIdentity {
  readonly id: string;
  readonly serial: string;
  readonly model: string;
}

interface HostColumns {
  readonly hostId: string;
  readonly hostName: string | null;
  readonly gone: boolean;
}

/** Selects from the alias's `host_id`. */
const hostColumns = (alias: "s" | "p") => {
  const id = sql.ref(`${alias}.host_id`);
  return sql`${id}::text AS "hostId", ${hostName(id)} AS "hostName", ${isGone(id)} AS gone`;
};

const mostStays = 200;
const maxFailures = 50;

async function readStays(
  database: Database,
  { id }: DriveIdentity,
): Promise<Pick<DriveDetail, "stays" | "moreStays">> {
  const rows = await queryRows(
    database,
    sql<StayColumns>`SELECT ${stayColumns} FROM ${stays} WHERE s.drive_id = ${id}::uuid
    ORDER BY s.until_at DESC NULLS FIRST, s.from_at DESC, s.id DESC LIMIT ${mostStays + 1}`,
  );
  return { stays: rows.slice(0, mostStays).map(toStay), moreStays: rows.length > mostStays };
}

/** A cause that names this drive. A cause without a model matches any drive with the serial number. */
const ownCause = `$[*].device ? (@.kind == "drive" && @.serial == $serial && (!exists(@.model) || @.model == $model))`;

/** The causes that concern this drive, in words. A cause from a newer version is mentioned as well. */
function formatFailure(causes: unknown, { serial, model }: DriveIdentity): string {
  const own = (readCauses(causes) ?? []).filter(
    ({ device }) => device?.serial === serial && (device.model ?? model) === model,
  );
  return own.length === 0 ? "This version cannot read the cause." : own.map(causeSentence).join(" ");
}

async function readFailures(
  database: Database,
  drive: DriveIdentity,
): Promise<Pick<DriveDetail, "failures" | "moreFailures">> {
  const { serial, model } = drive;
  const rows = await queryRows(
    database,
    sql<HostColumns & { readonly at: Date; readonly state: string; readonly causes: unknown }>`
    SELECT ${hostColumns("s")}, s.at, s.state, s.causes FROM state_history s
    WHERE s.causes IS NOT NULL AND s.causes @> ${JSON.stringify([{ device: { kind: "drive", serial } }])}::jsonb
      AND jsonb_path_exists(s.causes, ${ownCause}::jsonpath, ${JSON.stringify({ serial, model })}::jsonb)
    ORDER BY s.at DESC, s.host_id, s.version DESC LIMIT ${maxFailures + 1}`,
  );
  const failures = rows.slice(0, maxFailures).map(({ at, state, causes, ...host }) => ({
    host: driveHostOf(host),
    at,
    state,
    words: formatFailure(causes, drive),
  }));
  return { failures, moreFailures: rows.length > maxFailures };
}

interface StatedRow extends HostColumns {
  readonly at: Date;
  readonly kind: string;
  readonly reason: string;
  readonly by: string;
  readonly slot: string | null;
  readonly withdrawnAt: Date | null;
  readonly withdrawnReason: string | null;
}

async function readDispositions(
  database: Database,
  { serial, model }: DriveIdentity,
): Promise<DriveDetail["dispositions"]> {
  const rows = await queryRows(
    database,
    sql<StatedRow>`
    SELECT ${hostColumns("p")}, p.at, p.kind, p.reason, p.by_name AS "by", p.slot,
      p.withdrawn_at AS "withdrawnAt", p.withdrawn_reason AS "withdrawnReason"
    FROM drive_disposition p WHERE p.key = ${serial} AND p.model IN ('', ${model}) ORDER BY p.at DESC, p.id`,
  );
  return rows.map(({ at, kind, reason, by, slot, withdrawnAt, withdrawnReason, ...host }) => ({
    host: driveHostOf(host),
    at,
    words: formatDisposition(kind),
    reason,
    by,
    slot,
    withdrawn: withdrawnAt === null ? null : { at: withdrawnAt, reason: withdrawnReason },
  }));
}

/** Debts name drives by serial number only. */
const readDebts = (database: Database, { serial }: DriveIdentity): Promise<DriveDetail["debts"]> =>
  queryRows(
    database,
    sql<DriveDetail["debts"][number]>`
    SELECT b.chassis_serial AS "chassisSerial", b.created_at AS since FROM debt b
    WHERE b.cleared_at IS NULL AND b.drive_serials @> ARRAY[${serial}::text] ORDER BY b.created_at, b.id`,
  );

export async function getDrive(
  { database }: Backend,
  actor: Actor,
  query: { readonly id: string },
): Promise<Outcome<DriveDetail>> {
  const scope = scopeOf(actor, "host.read");
  if (!scope.ok) return scope;
  const row = await database.drive.findUnique({ where: { id: query.id }, omit: { search: true } });
  if (row === null) return notFound("drive", query.id);
  const [[read], twins, stayed, erases, erasesTotal, failed, dispositions, debts] = await Promise.all([
    queryRows(
      database,
      sql<{
        firmware: string | null;
      }>`SELECT ${driveFirmware} AS firmware FROM drive d WHERE d.id = ${row.id}::uuid`,
    ),
    database.drive.findMany({
      where: { serial: row.serial, NOT: { id: row.id } },
      orderBy: { model: "asc" },
      select: { id: true, serial: true, model: true },
    }),
    readStays(database, row),
    readErases(database, row),
    database.deviceResult.count({ where: { serial: row.serial, model: row.model } }),
    readFailures(database, row),
    readDispositions(database, row),
    readDebts(database, row),
  ]);
  return done({ ...row, ...read, twins, ...stayed, erases, erasesTotal, ...failed, dispositions, debts });
}
