// Revokes every credential of a person whose passkeys were lost or stolen: passkeys, password, tokens, sessions. Done by another provider admin, or from the
// server's machine (docs/adr/0113-passkeys.md).
import { randomUUID } from "node:crypto";
import { people } from "@/server/contract/access/people";
import { hashPassword } from "@/server/db/secrets/passwords";
import { newPassword } from "@/server/domain/access/tokens";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { letInBy } from "@/server/usecases/access/resets";
import { localActor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { findPerson } from "@/server/usecases/access/people/person-state";
import { notFound, refused } from "@/server/usecases/problem";

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
    const passkeys = await tx.passkey.count({ where: { personId } });
    const { resetBy, firstPasswordBy } = await tx.person.findUniqueOrThrow({ where: { id: personId } });
    if (passkeys === 0 && resetBy.length === 0 && firstPasswordBy === null)
      return refused("notAllowedNow", `${email} has no passkey. Nothing was changed.`, "personId");
    const password = newPassword();
    await tx.passkey.deleteMany({ where: { personId } });
    await tx.passkeyChallenge.deleteMany({ where: { personId } });
    await tx.apiToken.deleteMany({ where: { personId } });
    await tx.person.update({
      where: { id: personId },
      data: {
        passwordHash: await hashPassword(password),
        // Nothing that others set remains, so they are forgotten.
        resetBy: [...(await letInBy(tx, actor))],
        firstPasswordBy: null,
        sessionEpoch: { increment: 1 },
      },
    });
    return acted({
      value: { personId, email, password },
      targetId: personId,
      tenantId,
      before: { passkeys },
      after: { email, passkeys: 0, reason },
    });
  },
  committed: accessChanged,
});

/** From the server's machine: nobody is signed in, which the audit log shows. */
export async function resetPasskeysOf(
  backend: Backend,
  email: string,
  reason: string,
): ReturnType<typeof resetPasskeys> {
  const person = await backend.database.person.findUnique({
    where: { email: email.trim().toLowerCase() },
    select: { id: true },
  });
  if (person === null) return notFound("person", email);
  const request = { requestId: `machine-${randomUUID()}`, address: null };
  return resetPasskeys(backend, localActor, request, { personId: person.id, reason });
}
