// Restoring an earlier version of a site: the document to apply, and what a version cannot restore (docs/adr/0048-site-document.md).
import { siteDifference } from "@/server/domain/sites/difference";
import { tenantGrants } from "@/server/domain/access/tenant-grants";
import type { SiteDocument, TenantEntry } from "@/server/domain/sites/document";

export interface Restoration {
  /** To be applied. Its secrets are those that the site currently has. */
  readonly document: SiteDocument;
  /** What stays as it is, each with the reason and what to do. */
  readonly kept: readonly string[];
}

type Controller = Pick<SiteDocument, "networkController">;

/** Versions contain no secrets, so only one that the site still has can be used. */
function controllerOf({ networkController: then }: SiteDocument, { networkController: now }: SiteDocument) {
  if (then === undefined || now === undefined) {
    const kept =
      then === undefined
        ? []
        : [
            "The network controller is not restored: versions hold no tokens. Enter it again on the page Site.",
          ];
    return { part: {} satisfies Controller, kept };
  }
  const lost = then.acknowledgementToken !== undefined && now.acknowledgementToken === undefined;
  const { acknowledgementToken: _, ...without } = then;
  return {
    part: { networkController: lost ? without : then } satisfies Controller,
    kept: [
      "The tokens of the network controller stay as they are now: versions hold no secrets.",
      ...(lost
        ? ["The acknowledgement token is not restored: the site has none now. Enter one on the page Site."]
        : []),
    ],
  };
}

/** An old user name with a current password may not match, and BMCs would lock the account. */
function credentialsOf({ bmcCredentials: then }: SiteDocument, { bmcCredentials: now }: SiteDocument) {
  const differ = JSON.stringify(then ?? {}) !== JSON.stringify(now ?? {});
  return {
    part: now === undefined ? {} : { bmcCredentials: now },
    kept: differ ? ["BMC credentials stay as they are now: versions hold no passwords."] : [],
  };
}

const sameImage = (a: SiteDocument["agentImage"], b: SiteDocument["agentImage"]): boolean =>
  JSON.stringify(a) === JSON.stringify(b) ||
  (a !== undefined && b !== undefined && a.version === b.version && a.url === b.url);

function imageOf({ agentImage: then }: SiteDocument, { agentImage: now }: SiteDocument) {
  return {
    part: now === undefined ? {} : { agentImage: now },
    kept: sameImage(then, now)
      ? []
      : [
          `The agent image stays ${now === undefined ? "the one of the server" : now.version}: images are rolled out, not restored. ${then === undefined ? "" : `Version ${then.version} can be added again under another version on the page Agent images.`}`.trim(),
        ],
  };
}

/** What a tenant could do then but not now was taken away on purpose, so a restore does not give it back. */
function tenantsOf({ tenants: then }: SiteDocument, { tenants: now }: SiteDocument) {
  const has = new Map(now?.map((tenant) => [tenant.org, tenant]));
  const limited = then?.map((tenant): TenantEntry => {
    const today = has.get(tenant.org);
    return {
      ...tenant,
      networkAllocation: tenant.networkAllocation && today?.networkAllocation === true,
      targetedInstanceCreation: tenant.targetedInstanceCreation && today?.targetedInstanceCreation === true,
    };
  });
  const lost = then?.filter((tenant, index) =>
    tenantGrants.some((kind) => tenant[kind] !== limited?.[index]?.[kind]),
  );
  return {
    part: limited === undefined ? {} : { tenants: limited },
    kept: (lost ?? []).map(
      ({ org }) =>
        `What the tenant ${org} had at this site then and has not now is not given back. Give it on the page Tenants.`,
    ),
  };
}

/**
 * Without `shared`, SKUs and tenants are left alone, because they belong to all sites. Pure.
 * @param then the version to restore
 * @param now the current state in the tables
 */
export function restorationOf(
  then: SiteDocument,
  now: SiteDocument,
  { shared }: { readonly shared: boolean },
): Restoration {
  const controller = controllerOf(then, now);
  const image = imageOf(then, now);
  const credentials = credentialsOf(then, now);
  const { networkController: _, agentImage: __, bmcCredentials: ___, tenants: ____, skus, ...rest } = then;
  const tenants = tenantsOf(then, now);
  const belongsToAll = {
    ...(skus === undefined ? {} : { skus }),
    ...tenants.part,
  };
  const sharedDiffers = siteDifference(now, { ...now, ...belongsToAll }).length > 0;
  return {
    document: {
      ...rest,
      ...controller.part,
      ...credentials.part,
      ...image.part,
      ...(shared ? belongsToAll : {}),
    },
    kept: [
      ...controller.kept,
      ...credentials.kept,
      ...image.kept,
      ...(shared ? tenants.kept : []),
      ...(!shared && sharedDiffers
        ? [
            "SKUs and tenants stay as they are now: they belong to all sites, and are restored only on request.",
          ]
        : []),
    ],
  };
}
