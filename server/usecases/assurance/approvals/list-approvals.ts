// Pending requests for a decision, oldest first, and those that were decided.
import { sql } from "kysely";
import type { ApprovalLine, ApprovalPage } from "@/server/contract/assurance/approvals";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { decidingRight, samePersonReason } from "@/server/domain/assurance/approvals/approval";
import type { ApprovalKind } from "@/server/domain/assurance/approvals/approval";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { beyond, pagesByTime } from "@/server/usecases/cursor";
import type { Place } from "@/server/usecases/cursor";
import { overLimit } from "@/server/usecases/hosts/list/host-filter-sql";
import { expiredText } from "@/server/usecases/assurance/policy-changes/outdated";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

interface Query {
  readonly kind: ApprovalKind | null;
  readonly all: boolean;
  readonly decided: boolean;
  readonly hostId: string | null;
  readonly overLimit?: true | undefined;
  readonly cursor: string | null;
  readonly limit: number;
}

type Row = Omit<ApprovalLine, "host" | "own" | "mayDecide"> & {
  readonly hostId: string | null;
  readonly hostName: string | null;
  readonly askedById: string;
  readonly askerResetBy: readonly string[];
};

const pagesDecided = pagesByTime("approvals decided");
const pagesWaiting = pagesByTime("approvals");

const rowsOf = ({ kind, all, decided, hostId, overLimit: late, limit }: Query, place: Place | null) => {
  const order = decided ? sql`DESC` : sql`ASC`;
  return sql<Row>`
  SELECT a.id::text, a.kind, a.asker_reset_by::text[] AS "askerResetBy", a.subject_id::text AS "subjectId",
    coalesce(p.procedure || ', version ' || p.version, 'drive ' || x.key || ': ' || x.kind || coalesce(' in slot ' || x.slot, ''),
      'parts: ' || d.words, e.gate || coalesce(', drive ' || e.drive_serial, ''), c.action || ', changes: ' || jsonb_array_length(c.changes), f.words, k.words, a.kind) AS subject,
    a.host_id::text AS "hostId", coalesce(h.name, p.host_name) AS "hostName", s.name AS site, a.evidence,
    a.asked_by_name AS "askedBy", a.asked_by::text AS "askedById", a.asked_at AS "askedAt", a.reason, a.valid_until AS "validUntil",
    a.decision, a.decided_by_name AS "decidedBy", a.decided_at AS "decidedAt", a.decided_reason AS "decidedReason", a.decided_with AS "decidedWith",
    coalesce(a.voided_reason, CASE WHEN a.decision IS NULL AND a.valid_until <= now() THEN ${expiredText} END) AS voided
  FROM approval a LEFT JOIN procedure_record p ON p.approval_id = a.id LEFT JOIN drive_disposition x ON x.approval_id = a.id LEFT JOIN part_disposition d ON d.approval_id = a.id LEFT JOIN gate_exception e ON e.approval_id = a.id LEFT JOIN policy_change c ON c.approval_id = a.id LEFT JOIN firmware_rollout f ON f.approval_id = a.id LEFT JOIN attestation_bundle k ON k.approval_id = a.id LEFT JOIN host h ON h.id = a.host_id LEFT JOIN site s ON s.id = a.site_id
  WHERE (${all || decided} OR a.decision IS NULL AND a.voided_at IS NULL)
    AND (NOT ${decided} OR a.decision IS NOT NULL OR a.voided_at IS NOT NULL)
    AND (${kind}::text IS NULL OR a.kind = ${kind})
    AND (${hostId}::uuid IS NULL OR a.host_id = ${hostId}::uuid)
    AND ${late ? sql`EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = a.host_id AND ${overLimit})` : sql`true`}
    AND ${beyond(sql`(a.asked_at, a.id)`, decided ? "<" : ">", place)}
  ORDER BY a.asked_at ${order}, a.id ${order} LIMIT ${limit + 1}`;
};

/** Provider's people only. */
export async function listApprovals(
  { database }: Backend,
  actor: Actor,
  query: Query,
): Promise<Outcome<ApprovalPage>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const pages = query.decided ? pagesDecided : pagesWaiting;
  const start = pages.start(query.cursor);
  if (!start.ok) return start;
  const rows = await queryRows(database, rowsOf(query, start.value));
  const { page, nextCursor } = pages.page(rows, query.limit, ({ askedAt, id }) => [askedAt, id]);
  const deciderResetBy = await resettersOf(database, actor.personId);
  return done({
    items: page.map(({ hostId, hostName, askedById, askerResetBy, ...row }) => {
      const people = { askedBy: askedById, decidedBy: actor.personId, askerResetBy, deciderResetBy };
      const own = askedById === actor.personId;
      return {
        ...row,
        host: hostId === null ? null : { id: hostId, name: hostName ?? hostId },
        own,
        mayDecide:
          samePersonReason(people) === null &&
          row.decision === null &&
          row.voided === null &&
          reachOf(actor.role, decidingRight[row.kind]) === "any",
      };
    }),
    nextCursor,
  });
}
