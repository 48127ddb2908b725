// The keys that sign the audit log: what auditors trust, and the change to a new one.
import { addKey, lockKeys, readPublicKeys } from "@/server/db/audit-log/keys";
import type { PublicKey } from "@/server/db/audit-log/keys";
import { audit } from "@/server/contract/access/audit";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { defineAct } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function listAuditKeys(
  { database }: Backend,
  actor: Actor,
): Promise<Outcome<readonly PublicKey[]>> {
  const scope = scopeOf(actor, "audit.read");
  return scope.ok ? done(await readPublicKeys(database)) : scope;
}

export const rotateAuditKey = defineAct({
  ...audit.rotateKey,
  names: () => ({ kind: "key", id: "audit" }),
  find: async ({ tx }) => {
    const { keys, vouched } = await lockKeys(tx);
    const [newest] = keys;
    return newest === undefined
      ? null
      : { id: "audit", belongs: { tenantId: null }, value: { newest, vouched } };
  },
  run: async ({ tx, secrets }, { newest, vouched }, { reason }) => {
    // safety: audit log: each key is vouched for by the one before it
    if (!vouched)
      return refused("notAllowedNow", "The last change of keys is not signed yet. Ask again in a second.");
    const { id, publicKey } = await addKey(tx, secrets, newest.origin);
    return done({
      value: { origin: newest.origin, key: publicKey, createdAt: new Date() },
      changes: [
        {
          targetId: id,
          tenantId: null,
          before: { key: newest.key },
          after: { key: publicKey, reason },
        },
      ],
    });
  },
});
