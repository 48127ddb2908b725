// A site from the tables, in the form of a document. The tables are authoritative, because other acts change them as well (docs/adr/0048-site-document.md).
import { imageKind } from "@/server/domain/cleaning/images/agent-image";
import { policy } from "@/server/domain/cleaning/policy/policy";
import { readStoredSku } from "@/server/domain/hosts/inventory/sku";
import type { UnreadableSku } from "@/server/domain/hosts/inventory/sku";
import { bmcTrust, storedAuthorities } from "@/server/domain/sites/authorities";
import { normalForm, storedLocation } from "@/server/domain/sites/document";
import type { SiteDocument, SkuEntry } from "@/server/domain/sites/document";
import { defaultPolicy } from "@/server/domain/cleaning/policy/policy";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Reader } from "@/server/db/prisma";

/** Name of the adapter for acknowledgements by network controllers. */
export const networkAdapter = "network";

interface StateImage {
  readonly version: string;
  readonly url: string;
  readonly sha256: string | null;
  readonly signed: boolean;
  readonly kind: string;
  readonly status: string;
}

export interface StateCredential {
  readonly id: string;
  readonly username: string;
  readonly password: Uint8Array;
}

export interface SiteState {
  readonly siteId: string;
  /** In normal form, with the SKUs and tenants of all sites. */
  readonly document: SiteDocument;
  /** SKUs that are not in the document, because the stored value is invalid. */
  readonly unreadable: readonly UnreadableSku[];
  /** Encrypted; null if there is none. */
  readonly networkToken: Uint8Array | null;
  /** SHA-256 of the tokens that the network controller acknowledges with. */
  readonly acknowledgementHashes: readonly Uint8Array[];
  /** By name; passwords are encrypted. */
  readonly credentials: ReadonlyMap<string, StateCredential>;
  /** Every image that the site ever had. */
  readonly images: readonly StateImage[];
}

type Priorities = Readonly<Record<string, number>>;

async function readPriorities(reader: Reader): Promise<ReadonlyMap<string, Priorities>> {
  const rows = await reader.stepOverride.findMany({
    where: { scope: { in: ["site", "sku"] } },
    orderBy: [{ interface: "asc" }, { step: "asc" }],
  });
  const found = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const of = found.get(row.scopeId) ?? {};
    of[stepName(row)] = row.priority;
    found.set(row.scopeId, of);
  }
  return found;
}

interface Shared {
  readonly sections: Required<Pick<SiteDocument, "skus" | "tenants">>;
  readonly unreadable: readonly UnreadableSku[];
}

/** The SKUs and tenants of all sites, with the tenants' grants at this one; at a new site they have none. */
async function readShared(
  reader: Reader,
  priorities: ReadonlyMap<string, Priorities>,
  siteId: string | null,
): Promise<Shared> {
  const rows = await reader.sku.findMany({ orderBy: { name: "asc" } });
  const tenants = await reader.tenant.findMany();
  const grants =
    siteId === null
      ? []
      : await reader.tenantGrant.findMany({ where: { siteId }, select: { tenantId: true, kind: true } });
  const given = new Set(grants.map(({ tenantId, kind }) => `${tenantId} ${kind}`));
  const skus: SkuEntry[] = [];
  const unreadable: UnreadableSku[] = [];
  for (const { id, name, components } of rows) {
    const sku = readStoredSku(components);
    if (sku.ok) skus.push({ name, components: sku.components, priorities: priorities.get(id) ?? {} });
    else unreadable.push({ name, faults: sku.faults });
  }
  const sections = {
    skus,
    tenants: tenants.map(({ id, org, name, instanceQuota }) => ({
      org,
      name,
      networkAllocation: given.has(`${id} networkAllocation`),
      targetedInstanceCreation: given.has(`${id} targetedInstanceCreation`),
      instanceQuota,
    })),
  };
  return { sections, unreadable };
}

