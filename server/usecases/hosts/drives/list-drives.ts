// Searches drives by part of their serial number, model or firmware, and finds those that a serial number refers to.
import { sql } from "kysely";
import { z } from "zod";
import { queryRows } from "@/server/db/sql";
import type { DriveList, DriveMatch } from "@/server/contract/hosts/drives-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { pagesOf } from "@/server/usecases/cursor";
import { findsDrives, readDriveRows } from "@/server/usecases/hosts/drives/drive-rows";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { isUuid } from "@/server/domain/uuid";

/** Serial number and model. */
const pages = pagesOf<[string, string]>("drives", z.tuple([z.string(), z.string()]));

/** More than there are models with the same serial number. */
const mostAlike = 20;

export async function listDrives(
  { database }: Backend,
  actor: Actor,
  query: { readonly text: string; readonly cursor: string | null; readonly limit: number },
): Promise<Outcome<DriveList>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const { text, cursor, limit } = query;
  const start = pages.start(cursor);
  if (!start.ok) return start;
  const after = start.value;
  const where = findsDrives(text);
  const beyond = after === null ? where : sql`${where} AND (d.serial, d.model) > (${after[0]}, ${after[1]})`;
  const [rows, [counted]] = await Promise.all([
    readDriveRows(database, beyond, { order: sql`d.serial, d.model`, limit: limit + 1 }),
    after === null
      ? queryRows(database, sql<{ total: number }>`SELECT count(*)::int AS total FROM drive d WHERE ${where}`)
      : [],
  ]);
  const { page, nextCursor } = pages.page(rows, limit, ({ serial, model }) => [serial, model]);
  return done({ rows: page, total: counted?.total ?? null, nextCursor });
}

/** By id, or by full serial number, of any model or a given one. An exact match is preferred, else case is ignored. */
export async function findDrives(
  { database }: Backend,
  actor: Actor,
  { text, model }: { readonly text: string; readonly model?: string | undefined },
): Promise<Outcome<readonly DriveMatch[]>> {
  const scope = scopeOf(actor, "host.list");
  if (!scope.ok) return scope;
  const rows = await queryRows(
    database,
    sql<DriveMatch>`
    SELECT d.id::text, d.serial, d.model FROM drive d
    WHERE (lower(d.serial) = lower(${text}) OR d.id = ${isUuid(text) ? text : null}::uuid)
      AND (${model ?? null}::text IS NULL OR d.model = ${model ?? null})
    ORDER BY (d.serial = ${text}) DESC, d.serial, d.model LIMIT ${mostAlike}`,
  );
  const exact = rows.filter(({ serial }) => serial === text);
  return done(exact.length === 0 ? rows : exact);
}
