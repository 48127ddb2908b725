// Makes a bearer token for a program; its text is in this answer and nowhere else.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { newApiToken, tokenHash } from "@/server/domain/access/tokens";
import { defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";

export const createToken = defineAct({
  action: "token.create",
  right: "token.create",
  input: z.strictObject({
    personId: z.uuid("must be the id of a person"),
    name: z.string().trim().min(1).max(128),
    expiresAt: z.date().nullable().default(null),
  }),
  names: ({ personId }) => ({ kind: "person", id: personId }),
  find: async ({ tx }, { personId }) => {
    const person = await tx.person.findUnique({
      where: { id: personId },
      select: { id: true, tenantId: true },
    });
    return person === null
      ? null
      : { id: person.id, belongs: { tenantId: person.tenantId, personId: person.id }, value: person };
  },
  run: async ({ tx }, person, { name, expiresAt }) => {
    const token = newApiToken();
    const id = randomUUID();
    await tx.apiToken.create({ data: { id, hash: tokenHash(token), name, personId: person.id, expiresAt } });
    return done({
      value: { tokenId: id, token },
      changes: [
        {
          targetId: id,
          tenantId: person.tenantId,
          before: null,
          after: { name, personId: person.id, expiresAt: expiresAt?.toISOString() ?? null },
        },
      ],
    });
  },
});
