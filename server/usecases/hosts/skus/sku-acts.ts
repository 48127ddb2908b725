// Acts on SKUs. Site documents write the same tables, so every writer takes the lock in `lock-shared.ts` (docs/adr/0048-site-document.md).
import { withCaptured } from "@/server/domain/hosts/inventory/baseline";
import { unreadableText } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { skus } from "@/server/contract/hosts/skus";
import { holdOverrides } from "@/server/usecases/cleaning/overrides/override-levels";
import { acted, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Target } from "@/server/usecases/define-act";
import { done, notFound, refused } from "@/server/usecases/problem";
import { lockShared } from "@/server/usecases/sites/lock-shared";
import { skuUses } from "@/server/usecases/sites/removal-faults";
import { captured } from "@/server/usecases/hosts/skus/capture";
import { proposalOf } from "@/server/usecases/hosts/skus/propose-sku";
import { readHostInventory } from "@/server/usecases/hosts/skus/read-inventory";
import { readSku } from "@/server/usecases/hosts/skus/sku-record";
import type { SkuRecord } from "@/server/usecases/hosts/skus/sku-record";
import { wakeWaitingForSku } from "@/server/usecases/hosts/skus/wake-waiting";
import { writeSku } from "@/server/usecases/hosts/skus/write-sku";

const ofProvider = { tenantId: null };

async function lock({ tx }: ActContext): Promise<void> {
  await lockShared(tx);
  await holdOverrides(tx);
}

/** The target of an act that creates a SKU. */
async function newSku<T>(context: ActContext, name: string, value: T): Promise<Target<T>> {
  await lock(context);
  return { id: name, belongs: ofProvider, value };
}

async function lockedSku(context: ActContext, name: string): Promise<Target<SkuRecord> | null> {
  await lock(context);
  const sku = await readSku(context.tx, name);
  return sku === null ? null : { id: sku.id, belongs: ofProvider, value: sku };
}

const outdated = ({ name, revision: now }: SkuRecord, revision: string | undefined) =>
  revision !== undefined && revision !== now
    ? refused("conflict", `Somebody else has changed the SKU ${name}. Reload it, then change it.`, "revision")
    : null;

export const createSku = defineAct({
  ...skus.create,
  names: ({ name }) => ({ kind: "SKU", id: name }),
  find: (context, { name }) => newSku(context, name, null),
  run: (context, _none, { reason, ...entry }) => writeSku(context, null, entry, reason),
});

export const createSkuFromHost = defineAct({
  ...skus.createFromHost,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async (context, { name, hostId }) => {
    const host = await readHostInventory(context.tx, hostId);
    return host === null ? null : newSku(context, name, host);
  },
  run: (context, host, { name, priorities, baseline, reason, ...asked }) => {
    if (!baseline && asked.bios.length > 0)
      return refused(
        "invalid",
        "BIOS attributes can only be captured with the baseline: request it.",
        "bios",
      );
    if (!baseline && asked.bmc.length > 0)
      return refused("invalid", "BMC settings can only be captured with the baseline: request it.", "bmc");
    const taken = baseline ? captured(host, asked) : done({});
    if (!taken.ok) return taken;
    const proposal = proposalOf(host);
    if (!proposal.ok)
      return refused("notAllowedNow", `No SKU can be created from ${host.name}: ${proposal.reason}.`);
    const components: SkuComponents = {
      ...proposal.components,
      ...(baseline ? { baseline: taken.value } : {}),
    };
    return writeSku(context, null, { name, components, priorities }, `from host ${host.name}: ${reason}`);
  },
});

export const changeSku = defineAct({
  ...skus.change,
  names: ({ sku }) => ({ kind: "SKU", id: sku }),
  find: (context, { sku }) => lockedSku(context, sku),
  run: (context, before, { sku: _sku, revision, reason, ...entry }) =>
    outdated(before, revision) ?? writeSku(context, before, entry, reason),
});

export const captureSkuBaseline = defineAct({
  ...skus.captureBaseline,
  names: ({ sku }) => ({ kind: "SKU", id: sku }),
  find: (context, { sku }) => lockedSku(context, sku),
  run: async (context, before, { hostId, revision, reason, ...asked }) => {
    const old = outdated(before, revision);
    if (old !== null) return old;
    const { entry } = before;
    if (entry === null) return refused("notAllowedNow", unreadableText(before));
    const host = await readHostInventory(context.tx, hostId);
    if (host === null) return notFound("host", hostId);
    const taken = captured(host, asked, entry.components.baseline?.bmc);
    if (!taken.ok) return taken;
    const baseline = taken.value;
    if (Object.keys(baseline).length === 0)
      return refused(
        "notAllowedNow",
        `The BMC of ${host.name} reports neither firmware versions nor lockdown. Read its inventory again, or write the baseline by hand.`,
      );
    const components = {
      ...entry.components,
      baseline: withCaptured(entry.components.baseline, baseline),
    };
    return writeSku(context, before, { ...entry, components }, `baseline of host ${host.name}: ${reason}`);
  },
});

export const removeSku = defineAct({
  ...skus.remove,
  names: ({ sku }) => ({ kind: "SKU", id: sku }),
  find: (context, { sku }) => lockedSku(context, sku),
  run: async ({ tx }, { id, name }, { reason }) => {
    const [use] = await skuUses(tx, [name]);
    if (use !== undefined)
      return refused("notAllowedNow", `The SKU ${name} cannot be deleted: ${use.words}.`);
    await tx.stepOverride.deleteMany({ where: { scope: "sku", scopeId: id } });
    await tx.sku.delete({ where: { id } });
    await wakeWaitingForSku(tx);
    return acted({
      value: { id, name },
      targetId: id,
      tenantId: null,
      before: { name },
      after: { name, reason },
      tell: { wake: true, feed: [] },
    });
  },
});
