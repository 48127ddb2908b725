// The end of a rollout: the SKU's baseline names its firmware (docs/adr/0148-firmware-rollouts.md).
import { formatCounted } from "@/server/domain/numbers";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { rollouts as contract } from "@/server/contract/hosts/rollouts";
import { execute, queryRows } from "@/server/db/sql";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import { holdOverrides } from "@/server/usecases/cleaning/overrides/override-levels";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockedRollout, notNow } from "@/server/usecases/hosts/rollouts/rollout-acts";
import { readSku } from "@/server/usecases/hosts/skus/sku-record";
import { writeSku } from "@/server/usecases/hosts/skus/write-sku";
import { refused } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";

export const finishRollout = defineAct({
  ...contract.finish,
  names: ({ rollout }) => ({ kind: "firmware rollout", id: rollout }),
  find: async ({ tx }, { rollout }) => {
    await lockShared(tx);
    await holdOverrides(tx);
    const row = await lockedRollout(tx, rollout);
    return row === null ? null : { id: row.id, belongs: { tenantId: null }, value: row };
  },
  run: async (context, row, { reason }) => {
    const { tx } = context;
    const no = notNow(row, ["running", "paused"]);
    if (no !== null) return no;
    if (row.stage < row.stages.length - 1)
      return refused("notAllowedNow", "Not all stages are open: open the next one, or abort the rollout.");
    const sku = await readSku(tx, row.sku);
    if (sku === null || sku.entry === null)
      return refused(
        "notAllowedNow",
        sku === null ? `There is no SKU ${row.sku} any more.` : unreadableText(sku),
      );
    const { components } = sku.entry;
    // safety: rollout: it changes the list that it was approved for
    if (!isDeepStrictEqual(components.baseline?.firmware, row.over))
      return refused("notAllowedNow", `The firmware of ${row.sku} was changed meanwhile. Abort the rollout.`);
    const [old] = await queryRows(
      tx,
      sql<{ hosts: number }>`
      SELECT count(*)::int AS hosts FROM host h JOIN host_run r ON r.host_id = h.id JOIN reclamation c ON c.id = r.reclamation_id
      WHERE h.sku_id = ${row.skuId}::uuid AND c.ended_at IS NULL AND c.plan_epoch > 0 AND c.kind <> 'manualCleaning' AND r.state NOT LIKE 'Failed/%'
        AND NOT EXISTS (SELECT FROM firmware_rollout_host t WHERE t.rollout_id = ${row.id}::uuid AND t.host_id = h.id AND t.takes)`,
    );
    if ((old?.hosts ?? 0) > 0)
      return refused(
        "notAllowedNow",
        `On their way back with the old firmware: ${formatCounted(old?.hosts ?? 0, "host")} of ${row.sku}, which would stop as different. Finish when all are Ready.`,
      );
    await execute(
      tx,
      sql`
      UPDATE firmware_rollout SET ended_at = now(), outcome = 'finished', paused_at = NULL, paused_by = NULL, paused_reason = NULL
      WHERE id = ${row.id}::uuid`,
    );
    const written = await writeSku(
      context,
      sku,
      {
        ...sku.entry,
        components: { ...components, baseline: { ...components.baseline, firmware: [...row.firmware] } },
      },
      `firmware rollout finished: ${reason}`,
    );
    if (!written.ok) return written;
    const [change] = written.value.changes;
    return acted({
      value: { id: row.id },
      targetId: row.skuId,
      tenantId: null,
      before: change?.before ?? null,
      after: { ...change?.after, rollout: row.id },
      tell: { wake: true, feed: [] },
    });
  },
});
