// Assigns a SKU to a host, or removes it. BomValidating waits for it, and the next inventory is compared with it.
import { wakeHosts } from "@/server/usecases/hosts/wake-hosts";
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { actionRefusal, noMaintenance } from "@/server/domain/hosts/action-refusal";
import { host as contract } from "@/server/contract/hosts/host";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import { readHostFacts } from "@/server/usecases/hosts/host-facts";
import { lockRun } from "@/server/usecases/hosts/lock-run";
import { notFound, refused, sentence } from "@/server/usecases/problem";

export const assignSku = defineAct({
  ...contract.assignSku,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    await lockRun(tx, hostId);
    const [row] = await queryRows(
      tx,
      sql<{
        sku: string | null;
      }>`SELECT k.name AS sku FROM host h LEFT JOIN sku k ON k.id = h.sku_id WHERE h.id = ${hostId}::uuid FOR UPDATE OF h`,
    );
    const facts = await readHostFacts(tx, sql`r.host_id = ${hostId}::uuid`);
    return row === undefined || facts === null
      ? null
      : { id: hostId, belongs: { tenantId: null }, value: { before: row.sku, facts } };
  },
  run: async ({ tx }, { before, facts }, { hostId, sku, reason }) => {
    const no = actionRefusal("assignSku", facts, noMaintenance);
    if (no !== null) return refused("notAllowedNow", sentence(no));
    if (sku === before) return unchanged({ accepted: true as const });
    const found =
      sku === null ? null : await tx.sku.findUnique({ where: { name: sku }, select: { id: true } });
    if (sku !== null && found === null) return notFound("SKU", sku);
    await tx.host.update({ where: { id: hostId }, data: { skuId: found?.id ?? null } });
    // Decisions in progress were made with the other SKU; a host that waits for one is woken at once.
    await wakeHosts(tx, [hostId]);
    return acted({
      value: { accepted: true as const },
      targetId: hostId,
      tenantId: null,
      before: { sku: before },
      after: { sku, ...(reason === undefined ? {} : { reason }) },
      tell: { wake: true, feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
