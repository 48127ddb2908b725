// Records of procedures as people read them, with the decision on each.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { z } from "zod";
import type { RecordLine } from "@/server/contract/assurance/procedures";
import { queryRows } from "@/server/db/sql";
import type { SqlReader } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { decidingRight, samePersonReason } from "@/server/domain/assurance/approvals/approval";
import { procedure } from "@/server/domain/assurance/procedures/procedure";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const answers = z.array(z.union([z.boolean(), z.string()]));
const files = z.array(
  z.object({ sha256: z.string(), name: z.string(), bytes: z.number(), shows: z.string() }),
);

type Row = Omit<RecordLine, "host" | "title" | "answers" | "files" | "own" | "mayDecide"> & {
  readonly hostId: string;
  readonly hostName: string;
  readonly definition: unknown;
  readonly answers: unknown;
  readonly files: unknown;
  readonly operatorId: string;
  readonly askerResetBy: readonly string[];
};

function lineOf(row: Row, actor: Actor, deciderResetBy: readonly string[]): RecordLine {
  const { hostId, hostName, definition, operatorId, askerResetBy, ...rest } = row;
  const { title, checklist } = procedure.parse(definition);
  const given = answers.parse(row.answers);
  const people = { askedBy: operatorId, decidedBy: actor.personId, askerResetBy, deciderResetBy };
  return {
    ...rest,
    title,
    host: { id: hostId, name: hostName },
    answers: checklist.map(({ text }, index) => ({ text, value: given[index] ?? false })),
    files: files.parse(row.files),
    own: operatorId === actor.personId,
    mayDecide:
      samePersonReason(people) === null &&
      row.decision === null &&
      row.voided === null &&
      reachOf(actor.role, decidingRight.signOff) === "any",
  };
}

/** `where` is on records `d` and their approvals `a`. Newest first. */
export async function readRecords(
  reader: SqlReader,
  actor: Actor,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<readonly RecordLine[]> {
  const rows = await queryRows(
    reader,
    sql<Row>`
    SELECT d.id::text, d.procedure, d.version, d.host_id::text AS "hostId", coalesce(h.name, d.host_name) AS "hostName", d.definition, d.serial,
      d.reclamation_id::text AS "reclamationId", d.reason, d.operator_name AS operator, d.operator_id::text AS "operatorId", a.asker_reset_by::text[] AS "askerResetBy",
      d.done_from AS "doneFrom", d.done_until AS "doneUntil", d.place, d.answers, d.ticket, d.comment, d.files, d.recorded_at AS "recordedAt",
      d.reusable_until AS "reusableUntil", a.id::text AS "approvalId", a.evidence, a.decision, a.decided_by_name AS "decidedBy",
      a.decided_at AS "decidedAt", a.decided_reason AS "decidedReason", a.decided_with AS "decidedWith", a.voided_reason AS voided
    FROM procedure_record d JOIN approval a ON a.id = d.approval_id LEFT JOIN host h ON h.id = d.host_id
    WHERE ${where} ORDER BY d.recorded_at DESC, d.id LIMIT ${limit}`,
  );
  const deciderResetBy = await resettersOf(reader, actor.personId);
  return rows.map((row) => lineOf(row, actor, deciderResetBy));
}

/** Provider's people only. */
export async function getRecord(
  { database }: Backend,
  actor: Actor,
  { recordId }: { readonly recordId: string },
): Promise<Outcome<RecordLine>> {
  const scope = scopeOf(actor, "assurance.read");
  if (!scope.ok) return scope;
  const [found] = await readRecords(database, actor, sql`d.id = ${recordId}::uuid`, 1);
  return found === undefined ? notFound("record", recordId) : done(found);
}
