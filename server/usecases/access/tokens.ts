// Lists API tokens and revokes them. Their text is stored nowhere.
import { isApiTokenExpired } from "@/server/domain/access/tokens";
import { tokenScope } from "@/server/domain/access/token-scopes";
import { tokens } from "@/server/contract/access/people";
import type { TokenLine } from "@/server/contract/access/people";
import { accessChanged } from "@/server/usecases/access/access-changes";
import { personScope } from "@/server/usecases/access/person-scope";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export async function listTokens(
  { database }: Backend,
  actor: Actor,
  { personId }: { readonly personId?: string | undefined },
): Promise<Outcome<readonly TokenLine[]>> {
  const scope = personScope(actor, "token.read", personId);
  if (!scope.ok) return scope;
  const rows = await database.apiToken.findMany({
    where: scope.value === null ? {} : { personId: scope.value },
    include: { person: { select: { name: true } } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: 1000,
  });
  const now = new Date();
  return done(
    rows.map(({ id, name, personId: holder, person, scope: stored, createdAt, expiresAt, lastUsedAt }) => ({
      tokenId: id,
      name,
      personId: holder,
      personName: person.name,
      scope: tokenScope(stored),
      createdAt,
      expiresAt,
      expired: isApiTokenExpired(expiresAt, now),
      lastUsedAt,
    })),
  );
}

export const revokeToken = defineAct({
  ...tokens.revoke,
  names: ({ tokenId }) => ({ kind: "token", id: tokenId }),
  find: async ({ tx }, { tokenId }) => {
    const token = await tx.apiToken.findUnique({
      where: { id: tokenId },
      include: { person: { select: { tenantId: true, name: true } } },
    });
    if (token === null) return null;
    const { personId, person } = token;
    return { id: tokenId, belongs: { tenantId: person.tenantId, personId }, value: token };
  },
  run: async ({ tx }, { id: tokenId, name, personId, person }) => {
    await tx.apiToken.deleteMany({ where: { id: tokenId } });
    return acted({
      value: { tokenId },
      targetId: tokenId,
      tenantId: person.tenantId,
      before: { name, personId },
      after: null,
    });
  },
  committed: accessChanged,
});
