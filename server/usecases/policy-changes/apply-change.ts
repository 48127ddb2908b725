// Makes the change of a site that another person has just approved: the act that was asked for, in the transaction of the decision and in the name of who asked
// (docs/adr/0112-policy-changes-by-two-people.md).
import type { Transaction } from "@/server/db/prisma";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { roles } from "@/server/domain/access/roles";
import {
  changesForTwo,
  documentDigest,
  isAskingAction,
  standingDigest,
} from "@/server/domain/site/two-people";
import type { Actor } from "@/server/usecases/actor";
import type { ActContext } from "@/server/usecases/define-act";
import { askingActs } from "@/server/usecases/policy-changes/acts";
import { forgetRequests } from "@/server/usecases/policy-changes/outdated";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { readStanding } from "@/server/usecases/sites/site-standing";
import { storeVersion } from "@/server/usecases/sites/site-versions";

/** What a refusal names where the site is not as it was. */
export const outdatedField = "base";
const outdated = () =>
  refused(
    "conflict",
    "The policy has changed since. This request is void: apply the change again.",
    outdatedField,
  );

/** Who asked, as the role is now. Null: cannot sign in any more. */
async function whoAsked(tx: Transaction, personId: string): Promise<Actor | null> {
  const person = await tx.person.findUnique({ where: { id: personId } });
  const role = roles.find((known) => known === person?.role);
  return person === null || person.disabledAt !== null || role === undefined
    ? null
    : {
        ...{ kind: "person", personId, role, name: person.name, email: person.email },
        ...{ tenantId: person.tenantId, org: null, targetedAt: [] },
      };
}

/** The caller holds the lock on sites, and has written the decision. */
export async function applyChange(context: ActContext, approvalId: string): Promise<Outcome<null>> {
  const { tx, secrets, actor } = context;
  const change = await tx.policyChange.findUnique({ where: { approvalId } });
  if (change === null || change.request === null || !isAskingAction(change.action))
    return refused("notAllowedNow", "This release cannot make the change that was asked for. Ask again.");
  const asked = await tx.approval.findUniqueOrThrow({ where: { id: approvalId } });
  const by = await whoAsked(tx, asked.askedBy);
  if (by === null)
    return refused(
      "notAllowedNow",
      `${asked.askedByName}, who asked for this, cannot sign in any more. Reject it.`,
    );
  const before = await readStanding(tx, change.siteName);
  // safety: two people: what is made is a change of what was seen
  if (before === null || standingDigest(before) !== change.base) return outdated();
  const had = await newestVersion(tx, before.siteId);
  const input: unknown = JSON.parse(secrets.open(change.request, secretPlaces.policyChange(change.id)));
  const made = await askingActs[change.action].within(
    {
      ...context,
      ...{ actor: by, by: { personId: by.personId, name: by.name, requestId: context.request.requestId } },
      approved: { approvalId, personId: actor.personId, name: actor.name },
    },
    input,
  );
  if (!made.ok) return made;
  const after = await readStanding(tx, change.siteName);
  // safety: two people: what is made is what was approved
  if (after === null || documentDigest(after.document) !== change.proposed) return outdated();
  const newest = await newestVersion(tx, before.siteId);
  const version =
    newest > had
      ? newest
      : await storeVersion(tx, before.siteId, before.document, {
          ...{ document: after.document, changes: changesForTwo(before, after) },
          ...{ reason: asked.reason, by, approved: actor },
        });
  await tx.policyChange.update({ where: { id: change.id }, data: { version } });
  await forgetRequests(tx);
  return done(null);
}

/** Acts that apply a document store the version themselves. 0: there is none. */
async function newestVersion(tx: Transaction, siteId: string): Promise<number> {
  const { _max } = await tx.siteVersion.aggregate({ where: { siteId }, _max: { version: true } });
  return _max.version ?? 0;
}
