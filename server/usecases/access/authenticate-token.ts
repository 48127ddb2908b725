// The actor behind a bearer token.
import type { Database } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { knownPerson, personColumns } from "@/server/usecases/access/read-actor";
import { tokenHash } from "@/server/domain/access/tokens";
import { tokenScope } from "@/server/domain/access/token-scopes";
import { noteUse } from "@/server/usecases/repair/external-systems";
import { accessKey } from "@/server/usecases/access/access-changes";
import { unknownCallers } from "@/server/usecases/access/unknown-callers";
import { perDatabase } from "@/server/usecases/timed-cache";

/** How long another process may still accept a revoked token. */
export const tokenAgeMs = 5_000;

export interface KnownToken {
  readonly actor: Actor;
  readonly expiresAtMs: number;
}

const cacheOf = perDatabase<KnownToken | null>("tokens", { ttlMs: tokenAgeMs, max: 10_000 });

async function lookUp(database: Database, hash: Uint8Array<ArrayBuffer>): Promise<KnownToken | null> {
  const row = await database.apiToken.findUnique({
    where: { hash },
    select: { id: true, expiresAt: true, lastUsedAt: true, scope: true, person: { select: personColumns } },
  });
  const known = row === null ? null : knownPerson(row.person);
  if (row === null || known === null) return null;
  await noteUse(row.lastUsedAt, (data) => database.apiToken.updateMany({ where: { id: row.id }, data }));
  return {
    actor: {
      ...known.actor,
      kind: "token",
      ...(tokenScope(row.scope) === "read" ? { readOnly: true } : {}),
    },
    expiresAtMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/**
 * Null for a token that is unknown or expired, which is counted and logged.
 * @param token the text after `Bearer `
 * @param address of the caller; null if not known
 */
export async function authenticateToken(
  database: Database,
  token: string,
  address: string | null = null,
): Promise<Actor | null> {
  const actor = await actorOf(database, token);
  if (actor === null) unknownCallers().note(database, address);
  return actor;
}

async function actorOf(database: Database, token: string): Promise<Actor | null> {
  if (token.length < 20 || token.length > 256) return null;
  const hash = tokenHash(token);
  const known = await cacheOf(database).get(accessKey(hash.toString("hex")), () => lookUp(database, hash));
  return known === null || known.expiresAtMs <= Date.now() ? null : known.actor;
}
