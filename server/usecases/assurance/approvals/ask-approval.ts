// Requests another person's decision, and voids such requests: called by the acts that need one, in their transaction (docs/adr/0102).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import type { ApprovalKind } from "@/server/domain/assurance/approvals/approval";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";

export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** Id of the record, exception or disposition that it is about. */
  readonly subjectId: string;
  /** SHA-256 of the evidence that it rests on, in hexadecimal. */
  readonly evidence: string;
  readonly siteId: string | null;
  readonly hostId: string | null;
  readonly reason: string;
  /** Until when an approval holds; null if as long as its subject. */
  readonly validUntil: Date | null;
}

/** Returns the id. Throws if nobody is signed in: only a person can request, and the interfaces refuse earlier. */
export async function askApproval(tx: Transaction, actor: Actor, asked: ApprovalRequest): Promise<string> {
  if (actor.kind === "local") throw new Error("nobody is signed in who could ask");
  const id = randomUUID();
  const askerResetBy = [...(await resettersOf(tx, actor.personId))];
  await tx.approval.create({
    data: { id, ...asked, askedBy: actor.personId, askedByName: actor.name, askerResetBy },
  });
  return id;
}

/** Voids requests that no longer have a basis, for example because of a newer record, even if approved. Already voided ones are left as they are. */
export async function voidApprovals(tx: Transaction, ids: readonly string[], reason: string): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE approval SET voided_at = now(), voided_reason = ${reason}
    WHERE id = ANY(${[...ids]}::uuid[]) AND voided_at IS NULL`,
  );
}
