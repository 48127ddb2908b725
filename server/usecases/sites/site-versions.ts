// The stored versions of a site's document: each is what the tables contained after an apply, or before it (docs/adr/0048-site-document.md).
import { z } from "zod";
import { siteChange, siteDifference } from "@/server/domain/sites/difference";
import type { SiteChange } from "@/server/domain/sites/difference";
import { completed, siteDocument } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { Reader, Transaction } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import type { SettingChange, SiteVersionLine } from "@/server/contract/sites/sites";
import type { Backend } from "@/server/usecases/backend";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

const changeList = z.array(siteChange);

/** A stored document; null if this release cannot read it, because the one that stored it knows more or other settings. */
export const storedVersion = (document: unknown): SiteDocument | null =>
  siteDocument.safeParse(completed(document)).data ?? null;

/** The document of a stored version of a site. */
export async function readVersion(
  reader: Reader,
  { siteId, site, version }: { readonly siteId: string; readonly site: string; readonly version: number },
): Promise<Outcome<SiteDocument>> {
  const row = await reader.siteVersion.findUnique({ where: { siteId_version: { siteId, version } } });
  if (row === null) return notFound("version", `${version} of the site ${site}`);
  const document = storedVersion(row.document);
  return document === null
    ? refused(
        "notAllowedNow",
        `Version ${version} of the site ${site} has settings that this release of Reclaim does not support.`,
        "version",
      )
    : done(document);
}

interface NewVersion {
  readonly document: SiteDocument;
  readonly changes: readonly SiteChange[];
  readonly reason: string;
  /** Null if other acts made it. */
  readonly by: Pick<Actor, "personId" | "name"> | null;
  /** The second person; null if none was needed. */
  readonly approved: Pick<Actor, "personId" | "name"> | null;
}

async function append(
  tx: Transaction,
  siteId: string,
  version: number,
  { document, changes, reason, by, approved }: NewVersion,
): Promise<number> {
  await tx.siteVersion.create({
    data: {
      siteId,
      version,
      document,
      changes: [...changes],
      reason,
      byId: by?.personId ?? null,
      byName: by?.name ?? null,
      approvedById: approved?.personId ?? null,
      approvedByName: approved?.name ?? null,
    },
  });
  return version;
}

/**
 * Stores the next version. If the site differs from the last version, what was found is stored first, so that the history has no gap.
 * @param found null for a new site
 */
export async function storeVersion(
  tx: Transaction,
  siteId: string,
  found: SiteDocument | null,
  next: NewVersion,
): Promise<number> {
  const last = await tx.siteVersion.findFirst({ where: { siteId }, orderBy: { version: "desc" } });
  if (found === null) return append(tx, siteId, 1, next);
  if (last === null) {
    await append(tx, siteId, 1, {
      document: found,
      changes: [],
      reason: "The site before its first document.",
      by: null,
      approved: null,
    });
    return append(tx, siteId, 2, next);
  }
  const known = storedVersion(last.document);
  const meanwhile = known === null ? null : siteDifference(known, found);
  if (meanwhile !== null && meanwhile.length === 0) return append(tx, siteId, last.version + 1, next);
  await append(tx, siteId, last.version + 1, {
    document: found,
    changes: meanwhile ?? [],
    reason: `Changed outside the document since version ${last.version}. See the audit log.`,
    by: null,
    approved: null,
  });
  return append(tx, siteId, last.version + 2, next);
}

interface VersionRow {
  readonly version: number;
  readonly at: Date;
  readonly byName: string | null;
  readonly reason: string;
  readonly changes: unknown;
}

interface VersionsRequest {
  readonly site: string;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Throws if the stored value is no list of changes. */
export async function siteVersions(
  { database }: Backend,
  actor: Actor,
  { site: name, before, limit }: VersionsRequest,
): Promise<Outcome<readonly SiteVersionLine[]>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const site = await database.site.findUnique({ where: { name }, select: { id: true } });
  if (site === null) return notFound("site", name);
  const rows = await database.siteVersion.findMany({
    where: { siteId: site.id, ...(before === undefined ? {} : { version: { lt: before } }) },
    select: { version: true, at: true, byName: true, approvedByName: true, reason: true, changes: true },
    orderBy: { version: "desc" },
    take: limit,
  });
  return done(rows.map(({ changes, ...row }) => ({ ...row, changes: changeList.parse(changes) })));
}

/** Versions read per batch, because their changes may be long. */
const atATime = 200;

/** The last change of each setting that any version mentions. Throws if the stored value is no list of changes. */
export async function lastChanges(
  { database }: Backend,
  actor: Actor,
  { site: name }: { readonly site: string },
): Promise<Outcome<readonly SettingChange[]>> {
  const scope = scopeOf(actor, "site.read");
  if (!scope.ok) return scope;
  const site = await database.site.findUnique({ where: { name }, select: { id: true } });
  if (site === null) return notFound("site", name);
  const found = new Map<string, SettingChange>();
  let before: number | undefined;
  do {
    const rows: readonly VersionRow[] = await database.siteVersion.findMany({
      where: { siteId: site.id, ...(before === undefined ? {} : { version: { lt: before } }) },
      select: { version: true, at: true, byName: true, reason: true, changes: true },
      orderBy: { version: "desc" },
      take: atATime,
    });
    for (const { changes, ...row } of rows)
      for (const { path } of changeList.parse(changes)) {
        const key = JSON.stringify(path);
        if (!found.has(key)) found.set(key, { path, ...row });
      }
    before = rows.length < atATime ? undefined : rows.at(-1)?.version;
  } while (before !== undefined);
  return done([...found.values()]);
}
