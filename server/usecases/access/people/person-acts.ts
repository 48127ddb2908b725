// Acts on a person: name, role and organization, disabled or not, and a new password. Changes take effect at once.
import { changeRefusal } from "@/server/domain/access/people";
import type { PersonStatus } from "@/server/domain/access/people";
import { newPassword } from "@/server/domain/access/tokens";
import { people } from "@/server/contract/access/people";
import { hashPassword } from "@/server/db/secrets/passwords";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { letInBy } from "@/server/usecases/access/resets";
import { acted, unchanged, defineAct } from "@/server/usecases/define-act";
import type { ActContext, Acted } from "@/server/usecases/define-act";
import { findPerson, personFacts } from "@/server/usecases/access/people/person-state";
import type { PersonState } from "@/server/usecases/access/people/person-state";
import { notFound, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

const onPerson = {
  names: ({ personId }: { readonly personId: string }) => ({ kind: "person", id: personId }),
  find: ({ tx }: ActContext, { personId }: { readonly personId: string }) => findPerson(tx, personId),
  committed: accessChanged,
};

type ChangedPerson = Outcome<Acted<{ readonly personId: string }>>;

/** The new values of a person. */
interface Next {
  readonly name: string;
  readonly org: string | null;
  readonly standing: PersonStatus;
}

/** Checks the rules and writes; no-op if nothing differs. */
async function makePerson(
  { tx, actor }: ActContext,
  person: PersonState,
  next: Next,
): Promise<ChangedPerson> {
  const { personId, email, standing: before, otherAdmins } = person;
  const { standing: after } = next;
  const refusal = changeRefusal({ actorId: actor.personId, personId, before, after, otherAdmins });
  if (refusal !== null) return refused(refusal.code, refusal.message, refusal.field);
  const [was, is] = [personFacts(person), personFacts({ email, ...next })];
  if (JSON.stringify(was) === JSON.stringify(is)) return unchanged({ personId });
  const { role, tenantId, disabled } = after;
  const isSwitched = disabled !== before.disabled;
  await tx.person.update({
    where: { id: personId },
    data: {
      name: next.name,
      role,
      tenantId,
      ...(isSwitched ? { disabledAt: disabled ? new Date() : null } : {}),
      ...(isSwitched && disabled ? { sessionEpoch: { increment: 1 } } : {}),
    },
  });
  if (disabled) await tx.apiToken.deleteMany({ where: { personId } });
  return acted({ value: { personId }, targetId: personId, tenantId, before: was, after: is });
}

export const changePerson = defineAct({
  ...people.change,
  ...onPerson,
  run: async (context, person, { name, role, org }) => {
    const wanted = org === undefined ? person.org : org;
    const tenant = wanted === null ? null : await context.tx.tenant.findUnique({ where: { org: wanted } });
    if (wanted !== null && tenant === null) return notFound("organization", wanted);
    return makePerson(context, person, {
      name: name ?? person.name,
      org: wanted,
      standing: { ...person.standing, role: role ?? person.standing.role, tenantId: tenant?.id ?? null },
    });
  },
});

export const disablePerson = defineAct({
  ...people.disable,
  ...onPerson,
  run: (context, person) =>
    makePerson(context, person, { ...person, standing: { ...person.standing, disabled: true } }),
});

export const enablePerson = defineAct({
  ...people.enable,
  ...onPerson,
  run: (context, person) =>
    makePerson(context, person, { ...person, standing: { ...person.standing, disabled: false } }),
});

export const resetPassword = defineAct({
  ...people.resetPassword,
  ...onPerson,
  run: async ({ tx, actor }, { personId, email, standing }) => {
    if (actor.personId === personId)
      return refused("notAllowedNow", "Change your own password on the Account page.", "personId");
    const password = newPassword();
    const by = await letInBy(tx, actor);
    const { resetBy, firstPasswordBy } = await tx.person.findUniqueOrThrow({ where: { id: personId } });
    // Another first password from the person who set the first one lets in nobody new.
    const added = firstPasswordBy === actor.personId ? [] : by;
    await tx.person.update({
      where: { id: personId },
      data: {
        passwordHash: await hashPassword(password),
        // Tokens remain, and so do the people who may have created them: `resetPasskeys` removes both.
        resetBy: [...new Set([...resetBy, ...added])],
        sessionEpoch: { increment: 1 },
      },
    });
    return acted({
      value: { personId, email, password },
      targetId: personId,
      tenantId: standing.tenantId,
      before: null,
      after: { email },
    });
  },
});
