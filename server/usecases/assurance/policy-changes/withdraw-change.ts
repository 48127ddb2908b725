// Withdraws a pending change of a site; only the requester may.
import { policyChanges } from "@/server/contract/assurance/policy-changes";
import { queryRows } from "@/server/db/sql";
import { sql } from "kysely";
import { voidApprovals } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, defineAct } from "@/server/usecases/define-act";
import { forgetRequests } from "@/server/usecases/assurance/policy-changes/outdated";
import { refused } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";

export const withdrawPolicyChange = defineAct({
  ...policyChanges.withdraw,
  names: ({ id }) => ({ kind: "change", id }),
  find: async ({ tx }, { id }) => {
    await lockShared(tx);
    const change = await tx.policyChange.findUnique({ where: { id } });
    if (change === null) return null;
    await queryRows(tx, sql`SELECT 1 FROM approval WHERE id = ${change.approvalId}::uuid FOR UPDATE`);
    const asked = await tx.approval.findUniqueOrThrow({ where: { id: change.approvalId } });
    return { id, belongs: { tenantId: null }, value: { change, asked } };
  },
  run: async ({ tx, actor }, { change, asked }, { reason }) => {
    if (asked.askedBy !== actor.personId)
      return refused("forbidden", `${asked.askedByName} asked for this. Reject it instead, with a reason.`);
    if (asked.decision !== null) return refused("conflict", `This was decided already: ${asked.decision}.`);
    if (asked.voidedReason !== null)
      return refused("conflict", `This is void already: ${asked.voidedReason}.`);
    await voidApprovals(tx, [asked.id], `withdrawn: ${reason}`);
    await forgetRequests(tx);
    return acted({
      value: { withdrawn: true as const },
      ...{ targetId: change.siteId, tenantId: null, before: { approval: asked.id, act: change.action } },
      after: { withdrawn: true, reason },
    });
  },
});
