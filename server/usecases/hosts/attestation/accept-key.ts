// Accepts the endorsement key that a host's TPM has proven, after the mainboard or the TPM was replaced (docs/attestation.md#another-key).
import { sql } from "kysely";
import { attestation as contract } from "@/server/contract/hosts/attestation";
import { queryRows } from "@/server/db/sql";
import { acted, defineAct, unchanged } from "@/server/usecases/define-act";
import { wakeHosts } from "@/server/usecases/hosts/wake-hosts";
import { refused } from "@/server/usecases/problem";

interface KeyRow {
  readonly digest: string | null;
  readonly accepted: string | null;
  readonly boot_epoch: number;
  readonly activated: boolean;
  readonly contested: boolean;
}

export const acceptKey = defineAct({
  ...contract.acceptKey,
  names: ({ hostId }) => ({ kind: "host", id: hostId }),
  find: async ({ tx }, { hostId }) => {
    const host = await tx.host.findUnique({ where: { id: hostId }, select: { id: true } });
    if (host === null) return null;
    const [row] = await queryRows(
      tx,
      sql<KeyRow>`
      SELECT t.key_digest AS digest, t.accepted_digest AS accepted, t.boot_epoch, t.activated_at IS NOT NULL AS activated,
        EXISTS (SELECT 1 FROM boot_window b WHERE b.host_id = t.host_id AND b.boot_epoch = t.boot_epoch AND b.contested_at IS NOT NULL) AS contested
      FROM host_tpm t WHERE t.host_id = ${hostId}::uuid FOR UPDATE OF t`,
    );
    return { id: hostId, belongs: { tenantId: null }, value: row ?? null };
  },
  run: async ({ tx, actor }, row, { hostId, digest, reason }) => {
    // safety: attestation: only a key that the TPM has proven is accepted
    if (row === null || !row.activated)
      return refused("notAllowedNow", "The TPM has proven no key in the newest boot that told of it.");
    // safety: attestation: no key of a contested boot is accepted
    if (row.contested)
      return refused(
        "notAllowedNow",
        "The key was proven in a boot that is contested. Wait for the next boot.",
      );
    // safety: attestation: what is accepted is what was seen
    if (row.digest !== digest)
      return refused("conflict", "The key has changed again since you read it. Read it again.", "digest");
    if (row.accepted === digest) return unchanged({ digest });
    await tx.hostTpm.update({
      where: { hostId },
      data: {
        ...{ acceptedDigest: digest, acceptedAs: "operator", acceptedAt: new Date(), acceptedBy: actor.name },
        ...{ acceptedEpoch: row.boot_epoch, provenAt: new Date(), provenEpoch: row.boot_epoch },
      },
    });
    // A host that is only cleaned measured has waited for this.
    await wakeHosts(tx, [hostId]);
    return acted({
      value: { digest },
      targetId: hostId,
      tenantId: null,
      before: { key: row.accepted },
      after: { key: digest, reason },
      tell: { wake: true, feed: [{ hostId, tenantId: null, what: "settings" }] },
    });
  },
});
