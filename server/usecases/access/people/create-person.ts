// Creates a person who can sign in. The initial password is in this answer and nowhere else.
import { randomUUID } from "node:crypto";
import { personStatusFault } from "@/server/domain/access/people";
import { newPassword } from "@/server/domain/access/tokens";
import { people } from "@/server/contract/access/people";
import { hashPassword } from "@/server/db/secrets/passwords";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockPeople, personFacts } from "@/server/usecases/access/people/person-state";
import { notFound, refused } from "@/server/usecases/problem";

export const createPerson = defineAct({
  ...people.create,
  names: ({ email }) => ({ kind: "person", id: email }),
  find: async ({ tx }, { email }) => {
    await lockPeople(tx);
    return { id: email, belongs: { tenantId: null }, value: email.trim().toLowerCase() };
  },
  run: async ({ tx, actor }, email, { name, role, org }) => {
    const tenant = org === null ? null : await tx.tenant.findUnique({ where: { org } });
    if (org !== null && tenant === null) return notFound("organization", org);
    const tenantId = tenant?.id ?? null;
    const fault = personStatusFault({ role, tenantId });
    if (fault !== null) return refused(fault.code, fault.message, fault.field);
    if ((await tx.person.count({ where: { email } })) > 0)
      return refused("conflict", `A person with the email address ${email} already exists.`, "email");
    const password = newPassword();
    const personId = randomUUID();
    await tx.person.create({
      data: {
        ...{ id: personId, email, name, role, tenantId },
        passwordHash: await hashPassword(password),
        firstPasswordBy: actor.kind === "local" ? null : actor.personId,
      },
    });
    const standing = { role, tenantId, disabled: false };
    return acted({
      value: { personId, email, password },
      targetId: personId,
      tenantId,
      before: null,
      after: personFacts({ email, name, org, standing }),
    });
  },
});
