// Approved things that will expire: exceptions, and records of procedures that later reclamations may reuse. The soonest first.
import { sql } from "kysely";
import type { EndingLine, EndingPage } from "@/server/contract/assurance/approvals";
import { queryRows } from "@/server/db/sql";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

interface Query {
  readonly cursor: string | null;
  readonly limit: number;
}

type Row = Omit<EndingLine, "host"> & { readonly hostId: string; readonly hostName: string };

const pages = pagesByTime("approvals ending");

/** Exceptions `x` that a host `r` currently relies on, with their approval `a`. */
export const reliedException = sql`gate_exception x JOIN approval a ON a.id = x.approval_id JOIN host_run r ON r.host_id = x.host_id AND r.reclamation_id = x.reclamation_id`;

/**
 * Only exceptions that a host currently relies on: if one of an earlier reclamation expires, nothing happens. Of the records of one version of a
 * procedure on a host, only the last to expire: until then there is one.
 */
const rowsOf = ({ limit }: Query, place: Place | null) => sql<Row>`
  SELECT e.id::text, e.kind, e.subject, h.id::text AS "hostId", h.name AS "hostName", s.name AS site, e.ends AS "endsAt"
  FROM (
    SELECT x.id, 'exception' AS kind, x.gate || coalesce(', drive ' || x.drive_serial, '') AS subject, x.host_id, a.valid_until AS ends
    FROM ${reliedException}
    WHERE a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > now()
    UNION ALL
    (SELECT DISTINCT ON (d.host_id, d.procedure, d.version) d.id, 'procedure', d.procedure || ', version ' || d.version, d.host_id, d.reusable_until
    FROM procedure_record d JOIN approval a ON a.id = d.approval_id
    WHERE a.decision = 'approved' AND a.voided_at IS NULL AND d.reusable_until > now()
    ORDER BY d.host_id, d.procedure, d.version, d.reusable_until DESC, d.id)
  ) e JOIN host h ON h.id = e.host_id JOIN site s ON s.id = h.site_id
  WHERE ${beyond(sql`(e.ends, e.id)`, ">", place)}
  ORDER BY e.ends, e.id LIMIT ${limit + 1}`;

/** Provider's people only. */
export async function listEnding(
  { database }: Backend,
  actor: Actor,
  query: Query,
): Promise<Outcome<EndingPage>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const rows = await queryRows(database, rowsOf(query, start.value));
  const { page, nextCursor } = pages.page(rows, query.limit, ({ endsAt, id }) => [endsAt, id]);
  return done({
    items: page.map(({ hostId, hostName, ...row }) => ({ ...row, host: { id: hostId, name: hostName } })),
    nextCursor,
  });
}
