// Checks the proof of one event against trusted keys only (https://c2sp.org/tlog-proof). The command, the console and certificates share this check.
import { signerOf } from "@/server/domain/audit-log/checkpoint";
import { leafHash } from "@/server/domain/audit-log/merkle";
import type { VerifierKey } from "@/server/domain/audit-log/note";
import { quorumOf } from "@/server/domain/audit-log/policy";
import type { Policy } from "@/server/domain/audit-log/policy";
import { parseProof, provesEntry } from "@/server/domain/audit-log/tlog-proof";

export interface CheckedProof {
  /** What is wrong; empty: nothing. */
  readonly faults: readonly string[];
  /** Number of the event in the log. */
  readonly index: number;
  /** Events that the checkpoint covers. */
  readonly size: number;
  readonly origin: string | null;
  /** The trusted key that signed the checkpoint; null: no keys are trusted, so the signer is unknown. */
  readonly signer: VerifierKey | null;
  /** Names of the policy's witnesses that cosigned. */
  readonly witnesses: readonly string[];
}

/** @param entry the event's canonical JSON @param proof a `.tlog-proof` */
export async function checkProof(entry: Uint8Array, proof: string, policy: Policy): Promise<CheckedProof> {
  const parsed = parseProof(proof);
  if (parsed === null)
    return { faults: ["it is not a proof"], index: 0, size: 0, origin: null, signer: null, witnesses: [] };
  const { index, checkpoint } = parsed;
  const faults: string[] = [];
  // safety: audit log: a proof is of its entry
  if (!provesEntry(parsed, leafHash(entry))) faults.push("it is not the proof of this event");
  const signer = policy.logs.length === 0 ? null : await signerOf(checkpoint, policy.logs);
  // safety: audit log: a proof is signed by a trusted key
  if (signer?.ok === false) faults.push(`the checkpoint: ${signer.why}`);
  const { met, witnesses, forged } = await quorumOf(checkpoint, policy);
  for (const { name } of forged) faults.push(`the cosignature of the witness ${name} does not verify`);
  // safety: audit log: a proof carries the quorum
  if (!met) faults.push("fewer witnesses have cosigned the checkpoint than the policy asks for");
  return {
    faults,
    index,
    size: checkpoint.size,
    origin: checkpoint.origin,
    signer: signer?.ok === true ? signer.key : null,
    witnesses: witnesses.map(({ name }) => name),
  };
}
