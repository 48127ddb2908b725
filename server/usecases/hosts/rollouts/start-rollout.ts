// Requests new firmware for the hosts of a SKU: it counts once another person approved it (docs/adr/0148-firmware-rollouts.md).
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { rollouts as contract } from "@/server/contract/hosts/rollouts";
import { execute } from "@/server/db/sql";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { rolloutRefusal, stageText, withImages } from "@/server/domain/hosts/platform/rollout";
import { askApproval } from "@/server/usecases/assurance/approvals/ask-approval";
import { acted, defineAct } from "@/server/usecases/define-act";
import { readRollouts, rolloutState } from "@/server/usecases/hosts/rollouts/rollout-rows";
import { readSku } from "@/server/usecases/hosts/skus/sku-record";
import { refused } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";

export const startRollout = defineAct({
  ...contract.start,
  names: ({ sku }) => ({ kind: "SKU", id: sku }),
  find: async ({ tx }, { sku: name }) => {
    await lockShared(tx);
    const sku = await readSku(tx, name);
    return sku === null ? null : { id: sku.id, belongs: { tenantId: null }, value: sku };
  },
  run: async ({ tx, actor }, sku, { images, stages, maxFailures, reason }) => {
    // safety: rollout: a person asks for it, so that another one can approve it
    if (actor.kind === "local") return refused("forbidden", "A rollout needs two people: sign in first.");
    if (sku.entry === null) return refused("notAllowedNow", unreadableText(sku));
    const over = sku.entry.components.baseline?.firmware ?? [];
    const no = rolloutRefusal(sku.name, over, images);
    if (no !== null) return refused("invalid", no, "images");
    const [open] = await readRollouts(tx, sql`x.sku_id = ${sku.id}::uuid AND x.ended_at IS NULL`, {
      locked: true,
    });
    if (open !== undefined && rolloutState(open) !== "rejected")
      return refused(
        "conflict",
        `A firmware rollout of ${sku.name} is in progress or waits for its approval. Finish or abort it first.`,
      );
    if (open !== undefined)
      await execute(
        tx,
        sql`UPDATE firmware_rollout SET ended_at = now(), outcome = 'aborted' WHERE id = ${open.id}::uuid`,
      );
    const id = randomUUID();
    const firmware = withImages(over, images);
    const words = `firmware of ${sku.name}: ${images.map(({ component, version }) => `${component} ${version}`).join(", ")}, in stages ${stages.map(stageText).join(", ")}, pauses after ${maxFailures} failed`;
    const evidence = evidenceDigest({ skuId: sku.id, over, firmware, images, stages, maxFailures });
    const approvalId = await askApproval(tx, actor, {
      ...{ kind: "rollout", subjectId: id, evidence, siteId: null, hostId: null, reason, validUntil: null },
    });
    await tx.firmwareRollout.create({
      data: {
        ...{ id, skuId: sku.id, over: [...over], firmware, images: [...images], stages: [...stages] },
        ...{ maxFailures, words, reason, approvalId },
      },
    });
    return acted({
      value: { id },
      targetId: sku.id,
      tenantId: null,
      before: null,
      after: { name: sku.name, rollout: id, reason, approvalId, changes: [words] },
      tell: { wake: false, feed: [] },
    });
  },
});
