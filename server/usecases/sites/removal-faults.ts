// What a document must not omit: things that are still in use, with who uses them (docs/adr/0048-site-document.md).
import { formatCounted } from "@/server/domain/numbers";
import { sql } from "kysely";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { DocumentFault, FaultAt } from "@/server/domain/sites/parse-document";
import type { Transaction } from "@/server/db/prisma";
import { queryRows } from "@/server/db/sql";
import { candidateRefusal } from "@/server/usecases/cleaning/images/new-candidate";
import { skusInRollout } from "@/server/usecases/hosts/rollouts/open-rollouts";
import { imageInUse } from "@/server/usecases/sites/site-state";
import type { SiteState } from "@/server/usecases/sites/site-state";

export interface LeftOut {
  readonly skus: readonly string[];
  readonly tenants: readonly string[];
}

/** The SKUs and tenants that are in `before` but not in `after`. Pure. */
export function leftOut(before: SiteDocument, after: SiteDocument): LeftOut {
  const names = new Set(after.skus?.map(({ name }) => name));
  const orgs = new Set(after.tenants?.map(({ org }) => org));
  return {
    skus: (before.skus ?? []).map(({ name }) => name).filter((name) => !names.has(name)),
    tenants: (before.tenants ?? []).map(({ org }) => org).filter((org) => !orgs.has(org)),
  };
}

