// Drive models: how their erases went, by firmware and technique (docs/adr/0088-remnant-probe.md).
import { sql } from "kysely";
import { z } from "zod";
import { containing } from "@/server/db/like";
import { queryRows } from "@/server/db/sql";
import type { DriveModelList, DriveModelRow } from "@/server/contract/hosts/drive-models";
import { percentileMs } from "@/server/domain/cleaning/sanitization/models/durations";
import { upperBound } from "@/server/domain/cleaning/sanitization/models/upper-bound";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { pagesOf } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

/** Model, firmware and technique. */
const pages = pagesOf<[string, string, string]>("driveModels", z.tuple([z.string(), z.string(), z.string()]));

interface Row {
  readonly model: string;
  readonly firmware: string;
  readonly technique: string;
  readonly media: string | null;
  readonly hosts: number;
  readonly runs: number;
  readonly completed: number;
  readonly stalls: number;
  readonly lies: number;
  readonly probed: number;
  readonly refuted: number;
  readonly canaries: number;
  readonly remnants: number;
  readonly durations: readonly number[];
  readonly longestMs: number;
  readonly lastAt: Date;
}

/** Pure. */
function toModel({ durations, longestMs, firmware, ...row }: Row): DriveModelRow {
  return {
    ...row,
    firmware: firmware === "" ? null : firmware,
    bound: upperBound(row.remnants, row.canaries),
    eraseBound: upperBound(row.refuted, row.probed),
    halfMs: percentileMs(durations, 0.5, longestMs),
    mostMs: percentileMs(durations, 0.95, longestMs),
    longestMs: durations.length === 0 ? null : longestMs,
  };
}

/** Each typed word must occur in the model, firmware or technique. */
export async function listDriveModels(
  { database }: Backend,
  actor: Actor,
  query: { readonly text: string; readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<DriveModelList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const { text, cursor, limit } = query;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const after = start.value;
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const where = sql.join(
    [
      sql`true`,
      ...words.map(
        (word) => sql`lower(e.model || ' ' || e.firmware || ' ' || e.technique) LIKE ${containing(word)}`,
      ),
      ...(after === null
        ? []
        : [sql`(e.model, e.firmware, e.technique) > (${after[0]}, ${after[1]}, ${after[2]})`]),
    ],
    sql` AND `,
  );
  const rows = await queryRows(
    database,
    sql<Row>`
    SELECT e.model, e.firmware, e.technique, e.media, e.runs, e.completed, e.stalls, e.lies, e.probed, e.refuted,
      e.canaries::float8 AS canaries, e.remnants::float8 AS remnants, e.durations, e.longest_ms::float8 AS "longestMs", e.last_at AS "lastAt",
      (SELECT count(*)::int FROM drive_model_host h WHERE h.model = e.model AND h.firmware = e.firmware AND h.technique = e.technique) AS hosts
    FROM drive_model_erase e WHERE ${where} ORDER BY e.model, e.firmware, e.technique LIMIT ${limit + 1}`,
  );
  const { page, nextCursor } = pages.page(rows, limit, (row) => [row.model, row.firmware, row.technique]);
  return done({ rows: page.map(toModel), nextCursor });
}
