// Accepts changed parts of a host, for another person to sign: a swapped GPU, a module that is gone (docs/parts.md#compared-with-what-the-host-had).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { parts as contract } from "@/server/contract/hosts/parts";
import { isStopped, unknownRefusal } from "@/server/domain/lifecycle/intents";
import { changesText } from "@/server/domain/hosts/parts/changes";
import { queryRows } from "@/server/db/sql";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, defineAct, unchanged } from "@/server/usecases/define-act";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { readPartChanges } from "@/server/usecases/hosts/parts/read-changes";
import { refused } from "@/server/usecases/problem";

export const acceptParts = defineAct({
  ...contract.accept,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
    return facts === null ? null : { id: hostId, belongs: { tenantId: null }, value: facts };
  },
  run: async ({ tx, actor }, facts, { hostId, evidence, reason }) => {
    // safety: parts: a person states it, so that another one can sign
    if (actor.kind === "local") return refused("forbidden", "Changed parts need two people: sign in first.");
    const unknown = unknownRefusal(facts.state);
    if (unknown !== null) return refused("notAllowedNow", unknown);
    if (!isStopped(facts.state))
      return refused(
        "notAllowedNow",
        `Changed parts cannot be accepted in ${facts.state}: they can while the host waits for it, in Manageable or in Failed.`,
      );
    const now = await readPartChanges(tx, hostId);
    if (now.changes.length === 0)
      return refused("notAllowedNow", "No part of this host has changed since it was last verified.");
    // safety: parts: what is accepted is what was seen
    if (now.evidence !== evidence)
      return refused(
        "conflict",
        "The parts have changed again since you read them. Read them again.",
        "evidence",
      );
    const [open] = await queryRows(
      tx,
      sql<{ id: string; waits: boolean }>`
      SELECT x.id::text, a.decision IS NULL AS waits FROM part_disposition x JOIN approval a ON a.id = x.approval_id
      WHERE x.host_id = ${hostId}::uuid AND x.evidence = ${evidence} AND x.taken_at IS NULL AND a.voided_at IS NULL
        AND a.decision IS DISTINCT FROM 'rejected' LIMIT 1`,
    );
    if (open !== undefined) return unchanged(open);
    const id = randomUUID();
    const words = changesText(now.changes);
    const approvalId = await askApproval(tx, actor, {
      ...{ kind: "disposition", subjectId: id, evidence, siteId: facts.siteId, hostId, reason },
      validUntil: null,
    });
    const { name } = await tx.host.findUniqueOrThrow({ where: { id: hostId }, select: { name: true } });
    await tx.partDisposition.create({
      data: {
        ...{ id, hostId, hostName: name, evidence, changes: [...now.changes], words, reason },
        ...{ byId: actor.personId, byName: actor.name, approvalId },
      },
    });
    return acted({
      value: { id, waits: true },
      targetId: hostId,
      tenantId: null,
      before: null,
      after: { parts: words, reason, id, approvalId },
      tell: { feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
