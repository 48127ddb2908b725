// The caller's own passkeys, and what the caller must confirm decisions with.
import type { passkeys } from "@/server/contract/access/passkeys";
import type { z } from "zod";
import { passkeySite, requiredMethod } from "@/server/domain/access/passkeys";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export async function listPasskeys(
  { database, publicUrl }: Backend,
  actor: Actor,
): Promise<Outcome<z.output<typeof passkeys.list.output>>> {
  const site = passkeySite(publicUrl);
  const rows = await database.passkey.findMany({
    where: { personId: actor.personId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return done({
    items: rows.map(({ id: passkeyId, name, createdAt, lastUsedAt, rpId }) => ({
      passkeyId,
      name,
      createdAt,
      lastUsedAt,
      elsewhere: site.ok && site.rpId === rpId ? null : rpId,
    })),
    confirmsWith: requiredMethod(rows.length),
    refusal: site.ok ? null : site.reason,
  });
}
