// Changes of a site that need two people (docs/adr/0112-policy-changes-by-two-people.md).
import { z } from "zod";
import { siteChange } from "@/server/domain/sites/difference";
import { siteDocument } from "@/server/domain/sites/document";
import { askingActions } from "@/server/domain/sites/two-people";
import { decided } from "@/server/contract/assurance/approvals";
import { act, list, paging, read, reason, record } from "@/server/contract/define";

const line = {
  id: z.string(),
  /** Id of the request, for `approvals.decide`. */
  approvalId: z.string(),
  evidence: z.string(),
  siteId: z.string(),
  site: z.string(),
  /** The requested act; text if it is another release's. */
  action: z.enum(askingActions).or(z.string()),
  /** Certificates are listed by subject and SHA-256. */
  changes: list(siteChange),
  askedBy: z.string(),
  askedAt: z.date(),
  reason: z.string(),
  /** When the request expires. */
  validUntil: z.date(),
  /** Version of the site that contains the change; null if it was not made. */
  version: z.number().nullable(),
  ...decided,
  /** The caller asked for it, and it is pending. */
  mayWithdraw: z.boolean(),
};
const policyChangeLine = record(line);
export type PolicyChangeLine = z.infer<typeof policyChangeLine>;

const policyChangePage = record({ items: list(policyChangeLine), nextCursor: z.string().nullable() });
export type PolicyChangePage = z.infer<typeof policyChangePage>;

const policyChangeView = record({
  ...line,
  /** The site as it would become, without tenants, BMC credentials and secrets. */
  document: siteDocument,
});
export type PolicyChangeView = z.infer<typeof policyChangeView>;

const id = z.guid("must be the id of a change");

export const policyChanges = {
  list: read({
    title: "changes of sites that wait for the approval of another provider admin, or were decided",
    right: "assurance.read",
    input: z.strictObject({
      /** Only changes of the site with this name. */
      site: z.string().max(64).nullable().default(null),
      /** Those that were decided, expired or are void, newest first, instead of the pending ones. */
      over: z.boolean().default(false),
      ...paging(200, 50),
    }),
    output: policyChangePage,
  }),
  get: read({
    title: "one change of a site with the document as it is to be",
    right: "assurance.read",
    input: z.strictObject({ id }),
    output: policyChangeView,
  }),
  withdraw: act({
    title: "takes back a change of a site that the caller asked for",
    right: "site.apply",
    action: "policyChange.withdraw",
    input: z.strictObject({ id, reason }),
    output: record({ withdrawn: z.literal(true) }),
  }),
};
