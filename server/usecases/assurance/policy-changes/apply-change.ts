// Makes the change of a site that another person has just approved: carries out the requested act in the transaction of the decision, in the requester's name
// (docs/adr/0112-policy-changes-by-two-people.md).
import type { Transaction } from "@/server/db/prisma";
import { secretPlaces } from "@/server/db/secrets/secret-box";
import { reachOf } from "@/server/domain/access/access";
import { roles } from "@/server/domain/access/roles";
import {
  changesForTwo,
  isAskingAction,
  proposedDigest,
  siteAdded,
  standingDigest,
  unreadableSite,
} from "@/server/domain/sites/two-people";
import type { Actor } from "@/server/usecases/actor";
import type { ActContext } from "@/server/usecases/define-act";
import { askingActs } from "@/server/usecases/assurance/policy-changes/acts";
import { forgetRequests } from "@/server/usecases/assurance/policy-changes/outdated";
import type { OutdatedField } from "@/server/usecases/assurance/policy-changes/outdated";
import { isAsSeen, keptRequest, madeSite } from "@/server/usecases/assurance/policy-changes/seen-site";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { tryStanding } from "@/server/usecases/sites/site-standing";
import { storeVersion } from "@/server/usecases/sites/site-versions";

/** The request becomes void, which is recorded after the decision was rolled back. */
const outdated = (what: string, field: OutdatedField) =>
  refused("conflict", `${what}, so this request is void. Ask again.`, field);

const otherRelease = () =>
  refused("notAllowedNow", "This release cannot make the change that was asked for. Ask again.");

/** The requester with their current role. Null if they can no longer sign in. */
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
  if (change === null || change.request === null || !isAskingAction(change.action)) return otherRelease();
  const kept = keptRequest.safeParse(
    JSON.parse(secrets.open(change.request, secretPlaces.policyChange(change.id))),
  );
  if (!kept.success) return otherRelease();
  const { input, seen } = kept.data;
  const act = askingActs[change.action];
  const asked = await tx.approval.findUniqueOrThrow({ where: { id: approvalId } });
  const by = await whoAsked(tx, asked.askedBy);
  if (by === null)
    return refused(
      "notAllowedNow",
      `${asked.askedByName}, who asked for this, cannot sign in any more. Reject it.`,
    );
  if (reachOf(by.role, act.right) === "none")
    return refused(
      "notAllowedNow",
      `${asked.askedByName}, who asked for this, may no longer change it. Reject the request.`,
    );
  const before = await tryStanding(tx, change.siteName);
  if (before === "unreadable") return refused("notAllowedNow", unreadableSite(change.siteName));
  // safety: two people: what is made is a change of what was seen
  if (before === null || standingDigest(before) !== change.base)
    return outdated("The policy has changed since", "base");
  // safety: two people: a document does not undo what was changed meanwhile
  if (!(await isAsSeen(tx, seen))) return outdated(`Site ${seen?.site ?? ""} has changed since`, "seen");
  const had = await newestVersion(tx, before.siteId);
  const made = await act.within(
    {
      ...context,
      ...{ actor: by, by: { personId: by.personId, name: by.name, requestId: context.request.requestId } },
      approved: { approvalId, personId: actor.personId, name: actor.name },
    },
    input,
  );
  if (!made.ok) return made;
  const after = await tryStanding(tx, change.siteName);
  if (after === null || after === "unreadable") throw new Error(`the site ${change.siteName} cannot be read`);
  const newSite = await madeSite(tx, seen);
  // safety: two people: what is made is what was approved
  if (proposedDigest(after, newSite) !== change.proposed)
    return outdated("The change would now make something else than was shown", "proposed");
  const newest = await newestVersion(tx, before.siteId);
  const version =
    newest > had
      ? newest
      : await storeVersion(tx, before.siteId, before.document, {
          ...{
            document: after.document,
            changes: [...changesForTwo(before, after), ...(newSite === null ? [] : [siteAdded(newSite)])],
          },
          ...{ reason: asked.reason, by, approved: actor },
        });
  await tx.policyChange.update({ where: { id: change.id }, data: { version } });
  await forgetRequests(tx);
  return done(null);
}

/** Acts that apply a document store the version themselves. 0 if there is none. */
async function newestVersion(tx: Transaction, siteId: string): Promise<number> {
  const { _max } = await tx.siteVersion.aggregate({ where: { siteId }, _max: { version: true } });
  return _max.version ?? 0;
}
