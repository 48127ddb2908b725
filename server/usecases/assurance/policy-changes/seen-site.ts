// The site that a document names, at the time when it was applied and became a request. Covers the whole site, including parts that need only one person,
// because approving writes the whole document (docs/adr/0112-policy-changes-by-two-people.md).
import { hash } from "node:crypto";
import { z } from "zod";
import type { Reader } from "@/server/db/prisma";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { revisionOf } from "@/server/domain/sites/difference";
import { parseSiteDocument } from "@/server/domain/sites/parse-document";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import type { SiteStanding } from "@/server/domain/sites/two-people";
import { readSiteStanding } from "@/server/usecases/sites/site-standing";
import { readSiteState } from "@/server/usecases/sites/site-state";
import type { SiteState } from "@/server/usecases/sites/site-state";

const seenSite = z.strictObject({
  site: z.string(),
  /** Null if the site did not exist. */
  state: z.string().nullable(),
});
export type SeenSite = z.infer<typeof seenSite>;

const digest = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");

/** Distinguishes all states of a site, including its secrets and those of its BMCs. Pure. */
const stateDigest = (state: SiteState): string =>
  evidenceDigest({
    revision: revisionOf(state.document),
    networkToken: state.networkToken === null ? null : digest(state.networkToken),
    acknowledgementTokens: state.acknowledgementHashes.map(digest).sort(),
    passwords: [...state.credentials]
      .map(([name, { password }]) => [name, digest(password)].join(" "))
      .sort(),
    unreadable: state.unreadable.map(({ name }) => name).sort(),
  });

async function readSeen(reader: Reader, site: string): Promise<SeenSite> {
  const state = await readSiteState(reader, site);
  return { site, state: state === null ? null : stateDigest(state) };
}

const named = z.looseObject({ document: z.string() });

/** Null if the act applies no document: what it writes is then part of the state of the sites that need two people. */
export async function seenBy(reader: Reader, action: AuditAction, input: unknown): Promise<SeenSite | null> {
  const asked = action === "site.apply" ? named.safeParse(input).data : undefined;
  const parsed = asked === undefined ? undefined : parseSiteDocument(asked.document);
  return parsed?.ok === true ? readSeen(reader, parsed.document.site) : null;
}

/** Whether the site is unchanged; true if there was none to compare. */
export async function isAsSeen(reader: Reader, seen: SeenSite | null): Promise<boolean> {
  try {
    return seen === null || (await readSeen(reader, seen.site)).state === seen.state;
  } catch (error) {
    // It could be read at that time, so it has changed.
    if (error instanceof z.ZodError) return false;
    throw error;
  }
}

/** The site that a document created; null if the site existed before. */
export const madeSite = (reader: Reader, seen: SeenSite | null): Promise<SiteStanding | null> =>
  seen === null || seen.state !== null ? Promise.resolve(null) : readSiteStanding(reader, seen.site);

/** What a request stores, encrypted: its input, and the site as it was. */
export const keptRequest = z.strictObject({ input: z.unknown(), seen: seenSite.nullable() });
export type KeptRequest = z.infer<typeof keptRequest>;