/** What a new site starts with: the defaults, and what all sites share. */
export async function blankSite(
  reader: Reader,
  site: string,
): Promise<Pick<SiteState, "document" | "unreadable">> {
  const { sections, unreadable } = await readShared(reader, await readPriorities(reader), null);
  const document = normalForm({
    format: 1,
    site,
    policy: defaultPolicy(),
    bmcTrust: "pinOrAuthority",
    priorities: {},
    ...sections,
  });
  return { document, unreadable };
}

const inDocument = ({ version, url, sha256, signed, kind }: StateImage) => ({
  version,
  url,
  sha256,
  signed,
  kind: imageKind.parse(kind),
});

/** Null if there is no such site. Throws if the stored value is no policy of this version. */
export async function readSiteState(reader: Reader, name: string): Promise<SiteState | null> {
  const site = await reader.site.findUnique({
    where: { name },
    include: {
      images: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
      tokens: { where: { adapter: networkAdapter } },
      credentials: true,
    },
  });
  if (site === null) return null;
  const inForce = await reader.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
  });
  const priorities = await readPriorities(reader);
  const { sections, unreadable } = await readShared(reader, priorities, site.id);
  const image =
    site.images.find(({ status }) => status === "candidate") ??
    site.images.find(({ status }) => status === "current");
  return {
    siteId: site.id,
    unreadable,
    networkToken: site.networkToken,
    acknowledgementHashes: site.tokens.map(({ hash }) => hash),
    credentials: new Map(site.credentials.map((set) => [set.name, set])),
    images: site.images,
    document: normalForm({
      format: 1,
      site: name,
      ...(site.location === null ? {} : { location: storedLocation.parse(site.location) }),
      bmcCredentials: Object.fromEntries(
        site.credentials.map((set) => [set.name, { username: set.username, password: { stored: true } }]),
      ),
      bmcTrust: bmcTrust.parse(site.bmcTrust),
      // Drops what only another release knows, as for the policy below.
      authorities: storedAuthorities.parse(site.authorities),
      // Drops what only another release knows: a document contains what this one does.
      policy: policy.parse(inForce.body),
      priorities: priorities.get(site.id) ?? {},
      ...(site.networkUrl === null || site.networkToken === null
        ? {}
        : {
            networkController: {
              url: site.networkUrl,
              token: { stored: true },
              ...(site.tokens.length === 0 ? {} : { acknowledgementToken: { stored: true } }),
            },
          }),
      ...(image === undefined
        ? {}
        : {
            agentImage: inDocument(image),
          }),
      ...sections,
    }),
  };
}

/** Those that the new document does not repair. Pure. */
export function stillUnreadable(
  unreadable: readonly UnreadableSku[],
  { skus = [] }: SiteDocument,
): readonly UnreadableSku[] {
  const named = new Set(skus.map(({ name }) => name));
  return unreadable.filter(({ name }) => !named.has(name));
}

/** The image that a document names, if it is the site's candidate or current one. Pure. */
export const imageInUse = ({ images }: SiteState, wanted: SiteDocument["agentImage"]) =>
  images.find(
    (image) =>
      (image.status === "candidate" || image.status === "current") &&
      image.version === wanted?.version &&
      image.url === wanted.url &&
      image.sha256 === wanted.sha256 &&
      image.signed === wanted.signed &&
      image.kind === wanted.kind,
  );

/**
 * The site as it is to become: sections that the document omits stay, and the current image is accepted while the site has a candidate. Pure.
 * @param state null for a new site
 */
export function targetOf(
  document: SiteDocument,
  before: SiteDocument,
  state: SiteState | null,
): SiteDocument {
  const { agentImage, ...rest } = normalForm(document);
  const image =
    state !== null && imageInUse(state, agentImage) !== undefined ? before.agentImage : agentImage;
  return {
    ...rest,
    ...(image === undefined ? {} : { agentImage: image }),
    ...(rest.skus === undefined && before.skus !== undefined ? { skus: before.skus } : {}),
    ...(rest.tenants === undefined && before.tenants !== undefined ? { tenants: before.tenants } : {}),
  };
}
