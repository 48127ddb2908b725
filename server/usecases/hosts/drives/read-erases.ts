// What was done to a drive: each result with the table of techniques that judged it, and what was sent, refused and passed over.
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import type { Database } from "@/server/db/prisma";
import type { DriveErase } from "@/server/contract/hosts/drives-answers";
import { deviceResult } from "@/server/domain/cleaning/sanitization/device-result";
import { knownMembers } from "@/server/domain/stored";
import { driveHostOf, hostName, isGone } from "@/server/usecases/hosts/drives/drive-rows";
import { tryLines, formatVerification } from "@/server/usecases/reclamations/device-tries";

/** Only the newest are read. */
const most = 100;

const storedResult = knownMembers(deviceResult);

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly hostId: string;
  readonly hostName: string | null;
  readonly gone: boolean;
  readonly reclamationId: string;
  readonly number: string;
  readonly step: string | null;
  readonly attempt: number;
  readonly verdict: string;
  readonly reason: string;
  readonly technique: string | null;
  readonly standard: string;
  readonly level: string;
  readonly techniqueTable: number;
  readonly report: unknown;
}

/** If this version cannot read a report, no tries are shown; the verdict remains. */
function toErase({
  report,
  reclamationId,
  number,
  step,
  hostId,
  hostName: name,
  gone,
  ...row
}: Row): DriveErase {
  const device = storedResult.safeParse(report).data;
  return {
    ...row,
    host: driveHostOf({ hostId, hostName: name, gone }),
    reclamation: { id: reclamationId, number: `R-${number}` },
    step: step ?? "",
    verification: formatVerification(device?.verification, device?.probe),
    firmware: device?.firmware ?? null,
    readable: device !== undefined,
    tries: device === undefined ? [] : tryLines(row.attempt, device),
    passedOver: device?.passedOver ?? [],
  };
}

/** Newest first. */
export async function readErases(
  database: Database,
  { serial, model }: { readonly serial: string; readonly model: string },
): Promise<readonly DriveErase[]> {
  const rows = await queryRows(
    database,
    sql<Row>`
    SELECT r.id::text, r.at, r.host_id::text AS "hostId", ${hostName(sql`r.host_id`)} AS "hostName", ${isGone(sql`r.host_id`)} AS gone,
      r.reclamation_id::text AS "reclamationId", c.number::text, t.interface || '.' || t.step AS step, r.attempt, r.verdict, r.reason,
      r.technique, r.standard, r.level, r.technique_table AS "techniqueTable", r.report
    FROM device_result r JOIN reclamation c ON c.id = r.reclamation_id LEFT JOIN step_run t ON t.id = r.step_run_id
    WHERE r.serial = ${serial} AND r.model = ${model} ORDER BY r.id DESC LIMIT ${most}`,
  );
  return rows.map(toErase);
}
