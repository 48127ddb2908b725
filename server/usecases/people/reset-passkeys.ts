// Removes the passkeys of somebody who lost them: another provider admin's act, or that of who has the server's machine (docs/adr/0113-passkeys.md).
import { randomUUID } from "node:crypto";
import { people } from "@/server/contract/access/people";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { localActor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { defineAct } from "@/server/usecases/define-act";
import { findPerson } from "@/server/usecases/people/person-state";
import { done, notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export const resetPasskeys = defineAct({
  ...people.resetPasskeys,
  names: ({ personId }) => ({ kind: "person", id: personId }),
  find: ({ tx }, { personId }) => findPerson(tx, personId),
  run: async ({ tx, actor }, { personId, email, standing: { tenantId } }, { reason }) => {
    // safety: passkeys: nobody resets their own
    if (actor.personId === personId)
      return refused(
        "notAllowedNow",
        "You cannot reset your own passkeys. Remove them on the page Account, or ask another provider admin.",
        "personId",
      );
    const by = actor.kind === "local" ? null : actor.personId;
    const { count } = await tx.passkey.deleteMany({ where: { personId } });
    const { passkeysResetBy: before } = await tx.person.findUniqueOrThrow({ where: { id: personId } });
    if (count === 0 && (before === null || before === by)) return done({ value: { personId }, changes: [] });
    await tx.passkeyChallenge.deleteMany({ where: { personId } });
    await tx.person.update({
      where: { id: personId },
      data: { passkeysResetBy: by, passkeysResetAt: new Date(), sessionEpoch: { increment: 1 } },
    });
    return done({
      value: { personId },
      changes: [
        { targetId: personId, tenantId, before: { passkeys: count }, after: { email, passkeys: 0, reason } },
      ],
    });
  },
  committed: accessChanged,
});

/** By who has the server's machine: nobody is signed in, and the log says so. */
export async function resetPasskeysOf(
  backend: Backend,
  email: string,
  reason: string,
): Promise<Outcome<{ readonly personId: string }>> {
  const person = await backend.database.person.findUnique({
    where: { email: email.trim().toLowerCase() },
    select: { id: true },
  });
  if (person === null) return notFound("person", email);
  const request = { requestId: `machine-${randomUUID()}`, address: null };
  return resetPasskeys(backend, localActor, request, { personId: person.id, reason });
}
