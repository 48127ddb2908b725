// State of the audit log: numbered, signed and cosigned events, and who could change them.
import { formatKey } from "@/server/domain/audit-log/note";
import type { AuditState } from "@/server/contract/audit-log/audit-log";
import { readLastCheck } from "@/server/db/audit-log/check-rows";
import { readPublicKeys } from "@/server/db/audit-log/keys";
import { readCosigned, readNewestCosignatures, readSignedAt } from "@/server/db/audit-log/log-rows";
import { readProtection } from "@/server/db/audit-log/protection";
import { readTree } from "@/server/db/audit-log/sequencer";
import { poolOf } from "@/server/db/prisma";
import type { Actor } from "@/server/usecases/actor";
import { maxWitnessLagMs } from "@/server/usecases/audit-log/log-file";
import type { Backend } from "@/server/usecases/backend";
import { done } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";
import { scopeOf } from "@/server/usecases/read";

export async function readAuditState(
  { database, auditPolicy }: Backend,
  actor: Actor,
): Promise<Outcome<AuditState>> {
  const scope = scopeOf(actor, "audit.read");
  if (!scope.ok) return scope;
  const pool = poolOf(database);
  const served = await readCosigned(pool, auditPolicy, { maxAgeMs: maxWitnessLagMs });
  const cosigned = await readNewestCosignatures(pool);
  const last = await readLastCheck(database);
  const signedAt = served === null ? null : await readSignedAt(pool, served.checkpoint.size);
  return done({
    numbered: (await readTree(pool)).size,
    checkpoint:
      served === null || signedAt === null
        ? null
        : { size: served.checkpoint.size, signedAt, note: served.note },
    keys: await readPublicKeys(database),
    witnesses: (auditPolicy?.witnesses ?? []).map(({ name, key, url }) => ({
      name,
      key: formatKey(key),
      url,
      cosigned: cosigned.get(key.id) ?? null,
    })),
    quorum: auditPolicy === undefined ? null : (served?.quorum ?? false),
    ...(await readProtection(pool)),
    selfAudit:
      last === null
        ? null
        : {
            at: last.at,
            ok: last.ok,
            events: last.events,
            faults: last.faults,
            open: last.open,
            first: last.first,
          },
  });
}
