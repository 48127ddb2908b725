// The proof that an event is in the audit log. To get one later, give the event an id (`AuditEvent.id`) and write it in the transaction of the change, with
// `writeAudit` or with `auditText` in a statement of your own. Then call this until the proof exists: about two seconds. `checkProof`
// (server/domain/audit-log/check-proof.ts) verifies it without a database.
import { formatProof } from "@/server/domain/audit-log/tlog-proof";
import { inclusionRanges } from "@/server/domain/audit-log/proofs";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { LogDatabase } from "@/server/db/audit-log/keys";
import { readCosigned, readEntries, readProof, readSeq } from "@/server/db/audit-log/log-rows";

/** What proves that an event is in the log. */
export interface EventProof {
  /** Sequence number of the event. */
  readonly seq: number;
  /** The entry as it is hashed: canonical JSON. */
  readonly entry: string;
  /** In C2SP tlog-proof format: hashes, and the checkpoint with its signatures and cosignatures. */
  readonly proof: string;
  /** Whether the checkpoint has as many cosignatures as the policy requires. */
  readonly quorum: boolean;
}

/**
 * The proof of one event.
 * @param policy of the deployment (`Backend.auditPolicy`); omitted: no witnesses are required
 * @returns null: no checkpoint covers the event yet, or it is unknown
 */
export async function readEventProof(
  database: LogDatabase,
  eventId: string,
  policy: Policy | undefined,
): Promise<EventProof | null> {
  const seq = await readSeq(database, eventId);
  const served = seq === null ? null : await readCosigned(database, policy, { seq });
  if (seq === null || served === null) return null;
  const { checkpoint, note, quorum } = served;
  const hashes = await readProof(database, inclusionRanges(seq, checkpoint.size));
  const [entry] = await readEntries(database, seq, 1);
  return {
    seq,
    entry: Buffer.from(entry ?? []).toString("utf8"),
    proof: formatProof(seq, hashes, note),
    quorum,
  };
}