/** "3 hosts (a, b and 1 more)". */
function hostText(hosts: number, names: readonly string[]): string {
  const more = hosts - names.length;
  return `${formatCounted(hosts, "host")} (${names.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

interface HostUse {
  readonly name: string;
  readonly hosts: number;
  readonly names: string[];
}

/** Locks the SKUs, so that no host gets one of them meanwhile. */
export async function skuUses(
  tx: Transaction,
  skus: readonly string[],
): Promise<readonly { readonly name: string; readonly words: string }[]> {
  if (skus.length === 0) return [];
  await queryRows(tx, sql`SELECT id FROM sku WHERE name = ANY(${[...skus]}) FOR UPDATE`);
  const used = await queryRows(
    tx,
    sql<HostUse>`
    SELECT k.name, count(*)::int AS hosts, (array_agg(h.name ORDER BY h.name))[1:3] AS names
    FROM sku k JOIN host h ON h.sku_id = k.id WHERE k.name = ANY(${[...skus]}) GROUP BY k.name ORDER BY k.name`,
  );
  return [
    ...used.map(({ name, hosts, names }) => ({
      name,
      words: `${hostText(hosts, names)} ${hosts === 1 ? "has" : "have"} it: assign another one first`,
    })),
    ...[...(await skusInRollout(tx, skus))].map((name) => ({
      name,
      words: "a firmware rollout of it is in progress or waits for its approval: finish or abort it first",
    })),
  ];
}

const skuFaults = async (tx: Transaction, skus: readonly string[], faultAt: FaultAt) =>
  (await skuUses(tx, skus)).map(({ name, words }) =>
    faultAt(["skus"], `the SKU ${name} is missing from the document, but ${words}`),
  );

/** Ended instances count as well, because their history names the tenant. */
async function tenantFaults(tx: Transaction, orgs: readonly string[], faultAt: FaultAt) {
  if (orgs.length === 0) return [];
  await queryRows(tx, sql`SELECT id FROM tenant WHERE org = ANY(${[...orgs]}) FOR UPDATE`);
  const used = await queryRows(
    tx,
    sql<{ org: string; people: number; instances: number; debts: number }>`
    SELECT * FROM (
      SELECT t.org, (SELECT count(*)::int FROM person p WHERE p.tenant_id = t.id) AS people,
        (SELECT count(*)::int FROM instance i WHERE i.tenant_id = t.id) AS instances,
        (SELECT count(*)::int FROM debt d WHERE d.tenant_id = t.id AND d.cleared_at IS NULL) AS debts
      FROM tenant t WHERE t.org = ANY(${[...orgs]})) u
    WHERE people + instances + debts > 0 ORDER BY org`,
  );
  return used.map(({ org, people, instances, debts }) => {
    const uses = [
      ...(people > 0 ? [formatCounted(people, "person", "people")] : []),
      ...(instances > 0 ? [`${formatCounted(instances, "instance")}, ended ones among them`] : []),
      ...(debts > 0 ? [formatCounted(debts, "sanitization debt")] : []),
    ];
    return faultAt(
      ["tenants"],
      `the tenant ${org} is missing from the document, but it has ${uses.join("; ")}`,
    );
  });
}

async function controllerFaults(tx: Transaction, siteId: string, faultAt: FaultAt) {
  const [used] = await queryRows(
    tx,
    sql<HostUse>`
    SELECT '' AS name, count(*)::int AS hosts, (array_agg(h.name ORDER BY h.name))[1:3] AS names FROM host h WHERE h.site_id = ${siteId}::uuid`,
  );
  return used === undefined || used.hosts === 0
    ? []
    : [
        faultAt(
          ["networkController"],
          `the network controller is missing from the document, but ${hostText(used.hosts, used.names)} of the site need it`,
        ),
      ];
}

/** Locks the sets, so that no host gets one of them meanwhile. */
async function credentialFaults(
  tx: Transaction,
  siteId: string,
  before: SiteDocument,
  after: SiteDocument,
  faultAt: FaultAt,
) {
  const wanted = after.bmcCredentials ?? {};
  const gone = Object.keys(before.bmcCredentials ?? {}).filter((name) => !Object.hasOwn(wanted, name));
  if (gone.length === 0) return [];
  await queryRows(
    tx,
    sql`SELECT id FROM bmc_credential WHERE site_id = ${siteId}::uuid AND name = ANY(${gone}) FOR UPDATE`,
  );
  const used = await queryRows(
    tx,
    sql<HostUse>`
    SELECT c.name, count(*)::int AS hosts, (array_agg(h.name ORDER BY h.name))[1:3] AS names
    FROM bmc_credential c JOIN host h ON h.bmc_credential_id = c.id
    WHERE c.site_id = ${siteId}::uuid AND c.name = ANY(${gone}) GROUP BY c.name ORDER BY c.name`,
  );
  return used.map(({ name, hosts, names }) =>
    faultAt(
      ["bmcCredentials"],
      `the credentials ${name} are missing from the document, but ${hostText(hosts, names)} ${hosts === 1 ? "uses" : "use"} them: give them others first`,
    ),
  );
}

/** Why the document's image cannot become the site's. Pure. */
function imageFaults(
  state: SiteState,
  before: SiteDocument,
  { agentImage: wanted }: SiteDocument,
  faultAt: FaultAt,
): readonly DocumentFault[] {
  if (wanted === undefined)
    return before.agentImage === undefined
      ? []
      : [
          faultAt(
            ["agentImage"],
            `the agent image ${before.agentImage.version} is missing from the document: a document can replace it, but not remove it`,
          ),
        ];
  if (imageInUse(state, wanted) !== undefined) return [];
  const refusal = candidateRefusal(state.images, wanted.version);
  return refusal === null
    ? []
    : [faultAt(["agentImage", ...(refusal.field === undefined ? [] : [refusal.field])], refusal.message)];
}

/** Everything that keeps an existing site from becoming `after`. */
export async function siteFaults(
  tx: Transaction,
  state: SiteState,
  after: SiteDocument,
  faultAt: FaultAt,
): Promise<readonly DocumentFault[]> {
  const { document: before, siteId } = state;
  return [
    ...(before.networkController !== undefined && after.networkController === undefined
      ? await controllerFaults(tx, siteId, faultAt)
      : []),
    ...(await credentialFaults(tx, siteId, before, after, faultAt)),
    ...imageFaults(state, before, after, faultAt),
  ];
}

/** The same for what all sites share. */
export const sharedFaults = async (
  tx: Transaction,
  { skus, tenants }: LeftOut,
  faultAt: FaultAt,
): Promise<readonly DocumentFault[]> => [
  ...(await skuFaults(tx, skus, faultAt)),
  ...(await tenantFaults(tx, tenants, faultAt)),
];
