// Makes a SKU from what was found in a host, and groups hosts that would get the same one.
import type { HardwareInventory } from "@/server/domain/hosts/inventory/inventory";
import { infinibandCount, isSameMemory, storageCounts } from "@/server/domain/hosts/inventory/sku";
import type { SkuComponents } from "@/server/domain/hosts/inventory/sku";
import { firstFault, proposedParts } from "@/server/domain/hosts/parts/sku-parts";

export type SkuProposal =
  | { readonly ok: true; readonly components: SkuComponents }
  /** Why no SKU can describe this host. */
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): SkuProposal => ({ ok: false, reason });

/** The components of a host as a SKU, without a baseline. The host always matches it: `skuDifference` is empty. Pure. */
export function proposeSku(found: HardwareInventory): SkuProposal {
  const models = [...new Set(found.cpus.map(({ model }) => model))];
  const [model] = models;
  if (model === undefined) return refused("its inventory lists no CPU");
  if (models.length > 1) return refused(`its CPUs differ: ${models.join(", ")}`);
  const unnamed = found.unnamed?.length ?? 0;
  if (unnamed > 0)
    return refused(
      `${unnamed} of its drives ${unnamed === 1 ? "reports" : "report"} no serial number or model: replace or remove them first`,
    );
  const fault = firstFault(found.parts);
  if (fault !== null) return refused(`${fault}: repair it first`);
  const { manufacturer, product } = found.system;
  const parts = proposedParts(found);
  return {
    ok: true,
    components: {
      manufacturer,
      product,
      cpus: { count: found.cpus.length, model },
      memoryBytes: found.memoryBytes,
      storage: [...storageCounts(found)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { media, count, capacityBytes }]) => ({ media, count, capacityBytes })),
      infiniband: infinibandCount(found),
      ...(parts === undefined ? {} : { parts }),
    },
  };
}

/** Equal for hosts with the same components. Memory is left out because kernels report slightly different amounts. */
const componentsKey = ({ baseline: _, storage, ...rest }: SkuComponents): string =>
  JSON.stringify([
    rest.manufacturer,
    rest.product,
    rest.cpus.count,
    rest.cpus.model,
    rest.infiniband,
    rest.parts ?? null,
    storage
      .filter(({ count }) => count > 0)
      .map(({ media, count, capacityBytes }) => `${media} ${capacityBytes} ${count}`)
      .sort(),
  ]);

export interface ProposedHost {
  readonly name: string;
  readonly proposal: SkuProposal;
}

export interface SkuCluster<Host extends ProposedHost> {
  readonly components: SkuComponents;
  /** In the order given. */
  readonly hosts: readonly Host[];
}

export interface SkuClusters<Host extends ProposedHost> {
  /** The largest first. */
  readonly clusters: readonly SkuCluster<Host>[];
  readonly left: readonly { readonly host: Host; readonly reason: string }[];
}

/** Groups of hosts that one SKU would fit, and hosts that none can describe. Pure. */
export function clusterHosts<Host extends ProposedHost>(hosts: readonly Host[]): SkuClusters<Host> {
  const clusters = new Map<string, { components: SkuComponents; hosts: Host[] }[]>();
  const left: { host: Host; reason: string }[] = [];
  for (const host of hosts) {
    const { proposal } = host;
    if (!proposal.ok) {
      left.push({ host, reason: proposal.reason });
      continue;
    }
    const key = componentsKey(proposal.components);
    const alike = clusters.get(key) ?? [];
    clusters.set(key, alike);
    const { components } = proposal;
    const cluster = alike.find((each) => isSameMemory(each.components.memoryBytes, components.memoryBytes));
    if (cluster === undefined) alike.push({ components, hosts: [host] });
    else cluster.hosts.push(host);
  }
  return {
    clusters: [...clusters.values()].flat().sort((a, b) => b.hosts.length - a.hosts.length),
    left,
  };
}

/** An unused name: the product, with a number appended if it is taken. Pure. */
export function proposeName({ product }: SkuComponents, taken: ReadonlySet<string>): string {
  const base = product.trim() === "" ? "SKU" : product.trim().slice(0, 100);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base} ${number}`;
    if (!taken.has(name)) return name;
  }
}
