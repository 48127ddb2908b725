// Proposes a SKU from a host.
import { biosRevisionOf, bmcRevisionOf, notItsOwn } from "@/server/usecases/hosts/skus/capture";
import { captureBaseline } from "@/server/domain/hosts/inventory/baseline";
import { readStoredSku, skuDifference } from "@/server/domain/hosts/inventory/sku";
import { proposeName, proposeSku } from "@/server/domain/hosts/inventory/sku-proposal";
import type { SkuProposal } from "@/server/domain/hosts/inventory/sku-proposal";
import type { SkuProposalView } from "@/server/contract/hosts/skus-answers";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";
import { readHostInventory } from "@/server/usecases/hosts/skus/read-inventory";
import type { ReadHost } from "@/server/usecases/hosts/skus/read-inventory";

/** There is nothing to propose until an agent reported. Pure. */
export const proposalOf = ({ found }: Pick<ReadHost, "found">): SkuProposal =>
  found === null ? { ok: false, reason: "no agent has taken its inventory yet" } : proposeSku(found);

export async function proposeSkuOfHost(
  { database }: Backend,
  actor: Actor,
  { hostId }: { readonly hostId: string },
): Promise<Outcome<SkuProposalView>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const host = await readHostInventory(database, hostId);
  if (host === null) return notFound("host", hostId);
  const skus = await database.sku.findMany({ select: { name: true, components: true } });
  const proposal = proposalOf(host);
  const { found } = host;
  return done({
    host: host.name,
    name: proposal.ok ? proposeName(proposal.components, new Set(skus.map(({ name }) => name))) : host.name,
    components: proposal.ok ? proposal.components : null,
    refusal: proposal.ok ? null : proposal.reason,
    ...captureBaseline(host.source),
    bios: host.source.bios,
    biosReadAt: host.source.bios === null ? null : host.biosReadAt,
    untrusted: notItsOwn(host),
    biosRevision: biosRevisionOf(host),
    bmc: host.source.bmcSettings,
    bmcRevision: bmcRevisionOf(host),
    matches:
      found === null
        ? []
        : skus
            .filter(({ components }) => {
              const sku = readStoredSku(components);
              return sku.ok && skuDifference(sku.components, found).length === 0;
            })
            .map(({ name }) => name)
            .sort(),
  });
}
