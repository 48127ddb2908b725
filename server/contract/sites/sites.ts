// Sites as documents (docs/adr/0048-site-document.md).
import { z } from "zod";
import { authorityExpiries, authorityUses } from "@/server/domain/sites/authorities";
import { siteChange } from "@/server/domain/sites/difference";
import { siteDocument } from "@/server/domain/sites/document";
import { longestDocument } from "@/server/domain/sites/parse-document";
import { act, list, read, reason, record } from "@/server/contract/define";

/** Name of the site, as in documents. */
const site = z.string().min(1, "must be the name of a site").max(64);
/** YAML or JSON; faults are reported by line and column. */
const document = z.string().max(longestDocument, "is too long");
const revision = z.string().min(1).max(64);
const changes = list(siteChange);
const version = z.int().min(1);

/** Stored SKUs that cannot be read: documents omit them, and an apply leaves them alone. */
const unreadable = list(record({ name: z.string(), faults: list(z.string()) }));

const siteAuthority = record({
  /** Its name in the document. */
  name: z.string(),
  usedFor: list(z.enum(authorityUses)),
  subject: z.string(),
  sha256: z.string(),
  /** ISO 8601. */
  validFrom: z.string(),
  validTo: z.string(),
  expiry: z.enum(authorityExpiries),
});
export type SiteAuthorityLine = z.infer<typeof siteAuthority>;

const siteView = record({
  siteId: z.string(),
  site: z.string(),
  /** The newest stored version, or the requested one; null if no document was applied yet. */
  version: z.number().nullable(),
  /** Revision of the current site; null if an earlier version was requested. */
  revision: z.string().nullable(),
  document: siteDocument,
  /** The certificates in the document, one by one. */
  authorities: list(siteAuthority),
  unreadable,
});
export type SiteView = z.infer<typeof siteView>;

const siteComparison = record({
  site: z.string(),
  /** False if an apply would create the site. */
  exists: z.boolean(),
  revision: z.string().nullable(),
  changes,
  unreadable,
});
export type SiteComparison = z.infer<typeof siteComparison>;

const siteVersionLine = record({
  version: z.number(),
  at: z.date(),
  /** Null if an apply found changes that other acts had made. */
  byName: z.string().nullable(),
  /** The second person; null if none was needed. */
  approvedByName: z.string().nullable(),
  reason: z.string(),
  /** Compared with the previous version. */
  changes,
});
export type SiteVersionLine = z.infer<typeof siteVersionLine>;

const settingChange = record({
  path: z.array(z.string()).readonly(),
  version: z.number(),
  at: z.date(),
  byName: z.string().nullable(),
  reason: z.string(),
});
export type SettingChange = z.infer<typeof settingChange>;

const versionDifference = record({
  site: z.string(),
  from: z.number(),
  to: z.number().nullable(),
  changes,
});
export type VersionDifference = z.infer<typeof versionDifference>;

const siteRestoration = record({
  site: z.string(),
  version: z.number(),
  /** Revision of the current site, to be sent with the request that restores. */
  revision: z.string(),
  /** The document to apply. */
  document: siteDocument,
  /** What the restore leaves as it is, each with the reason and what to do. */
  kept: list(z.string()),
  changes,
});
export type SiteRestoration = z.infer<typeof siteRestoration>;

const siteApplied = record({
  site: z.string(),
  created: z.boolean(),
  /** False if nothing had to change, or in a dry run. */
  applied: z.boolean(),
  /** The version that was stored; null if none was. */
  version: z.number().nullable(),
  /** Revision of the current site; after a dry run, send it with the real request. Null if the site does not exist yet. */
  revision: z.string().nullable(),
  changes,
  unreadable,
});
export type SiteApplied = z.infer<typeof siteApplied>;

export const siteOperations = {
  get: read({
    title: "a site as a document, as it is or as it was in an earlier version",
    right: "site.read",
    input: z.strictObject({ site, version: version.optional() }),
    output: siteView,
  }),
  compare: read({
    title: "what applying a document would change at its site; changes nothing",
    right: "site.read",
    input: z.strictObject({ document }),
    output: siteComparison,
  }),
  versions: read({
    title: "the versions of a site's document, newest first: when, by whom, why, and what changed",
    right: "site.read",
    input: z.strictObject({
      site,
      /** Only versions before this one. */
      before: version.optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    output: list(siteVersionLine),
  }),
  difference: read({
    title: "the differences between two versions of a site, or between a version and the current site",
    right: "site.read",
    input: z.strictObject({ site, from: version, to: version.nullable().default(null) }),
    output: versionDifference,
  }),
  lastChanges: read({
    title: "who last changed each setting of a site, according to its versions",
    right: "site.read",
    input: z.strictObject({ site }),
    output: list(settingChange),
  }),
  previewRestore: read({
    title: "what restoring an earlier version of a site would change, and what it cannot bring back",
    right: "site.read",
    input: z.strictObject({
      site,
      version,
      /** Includes the SKUs and tenants, which are shared by all sites. */
      shared: z.boolean().default(false),
    }),
    output: siteRestoration,
  }),
  apply: act({
    title: "applies a document to a site",
    right: "site.apply",
    action: "site.apply",
    input: z.strictObject({
      document,
      /** Values of the secrets that the document names, as `env:NAME` and `file:path`. They are stored encrypted or hashed, and never returned. */
      secrets: z.record(z.string().max(1_100), z.string().min(1).max(4_096)).default({}),
      /** The revision that the person saw; refused if the site has changed since. */
      revision: revision.optional(),
      /** Without it, a document for an unknown site is refused. */
      create: z.boolean().default(false),
      /** Does everything, then rolls it back. */
      dryRun: z.boolean().default(false),
      reason,
    }),
    output: siteApplied,
  }),
};
