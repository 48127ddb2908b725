// Creates a bearer token for one of the caller's programs. Its text is in this answer and nowhere else (docs/security.md#people-and-tokens).
import { randomUUID } from "node:crypto";
import { isApiTokenExpired, newApiToken, tokenHash } from "@/server/domain/access/tokens";
import { tokens } from "@/server/contract/access/people";
import { acted, defineAct } from "@/server/usecases/define-act";
import { lockPeople } from "@/server/usecases/access/people/person-state";
import { refused } from "@/server/usecases/problem";

export const createToken = defineAct({
  ...tokens.create,
  names: ({ personId }) => ({ kind: "person", id: personId }),
  find: async ({ tx }, { personId }) => {
    // safety: access: no token is made for a person who is being disabled
    await lockPeople(tx);
    const person = await tx.person.findUnique({
      where: { id: personId },
      select: { id: true, tenantId: true, disabledAt: true },
    });
    return person === null
      ? null
      : { id: person.id, belongs: { tenantId: person.tenantId, personId: person.id }, value: person };
  },
  run: async ({ tx, actor }, person, { name, scope, expiresAt }) => {
    // A token created by a token could outlive the first one's expiry and revocation.
    // safety: access: a token makes no token
    if (actor.kind !== "person")
      return refused("forbidden", "A token can only be created in the console, after signing in there.");
    if (isApiTokenExpired(expiresAt, new Date()))
      return refused("invalid", "The token would already have expired.", "expiresAt");
    if (person.disabledAt !== null) return refused("notAllowedNow", "The person is disabled.", "personId");
    const token = newApiToken();
    const id = randomUUID();
    await tx.apiToken.create({
      data: { id, hash: tokenHash(token), name, personId: person.id, scope, expiresAt },
    });
    return acted({
      value: { tokenId: id, token },
      targetId: id,
      tenantId: person.tenantId,
      before: null,
      after: { name, personId: person.id, scope, expiresAt: expiresAt?.toISOString() ?? null },
    });
  },
});
