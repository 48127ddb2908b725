// One timeline from all records of a return, host, drive or tenant, merged by time, in pages.
import { sql } from "kysely";
import { z } from "zod";
import type { proof, TimelineEntry } from "@/server/contract/assurance/proof";
import type { Database } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { timelineWords } from "@/server/domain/assurance/proof/timeline-words";
import type { TimelineKind } from "@/server/domain/assurance/proof/timeline";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { instantPart, pagesOf } from "@/server/usecases/cursor";
import { findReturn } from "@/server/usecases/assurance/proof/get-return";
import {
  entry,
  ofDrive,
  ofHost,
  ofInstance,
  ofReturn,
  ofTenant,
} from "@/server/usecases/assurance/proof/timeline-sources";
import type { Source } from "@/server/usecases/assurance/proof/timeline-sources";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import type { Scope } from "@/server/usecases/read";

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly what: string;
  readonly detail: string | null;
  readonly who: string | null;
  readonly host: string | null;
}

type TimelineRequest = z.output<typeof proof.timeline.input>;

/** After this long a certificate has been signed. */
const signingMs = 10 * 60_000;

async function sourcesOfReturn(
  database: Database,
  scope: Scope,
  id: string,
): Promise<readonly Source[] | null> {
  const found = await findReturn(database, scope, id);
  if (found === null) return null;
  const { instance, host, at, endedAt, file } = found.line;
  if (scope.kind === "tenant") return instance === null ? [] : ofInstance(instance.id);
  const [released] = await queryRows(
    database,
    sql<{
      at: Date | null;
    }>`SELECT i.release_requested_at AS at FROM instance i WHERE i.id = ${instance?.id ?? null}::uuid`,
  );
  const from = released?.at ?? at;
  const last = file?.signedAt ?? (endedAt === null ? null : new Date(endedAt.getTime() + signingMs));
  return ofReturn(host.id, { from: from < at ? from : at, until: last });
}

/** Null: there is no such thing, or the reader must not learn whether there is. */
async function sourcesOf(
  database: Database,
  scope: Scope,
  { of, id }: TimelineRequest,
): Promise<readonly Source[] | null> {
  if (of === "return") return sourcesOfReturn(database, scope, id);
  if (of === "tenant") {
    // safety: proof: a tenant's own timeline only
    if (scope.kind === "tenant" && scope.tenantId !== id) return null;
    const known = await database.tenant.findUnique({ where: { id }, select: { id: true } });
    return known === null ? null : ofTenant(id);
  }
  // safety: proof: hosts and drives are the provider's
  if (scope.kind === "tenant") return null;
  if (of === "host") {
    const [known] = await queryRows(
      database,
      sql<{
        id: string;
      }>`SELECT h.id::text FROM host h WHERE h.id = ${id}::uuid UNION ALL SELECT g.host_id::text FROM gone_host g WHERE g.host_id = ${id}::uuid LIMIT 1`,
    );
    return known === undefined ? null : ofHost(id);
  }
  const drive = await database.drive.findUnique({
    where: { id },
    select: { id: true, serial: true, model: true },
  });
  return drive === null ? null : ofDrive(drive);
}

/** Time and id of an entry; an id is text, because entries come from several tables. */
const key = z.tuple([instantPart, z.string()]);
type Key = z.output<typeof key>;
const pages = pagesOf<Key>("timeline", key);

function readEntries(
  database: Database,
  sources: readonly Source[],
  place: Key | null,
  limit: number,
): Promise<readonly Row[]> {
  const after =
    place === null
      ? sql`true`
      : sql`(t.at, t.id COLLATE "C") < (${place[0]}::timestamptz, ${place[1]}::text COLLATE "C")`;
  const order = sql`ORDER BY t.at DESC, t.id COLLATE "C" DESC LIMIT ${limit}`;
  // Each source gives one page at most, so a busy one does not make the others wait.
  const parts = sources.map((source) => sql`(SELECT * FROM (${source}) ${entry} WHERE ${after} ${order})`);
  return queryRows(database, sql<Row>`SELECT t.* FROM (${sql.join(parts, sql` UNION ALL `)}) t ${order}`);
}

export async function readTimeline(
  { database }: Backend,
  actor: Actor,
  asked: TimelineRequest,
): Promise<Outcome<{ readonly rows: readonly TimelineEntry[]; readonly nextCursor: string | null }>> {
  const scope = scopeOf(actor, "certificate.read");
  if (!scope.ok) return scope;
  const start = pages.start(asked.cursor);
  if (!start.ok) return start;
  const sources = await sourcesOf(database, scope.value, asked);
  if (sources === null) return notFound(asked.of, asked.id);
  const rows = sources.length === 0 ? [] : await readEntries(database, sources, start.value, asked.limit + 1);
  const { page, nextCursor } = pages.page(rows, asked.limit, (row) => [row.at, row.id]);
  const isTenant = scope.value.kind === "tenant";
  return done({
    nextCursor,
    rows: page.map(({ id, at, kind, what, detail, who, host }) => ({
      ...{ id, at, kind },
      words: timelineWords(kind, what, detail),
      who: isTenant ? null : who,
      host: isTenant || asked.of === "host" || asked.of === "return" ? null : host,
    })),
  });
}
