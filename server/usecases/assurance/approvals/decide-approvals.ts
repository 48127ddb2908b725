// Another person's decision on a request: the only place where anything is approved or rejected (docs/adr/0102-approvals-and-procedures.md).
import { sql } from "kysely";
import type { z } from "zod";
import { approvals as contract } from "@/server/contract/assurance/approvals";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { reachOf } from "@/server/domain/access/access";
import { decidingRight, decisionRefusal } from "@/server/domain/assurance/approvals/approval";
import type { ApprovalKind, Decision } from "@/server/domain/assurance/approvals/approval";
import type { Actor, Request } from "@/server/usecases/actor";
import { freshSignIn } from "@/server/usecases/assurance/approvals/fresh-sign-in";
import type { Backend } from "@/server/usecases/backend";
import { wakeHosts } from "@/server/usecases/hosts/wake-hosts";
import { judgeAgain } from "@/server/usecases/hosts/attestation/judge-again";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { resettersOf } from "@/server/usecases/access/resets";
import { defineAct } from "@/server/usecases/define-act";
import { withConfirmation } from "@/server/usecases/access/passkeys/use-passkey";
import { applyChange } from "@/server/usecases/assurance/policy-changes/apply-change";
import { forgetRequests, voidIfOutdated } from "@/server/usecases/assurance/policy-changes/outdated";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";

type Input = z.input<typeof contract.decide.input>;

interface Stored {
  readonly id: string;
  readonly kind: ApprovalKind;
  readonly host_id: string | null;
  readonly evidence: string;
  readonly asked_by: string;
  readonly asker_reset_by: readonly string[];
  readonly decision: string | null;
  readonly voided_reason: string | null;
  readonly valid_until: Date | null;
  readonly now: Date;
}

/** Locks sites and hosts before their approvals, in the same order as a new request or record does, to avoid deadlocks. */
async function lockApprovals(tx: Transaction, ids: readonly string[]): Promise<readonly Stored[]> {
  if ((await tx.approval.count({ where: { id: { in: [...ids] }, kind: "policyChange" } })) > 0)
    await lockShared(tx);
  await queryRows(
    tx,
    sql`
    SELECT 1 FROM host_run WHERE host_id IN (SELECT host_id FROM approval WHERE id = ANY(${[...ids]}::uuid[]))
    ORDER BY host_id FOR UPDATE`,
  );
  return queryRows(
    tx,
    sql<Stored>`
    SELECT id::text, kind, host_id::text, evidence, asked_by::text, asker_reset_by::text[], decision, voided_reason, valid_until, clock_timestamp() AS now
    FROM approval WHERE id = ANY(${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`,
  );
}

/** An approved bundle counts from now on, also for hosts that wait for it. */
async function judgeBundles(tx: Transaction, ids: readonly string[], decision: Decision): Promise<void> {
  if (decision !== "approved") return;
  const bundles = await tx.attestationBundle.findMany({
    where: { approvalId: { in: [...ids] } },
    select: { siteId: true },
  });
  for (const siteId of new Set(bundles.map((bundle) => bundle.siteId)))
    await judgeAgain(tx, siteId, "a bundle was approved");
}

/** The facts of a request that the rules check. */
const askedOf = (row: Stored) => ({
  askedBy: row.asked_by,
  askerResetBy: row.asker_reset_by,
  decision: row.decision,
  voidedReason: row.voided_reason,
  validUntilMs: row.valid_until?.getTime() ?? null,
  nowMs: row.now.getTime(),
  evidence: row.evidence,
});

const decide = defineAct({
  ...contract.decide,
  committed: accessChanged,
  names: ({ approvals }) => ({ kind: "approval", id: approvals.map(({ id }) => id).join(", ") }),
  find: async ({ tx }, { approvals }) => {
    const ids = [...new Set(approvals.map(({ id }) => id.toLowerCase()))];
    const known = await tx.approval.count({ where: { id: { in: ids } } });
    return known === ids.length ? { id: ids.join(", "), belongs: { tenantId: null }, value: ids } : null;
  },
  run: async (context, ids, { approvals, decision, reason, password }) => {
    const { tx, actor } = context;
    if (decision === "rejected" && reason === "")
      return refused("invalid", "reason: say why it is rejected.", "reason");
    const fresh = await freshSignIn(context, { password, recentCounts: true });
    if (!fresh.ok) return fresh;
    const decidedWith = fresh.value;
    const deciderResetBy = await resettersOf(tx, actor.personId);
    const seen = new Map(approvals.map(({ id, evidence }) => [id.toLowerCase(), evidence]));
    const stored = await lockApprovals(tx, ids);
    const isChange = stored.some(({ kind }) => kind === "policyChange");
    if (isChange && stored.length > 1)
      return refused("invalid", "A change of a site is decided by itself: name it alone.", "approvals");
    for (const row of stored) {
      // safety: approvals: the right to decide on its kind
      if (reachOf(actor.role, decidingRight[row.kind]) !== "any")
        return refused("forbidden", `The role ${actor.role} may not decide on this kind: ${row.kind}.`);
      const no = decisionRefusal({
        ...askedOf(row),
        decidedBy: actor.kind === "local" ? null : actor.personId,
        seen: seen.get(row.id) ?? "",
        deciderResetBy,
        freshSignIn: decidedWith !== null,
      });
      if (no !== null) return refused(no.code, no.reason, no.field);
    }
    await tx.approval.updateMany({
      where: { id: { in: ids } },
      data: {
        decision,
        decidedBy: actor.personId,
        decidedByName: actor.name,
        decidedAt: stored.at(0)?.now ?? null,
        decidedReason: reason,
        decidedWith,
      },
    });
    if (isChange) {
      // The change and the decision succeed or fail together.
      const made = decision === "approved" ? await applyChange(context, ids[0] ?? "") : done(null);
      if (!made.ok) return made;
      await forgetRequests(tx);
    }
    await judgeBundles(tx, ids, decision);
    const hostIds = stored.flatMap((row) => row.host_id ?? []);
    await wakeHosts(tx, hostIds);
    return done({
      value: { decided: stored.length },
      changes: stored.map(({ id, kind, host_id: hostId, evidence }) => ({
        targetId: id,
        tenantId: null,
        before: null,
        after: { kind, hostId, evidence, decision, reason, decidedWith },
      })),
      tell: { wake: true, feed: hostIds.map((hostId) => ({ hostId, tenantId: null, what: "assurance" })) },
    });
  },
});

/** Decides all named approvals or none. The password is never stored or logged; a passkey confirms exactly these approvals and this decision. */
export async function decideApprovals(
  backend: Backend,
  actor: Actor,
  request: Request,
  input: Input,
): Promise<Outcome<{ readonly decided: number }>> {
  const { approvals, decision } = input;
  const result = await withConfirmation(
    backend,
    { actor, request, action: contract.decide.action },
    input,
    { purpose: "decide", approvals, decision },
    (confirmed) => decide(backend, confirmed, request, input),
  );
  // A refusal rolls back its transaction. Requests that can never be approved any more must not look pending.
  if (!result.ok)
    await voidIfOutdated(
      backend.database,
      approvals.map(({ id }) => id),
      result.problem.field,
    );
  return result;
}
