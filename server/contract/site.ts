// Sites as documents (docs/adr/0048-site-document.md).
import { z } from "zod";
import { authorityExpiries, authorityUses } from "@/server/domain/site/authorities";
import { siteChange } from "@/server/domain/site/difference";
import { siteDocument } from "@/server/domain/site/document";
import { longestDocument } from "@/server/domain/site/parse-document";
import { act, list, read, reason, record } from "@/server/contract/define";

/** By name, as documents have it. */
const site = z.string().min(1, "must be the name of a site").max(64);
/** YAML or JSON: faults are told by line and column. */
const document = z.string().max(longestDocument, "is too long");
const revision = z.string().min(1).max(64);
const changes = list(siteChange);
const version = z.int().min(1);

/** SKUs that are stored and cannot be read: a document has them not, and leaves them alone. */
const unreadable = list(record({ name: z.string(), faults: list(z.string()) }));

const siteAuthority = record({
  /** In the document. */
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
  /** The newest that is stored, or the one that was asked for; null: no document was applied yet. */
  version: z.number().nullable(),
  /** Of the site as it is now; null where an earlier version was asked for. */
  revision: z.string().nullable(),
  document: siteDocument,
  /** The certificates in it, one by one. */
  authorities: list(siteAuthority),
  unreadable,
});
export type SiteView = z.infer<typeof siteView>;

const siteComparison = record({
  site: z.string(),
  /** False: applying it would make the site. */
  exists: z.boolean(),
  revision: z.string().nullable(),
  changes,
  unreadable,
});
export type SiteComparison = z.infer<typeof siteComparison>;

const siteVersionLine = record({
  version: z.number(),
  at: z.date(),
  /** Null: what an apply found that other acts had made. */
  byName: z.string().nullable(),
  /** The second person; null: it took one. */
  approvedByName: z.string().nullable(),
  reason: z.string(),
  /** To the version before. */
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
  /** Of the site as it is now, to be sent with the request that restores. */
  revision: z.string(),
  /** To be applied. */
  document: siteDocument,
  /** What stays as it is, with the reason and what to do. */
  kept: list(z.string()),
  changes,
});
export type SiteRestoration = z.infer<typeof siteRestoration>;

const siteApplied = record({
  site: z.string(),
  created: z.boolean(),
  /** False: the site was so already, or this was a dry run. */
  applied: z.boolean(),
  /** That was stored; null: none. */
  version: z.number().nullable(),
  /** Of the site as it is now: after a dry run, the one to send with the request that follows. Null: there is no site yet. */
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
      /** Only earlier ones than this. */
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
      /** With the SKUs and tenants, which belong to all sites. */
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
      /** Values of the secrets that the document names, as `env:NAME` and `file:path`. They are stored encrypted or hashed, and never given out. */
      secrets: z.record(z.string().max(1_100), z.string().min(1).max(4_096)).default({}),
      /** What the person saw: refused when the site is another by now. */
      revision: revision.optional(),
      /** Without it, a document of an unknown site is refused. */
      create: z.boolean().default(false),
      /** Does everything, and takes it back. */
      dryRun: z.boolean().default(false),
      reason,
    }),
    output: siteApplied,
  }),
};
