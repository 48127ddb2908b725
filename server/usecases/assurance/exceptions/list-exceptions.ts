// Exceptions and requests for them, newest first.
import { sql } from "kysely";
import type { ExceptionLine, ExceptionPage } from "@/server/contract/assurance/exceptions";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { decidingRight, samePersonReason } from "@/server/domain/assurance/approvals/approval";
import { exceptionStanding } from "@/server/domain/reclamations/gates/exception-standing";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

interface Query {
  readonly hostId: string | null;
  readonly all: boolean;
  /** Defaults to false. */
  readonly over?: boolean;
  readonly cursor: string | null;
  readonly limit: number;
}

type Row = Omit<ExceptionLine, "host" | "standing" | "own" | "mayDecide" | "mayWithdraw"> & {
  readonly hostId: string;
  readonly hostName: string;
  readonly decision: string | null;
  readonly askedById: string;
  readonly askerResetBy: readonly string[];
  readonly now: Date;
};

const pages = pagesByTime("exceptions");

/**
 * For an exception `x` with its approval `a`: the end of the first later reclamation that made the host Ready without relying on another exception for the
 * same gate or drive. Null if there is none, or if the exception was not approved.
 */
export const supersededAt = sql<Date | null>`(
  SELECT min(n.ended_at) FROM reclamation n WHERE n.host_id = x.host_id AND n.outcome = 'ready' AND n.started_at > a.decided_at AND a.decision = 'approved'
    AND NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = n.id AND g.gate = x.gate AND g.status = 'excepted'
      AND (x.drive_serial IS NULL OR g.evidence -> 'exceptions' @> jsonb_build_array(jsonb_build_object('serial', x.drive_serial, 'model', x.drive_model)))))`;

const rowsOf = ({ hostId, all, over = false, limit }: Query, place: Place | null) => sql<Row>`
  SELECT x.id::text, x.host_id::text AS "hostId", coalesce(h.name, x.host_name) AS "hostName", s.name AS site, x.reclamation_id::text AS "reclamationId",
    x.gate, x.drive_serial AS drive, a.reason, x.measure, x.risk, x.found ->> 'reason' AS found, a.valid_until AS "validUntil",
    a.asked_by_name AS "askedBy", a.asked_by::text AS "askedById", a.asker_reset_by::text[] AS "askerResetBy", a.asked_at AS "askedAt", a.decision, a.decided_by_name AS "decidedBy", a.decided_at AS "decidedAt",
    a.decided_reason AS "decidedReason", a.decided_with AS "decidedWith", a.voided_reason AS voided, p.at AS "supersededAt", a.id::text AS "approvalId", a.evidence, now() AS now
  FROM gate_exception x JOIN approval a ON a.id = x.approval_id LEFT JOIN host h ON h.id = x.host_id LEFT JOIN site s ON s.id = x.site_id
    CROSS JOIN LATERAL (SELECT ${supersededAt} AS at) p
  WHERE (${all || over} OR a.voided_at IS NULL AND a.valid_until > now() AND a.decision IS DISTINCT FROM 'rejected' AND p.at IS NULL)
    AND (NOT ${over} OR a.voided_at IS NOT NULL OR a.valid_until <= now() OR a.decision = 'rejected' OR p.at IS NOT NULL)
    AND (${hostId}::uuid IS NULL OR x.host_id = ${hostId}::uuid)
    AND ${beyond(sql`(a.asked_at, a.id)`, "<", place)}
  ORDER BY a.asked_at DESC, a.id DESC LIMIT ${limit + 1}`;

function lineOf(stored: Row, actor: Actor, deciderResetBy: readonly string[]): ExceptionLine {
  const { hostId, hostName, decision, askedById, askerResetBy, now, ...row } = stored;
  const standing = exceptionStanding(
    {
      ...{ decision, voidedReason: row.voided, validUntilMs: row.validUntil.getTime() },
      supersededMs: row.supersededAt?.getTime() ?? null,
    },
    now.getTime(),
  );
  const people = { askedBy: askedById, decidedBy: actor.personId, askerResetBy, deciderResetBy };
  return {
    ...row,
    host: { id: hostId, name: hostName },
    standing,
    own: askedById === actor.personId,
    mayDecide:
      samePersonReason(people) === null &&
      standing === "waits" &&
      reachOf(actor.role, decidingRight.exception) === "any",
    mayWithdraw:
      (standing === "waits" || standing === "approved") &&
      reachOf(actor.role, "assurance.askException") === "any",
  };
}

/** Provider's people only. */
export async function listExceptions(
  { database }: Backend,
  actor: Actor,
  query: Query,
): Promise<Outcome<ExceptionPage>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const rows = await queryRows(database, rowsOf(query, start.value));
  const { page, nextCursor } = pages.page(rows, query.limit, ({ askedAt, approvalId }) => [
    askedAt,
    approvalId,
  ]);
  const deciderResetBy = await resettersOf(database, actor.personId);
  return done({
    items: page.map((row) => lineOf(row, actor, deciderResetBy)),
    nextCursor,
  });
}
