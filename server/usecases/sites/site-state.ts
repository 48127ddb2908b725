// A site as the tables have it, in the form of a document. The tables are the truth: other acts change them, too (docs/adr/0048-site-document.md).
import { policy } from "@/server/domain/cleaning/policy";
import { skuComponents } from "@/server/domain/inventory/sku";
import { normalForm } from "@/server/domain/site/document";
import type { SiteDocument } from "@/server/domain/site/document";
import { defaultPolicy } from "@/server/domain/cleaning/policy";
import { stepName } from "@/server/domain/cleaning/steps/step";
import type { Reader } from "@/server/db/prisma";

/** With which network controllers acknowledge. */
export const networkAdapter = "network";

interface StateImage {
  readonly version: string;
  readonly url: string;
  readonly sha256: string | null;
  readonly signed: boolean;
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
  /** Sealed; null: there is none. */
  readonly networkToken: Uint8Array | null;
  /** SHA-256 of the tokens with which the network controller acknowledges. */
  readonly acknowledgementHashes: readonly Uint8Array[];
  /** By name; the passwords sealed. */
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

/** The SKUs and tenants of all sites. Throws when what is stored is no SKU. */
async function readShared(
  reader: Reader,
  priorities: ReadonlyMap<string, Priorities>,
): Promise<Required<Pick<SiteDocument, "skus" | "tenants">>> {
  const skus = await reader.sku.findMany();
  const tenants = await reader.tenant.findMany();
  return {
    skus: skus.map(({ id, name, components }) => ({
      name,
      components: skuComponents.parse(components),
      priorities: priorities.get(id) ?? {},
    })),
    tenants: tenants.map(({ org, name, targetedInstanceCreation, instanceQuota }) => ({
      org,
      name,
      targetedInstanceCreation,
      instanceQuota,
    })),
  };
}

/** What a new site begins with: the defaults, and what all sites share. */
export async function blankSite(reader: Reader, site: string): Promise<SiteDocument> {
  const shared = await readShared(reader, await readPriorities(reader));
  return normalForm({ format: 1, site, policy: defaultPolicy(), priorities: {}, ...shared });
}

/** Null: there is no such site. Throws when what is stored is no policy or no SKU of this version. */
export async function readSiteState(reader: Reader, name: string): Promise<SiteState | null> {
  const site = await reader.site.findUnique({
    where: { name },
    include: {
      images: { orderBy: { createdAt: "asc" } },
      tokens: { where: { adapter: networkAdapter } },
      credentials: true,
    },
  });
  if (site === null) return null;
  const inForce = await reader.sitePolicy.findUniqueOrThrow({
    where: { siteId_version: { siteId: site.id, version: site.policyVersion } },
  });
  const priorities = await readPriorities(reader);
  const shared = await readShared(reader, priorities);
  const image =
    site.images.find(({ status }) => status === "candidate") ??
    site.images.find(({ status }) => status === "current");
  return {
    siteId: site.id,
    networkToken: site.networkToken,
    acknowledgementHashes: site.tokens.map(({ hash }) => hash),
    credentials: new Map(site.credentials.map((set) => [set.name, set])),
    images: site.images,
    document: normalForm({
      format: 1,
      site: name,
      bmcCredentials: Object.fromEntries(
        site.credentials.map((set) => [set.name, { username: set.username, password: { stored: true } }]),
      ),
      // Without what another release knows besides: a document says what this one does.
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
            agentImage: {
              version: image.version,
              url: image.url,
              sha256: image.sha256,
              signed: image.signed,
            },
          }),
      ...shared,
    }),
  };
}

/** The image that a document names, if the site tries or boots it. Pure. */
export const imageInUse = ({ images }: SiteState, wanted: SiteDocument["agentImage"]) =>
  images.find(
    (image) =>
      (image.status === "candidate" || image.status === "current") &&
      image.version === wanted?.version &&
      image.url === wanted.url &&
      image.sha256 === wanted.sha256 &&
      image.signed === wanted.signed,
  );

/**
 * What the site is to be: sections that the document leaves out stay, and an image that the site boots counts while it tries the next one. Pure.
 * @param state null: the site is new
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
