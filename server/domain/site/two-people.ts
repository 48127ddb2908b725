// What of a site two people change, where its policy says so (docs/adr/0112-policy-changes-by-two-people.md).
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { evidenceDigest } from "@/server/domain/approvals/evidence-digest";
import { siteDifference } from "@/server/domain/site/difference";
import type { SiteChange } from "@/server/domain/site/difference";
import { normalForm } from "@/server/domain/site/document";
import type { SiteDocument } from "@/server/domain/site/document";

/** The acts that may change it. Where a site needs two people, they ask instead. */
export const askingActions = [
  "site.apply",
  "site.setErase",
  "site.setAdmission",
  "site.setAutomatedClean",
  "procedure.save",
  "procedure.remove",
  "override.save",
  "override.remove",
  "image.add",
  "sku.create",
  "sku.createFromHost",
  "sku.change",
  "sku.captureBaseline",
  "sku.remove",
] as const satisfies readonly AuditAction[];
export type AskingAction = (typeof askingActions)[number];

export const isAskingAction = (action: string): action is AskingAction =>
  askingActions.some((asking) => asking === action);

/** How long a request waits for its decision. */
export const changeDays = 7;

/** A site as far as it matters here. */
export interface SiteStanding {
  readonly siteId: string;
  readonly document: SiteDocument;
  /** Of the secrets, of which the document says only that they are there: digests. */
  readonly networkToken: string | null;
  readonly acknowledgementTokens: readonly string[];
  /** SKUs that this release cannot read, by name; the document has them not. */
  readonly unreadable: readonly string[];
}

/**
 * All of the document but tenants and BMC credentials: a wrong quota or password lets no host become Ready, and a password may have to be changed at once. Pure.
 */
export function twoPeoplePart(document: SiteDocument): SiteDocument {
  const { tenants: _, bmcCredentials: __, ...rest } = normalForm(document);
  return rest;
}

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

/** Tells states of that part apart, with its secrets. Pure. */
export const standingDigest = ({ document, ...rest }: SiteStanding): string =>
  evidenceDigest({
    document: JSON.parse(JSON.stringify(twoPeoplePart(document))),
    networkToken: rest.networkToken,
    acknowledgementTokens: sorted(rest.acknowledgementTokens),
    unreadable: sorted(rest.unreadable),
  });

/** The same of what a document says of it. Pure. */
export const documentDigest = (document: SiteDocument): string =>
  evidenceDigest({ document: JSON.parse(JSON.stringify(twoPeoplePart(document))) });

/** Tells what is to be made apart: a site, and with it one that is new. Pure. */
export const proposedDigest = (after: SiteStanding, made: SiteStanding | null): string =>
  made === null
    ? documentDigest(after.document)
    : evidenceDigest({ after: documentDigest(after.document), made: documentDigest(made.document) });

const secretChange = (path: readonly string[]): SiteChange => ({
  kind: "secret",
  path,
  before: null,
  after: null,
});

/** That there is a new site, where another one needs two people: nobody escapes them by a site of their own. Pure. */
export function siteAdded({ document }: SiteStanding): SiteChange {
  const { skus: _, ...own } = twoPeoplePart(document);
  const after: SiteChange["after"] = JSON.parse(JSON.stringify(own));
  return { kind: "add", path: ["sites", document.site], before: null, after };
}

/** What two people have to agree to. Empty: this may be done by one. Pure. */
export function changesForTwo(before: SiteStanding, after: SiteStanding): readonly SiteChange[] {
  const tokens = (standing: SiteStanding) => sorted(standing.acknowledgementTokens).join(" ");
  const gone = before.unreadable.filter((name) => !after.unreadable.includes(name));
  const shown = new Set(after.document.skus?.map(({ name }) => name));
  return [
    ...siteDifference(twoPeoplePart(before.document), twoPeoplePart(after.document)),
    ...(before.networkToken === after.networkToken ? [] : [secretChange(["networkController", "token"])]),
    ...(tokens(before) === tokens(after)
      ? []
      : [secretChange(["networkController", "acknowledgementToken"])]),
    ...gone
      .filter((name) => !shown.has(name))
      .map((name) => ({
        kind: "remove" as const,
        path: ["skus", name],
        before: "not readable",
        after: null,
      })),
  ];
}

/**
 * Why the setting cannot be switched on; null: it can. Pure.
 * @param people who could ask and decide, and can sign in
 * @param tried the agent image that the site tries: one person makes it current
 */
export function switchOnRefusal(people: number, tried: string | null): string | null {
  // safety: two people: nobody switches on what nobody could approve
  if (people < 2)
    return people === 1
      ? "This cannot be switched on yet: only one provider admin can sign in, and a change needs two. Add another one first."
      : "This cannot be switched on yet: no provider admin can sign in, and a change needs two. Add two first.";
  // safety: two people: an image that one person added is not made current later (always)
  return tried === null
    ? null
    : `This cannot be switched on while the site tries the agent image ${tried}, which one person could still make current. Make it current or withdraw it first.`;
}

/** What is said of a request that was made for another state of the site. */
export const outdatedWords = "the policy has changed since";

/** What is said of a request whose site cannot be read. */
export const unreadableSite = (site: string): string =>
  `This release of Reclaim cannot read the settings of site ${site}, whose changes need two people, so it cannot say what would change there. Use the release that wrote them.`;
