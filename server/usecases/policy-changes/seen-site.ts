// The site that a document names, as it was when the document was applied and asked for approval: all of it, also what needs one person, since approving writes
// the whole document (docs/adr/0112-policy-changes-by-two-people.md).
import { hash } from "node:crypto";
import { z } from "zod";
import type { Reader } from "@/server/db/prisma";
import { evidenceDigest } from "@/server/domain/approvals/evidence-digest";
import { revisionOf } from "@/server/domain/site/difference";
import { parseSiteDocument } from "@/server/domain/site/parse-document";
import type { AuditAction } from "@/server/domain/access/audit-actions";
import type { SiteStanding } from "@/server/domain/site/two-people";
import { readStanding } from "@/server/usecases/sites/site-standing";
import { readSiteState } from "@/server/usecases/sites/site-state";
import type { SiteState } from "@/server/usecases/sites/site-state";

const seenSite = z.strictObject({
  site: z.string(),
  /** Null: there was no such site. */
  state: z.string().nullable(),
});
export type SeenSite = z.infer<typeof seenSite>;

const digest = (bytes: Uint8Array): string => hash("sha256", bytes, "hex");

/** Tells all states of a site apart, with its secrets and those of its BMCs. Pure. */
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

/** Null: the act applies no document, so what it writes is in the state of the sites that need two people. */
export async function seenBy(reader: Reader, action: AuditAction, input: unknown): Promise<SeenSite | null> {
  const asked = action === "site.apply" ? named.safeParse(input).data : undefined;
  const parsed = asked === undefined ? undefined : parseSiteDocument(asked.document);
  return parsed?.ok === true ? readSeen(reader, parsed.document.site) : null;
}

/** Whether its site is as it was; null says that there was none to look at. */
export async function isAsSeen(reader: Reader, seen: SeenSite | null): Promise<boolean> {
  try {
    return seen === null || (await readSeen(reader, seen.site)).state === seen.state;
  } catch (error) {
    // It could be read when it was seen.
    if (error instanceof z.ZodError) return false;
    throw error;
  }
}

/** The site that a document has made; null: it is of a site that there was. */
export const madeSite = (reader: Reader, seen: SeenSite | null): Promise<SiteStanding | null> =>
  seen === null || seen.state !== null ? Promise.resolve(null) : readStanding(reader, seen.site);

/** What a request keeps, sealed: its input, and what it was asked of. */
export const keptRequest = z.strictObject({ input: z.unknown(), seen: seenSite.nullable() });
export type KeptRequest = z.infer<typeof keptRequest>;
