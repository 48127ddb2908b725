// The keys that sign the audit log: which ones auditors trust, and the change to a new one.
import { askForKey, lockKeys, readPublicKeys } from "@/server/db/audit-log/keys";
import type { PublicKey } from "@/server/db/audit-log/keys";
import { audit } from "@/server/contract/audit-log/audit-log";
import type { Actor } from "@/server/usecases/actor";
import type { Backend } from "@/server/usecases/backend";
import { acted, defineAct } from "@/server/usecases/define-act";
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

/** Only requests the new key: a compromised server that created it would also know it (docs/adr/0101-audit-log.md). */
export const rotateAuditKey = defineAct({
  ...audit.rotateKey,
  names: () => ({ kind: "key", id: "audit" }),
  find: async ({ tx }) => {
    const { keys, ...standing } = await lockKeys(tx);
    const [newest] = keys;
    return newest === undefined
      ? null
      : { id: "audit", belongs: { tenantId: null }, value: { newest, ...standing } };
  },
  run: async ({ tx }, { newest, vouched, wanted }, { reason }) => {
    if (wanted || !vouched)
      return refused("notAllowedNow", "The last key change is not signed yet. Retry in a second.");
    await askForKey(tx);
    return acted({
      value: { before: newest.key },
      targetId: "audit",
      tenantId: null,
      before: { key: newest.key },
      after: { reason },
    });
  },
});
