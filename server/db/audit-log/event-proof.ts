// The proof that an event is in the audit log. Whoever needs one later gives the event an id (`AuditEvent.id`), writes it with `writeAudit`, or `auditText`
// in a statement of its own, in the transaction of the change, and asks here until the proof is there: about two seconds. `checkProof`
// (server/domain/audit-log/check-proof.ts) checks it without a database.
import { formatProof } from "@/server/domain/audit-log/tlog-proof";
import { inclusionRanges } from "@/server/domain/audit-log/proofs";
import type { Policy } from "@/server/domain/audit-log/policy";
import type { LogDatabase } from "@/server/db/audit-log/keys";
import { readCosigned, readEntries, readProof, readSeq } from "@/server/db/audit-log/log-rows";

/** What proves that an event is in the log. */
export interface EventProof {
  /** Number of the event. */
  readonly seq: number;
  /** The entry, as it is hashed: canonical JSON. */
  readonly entry: string;
  /** In the form of C2SP tlog-proof: hashes, and the checkpoint with its signatures and cosignatures. */
  readonly proof: string;
  /** Whether the checkpoint has as many cosignatures as the policy asks for. */
  readonly quorum: boolean;
}

/**
 * The proof of one event.
 * @param policy of the deployment (`Backend.auditPolicy`); left out: no witness is asked for
 * @returns null: the event is not covered by a checkpoint yet, or is unknown
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
