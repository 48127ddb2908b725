// Which changes to a site need two people if its policy says so (docs/adr/0112-policy-changes-by-two-people.md).
import type { AuditAction } from "@/server/domain/access/audit-actions";
import { evidenceDigest } from "@/server/domain/assurance/approvals/evidence-digest";
import { siteDifference } from "@/server/domain/sites/difference";
import type { SiteChange } from "@/server/domain/sites/difference";
import { normalForm } from "@/server/domain/sites/document";
import type { SiteDocument } from "@/server/domain/sites/document";

/** The actions that make such changes. At a site that needs two people, they create a request instead. */
export const askingActions = [
  "site.apply",
  "site.setErase",
  "site.setAdmission",
  "site.setAutomatedClean",
  "host.setAutomatedClean",
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
  "rollout.finish",
] as const satisfies readonly AuditAction[];
export type AskingAction = (typeof askingActions)[number];

export const isAskingAction = (action: string): action is AskingAction =>
  askingActions.some((asking) => asking === action);

/** How long a request waits for a decision. */
export const changeDays = 7;

/** The part of a site that matters here. */
export interface SiteStanding {
  readonly siteId: string;
  readonly document: SiteDocument;
  /** Digests of the secrets, of which the document says only that they exist. */
  readonly networkToken: string | null;
  readonly acknowledgementTokens: readonly string[];
  /** Names of SKUs that this release cannot read and that are missing from the document. */
  readonly unreadable: readonly string[];
  /** What settings of single hosts leave out of their cleaning, which the document does not contain. */
  readonly leftOut: readonly LeftOutOfHost[];
}

/** `automatedClean`, or the name of a step with priority 0. */
export interface LeftOutOfHost {
  readonly host: string;
  readonly setting: string;
}

/**
 * Everything in the document except tenants, BMC credentials and the location. A wrong quota, password or city makes no host Ready, and a password may have to be changed at
 * once. Pure.
 */
export function twoPeoplePart(document: SiteDocument): SiteDocument {
  const { tenants: _, bmcCredentials: __, location: ___, ...rest } = normalForm(document);
  return rest;
}

const sorted = (texts: readonly string[]): readonly string[] => [...texts].sort();

const leftOutTexts = ({ leftOut }: SiteStanding): readonly string[] =>
  sorted(leftOut.map(({ host, setting }) => `${host} ${setting}`));

/** Absent where nothing is left out, so that requests of the previous release, which does not know it, stay valid. */
const leftOutPart = (standing: SiteStanding): { readonly leftOut?: readonly string[] } =>
  standing.leftOut.length === 0 ? {} : { leftOut: leftOutTexts(standing) };

/** Identifies a state of that part, including its secrets. Pure. */
export const standingDigest = ({ document, ...rest }: SiteStanding): string =>
  evidenceDigest({
    document: JSON.parse(JSON.stringify(twoPeoplePart(document))),
    networkToken: rest.networkToken,
    acknowledgementTokens: sorted(rest.acknowledgementTokens),
    unreadable: sorted(rest.unreadable),
    ...leftOutPart({ document, ...rest }),
  });

/** The same for what a document says about it. Pure. */
export const documentDigest = (document: SiteDocument): string =>
  evidenceDigest({ document: JSON.parse(JSON.stringify(twoPeoplePart(document))) });

/** Identifies a proposed change: the site after it, and a new site if it creates one. Pure. */
export const proposedDigest = (after: SiteStanding, made: SiteStanding | null): string =>
  made === null && after.leftOut.length === 0
    ? documentDigest(after.document)
    : evidenceDigest({
        after: documentDigest(after.document),
        ...leftOutPart(after),
        ...(made === null ? {} : { made: documentDigest(made.document) }),
      });

const secretChange = (path: readonly string[]): SiteChange => ({
  kind: "secret",
  path,
  before: null,
  after: null,
});

/** The addition of a site if another one needs two people, so that nobody evades the rule by creating a site of their own. Pure. */
export function siteAdded({ document }: SiteStanding): SiteChange {
  const { skus: _, ...own } = twoPeoplePart(document);
  const after: SiteChange["after"] = JSON.parse(JSON.stringify(own));
  return { kind: "add", path: ["sites", document.site], before: null, after };
}

function hostsLeftOut(before: SiteStanding, after: SiteStanding): readonly SiteChange[] {
  const was = new Set(leftOutTexts(before));
  const added = after.leftOut.filter(({ host, setting }) => !was.has(`${host} ${setting}`));
  // safety: two people: the cleaning of a host is not left out by one (always)
  if (added.length === 0) return [];
  return added.map(({ host, setting }) => ({
    kind: "add" as const,
    path: ["hosts", host, setting],
    before: null,
    after: setting === "automatedClean" ? false : 0,
  }));
}

/** The changes that two people have to agree to. Empty: one person is enough. Pure. */
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
    // Cleaning a host again needs one person.
    ...hostsLeftOut(before, after),
  ];
}

/**
 * Why the setting cannot be switched on; null: it can. Pure.
 * @param people who can sign in and could request and decide
 * @param tried the agent image that the site is rolling out, which one person could make current
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

/** The message for a request made for an earlier state of the site. */
export const outdatedText = "the policy has changed since";

/** The message for a request whose site cannot be read. */
export const unreadableSite = (site: string): string =>
  `This release of Reclaim cannot read the settings of site ${site}, whose changes need two people, so it cannot say what would change there. Use the release that wrote them.`;
