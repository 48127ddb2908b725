// Asks for the decision of another person, and takes such a request back: for the acts that need one, in their transaction (docs/adr/0102).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "@/server/db/prisma";
import { execute } from "@/server/db/sql";
import type { ApprovalKind } from "@/server/domain/approvals/approval";
import { resettersOf } from "@/server/usecases/access/resets";
import type { Actor } from "@/server/usecases/actor";

export interface Asked {
  readonly kind: ApprovalKind;
  /** What it is about: the record, the exception, the disposition. */
  readonly subjectId: string;
  /** SHA-256 of the evidence that it rests on, in hexadecimal digits. */
  readonly evidence: string;
  readonly siteId: string | null;
  readonly hostId: string | null;
  readonly reason: string;
  /** Until when it holds once it is approved; null: as long as its subject. */
  readonly validUntil: Date | null;
}

/** Returns its id. Throws for who is not signed in: a request is a person's, and surfaces refuse before. */
export async function askApproval(tx: Transaction, actor: Actor, asked: Asked): Promise<string> {
  if (actor.kind === "local") throw new Error("nobody is signed in who could ask");
  const id = randomUUID();
  const askerResetBy = [...(await resettersOf(tx, actor.personId))];
  await tx.approval.create({
    data: { id, ...asked, askedBy: actor.personId, askedByName: actor.name, askerResetBy },
  });
  return id;
}

/** What lost its ground, such as by a newer record, counts no more, also where it was approved. What was voided before stays as it is. */
export async function voidApprovals(tx: Transaction, ids: readonly string[], reason: string): Promise<void> {
  await execute(
    tx,
    sql`
    UPDATE approval SET voided_at = now(), voided_reason = ${reason}
    WHERE id = ANY(${[...ids]}::uuid[]) AND voided_at IS NULL`,
  );
}
