// Signs checkpoints as the log does, and cosigns them as witnesses do. Only code that has a secret key uses this file.
import { sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { checkpointText } from "@/server/domain/audit-log/checkpoint";
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { cosignedMessage, uint64 } from "@/server/domain/audit-log/cosignature";
import { formatNote } from "@/server/domain/audit-log/note";
import type { NoteSignature, VerifierKey } from "@/server/domain/audit-log/note";
import type { TreeHead } from "@/server/domain/audit-log/proofs";

/** A signing key of the log. */
export interface LogSigner {
  readonly key: VerifierKey;
  readonly secret: KeyObject;
}

/** Signs a tree head with each of the keys. Returns the text of the note. */
export function signCheckpoint(origin: string, head: TreeHead, signers: readonly LogSigner[]): string {
  const text = checkpointText(origin, head);
  return formatNote({
    text,
    signatures: signers.map(({ key: { name, id }, secret }) => ({
      name,
      keyId: id,
      bytes: sign(null, Buffer.from(text, "utf8"), secret),
    })),
  });
}

/** Cosigns a checkpoint. Throws if the key is not a witness's. */
export function cosign(checkpoint: Checkpoint, { key, secret }: LogSigner, at: Date): NoteSignature {
  const seconds = Math.floor(at.getTime() / 1_000);
  const message = cosignedMessage(checkpoint, key, seconds);
  if (message === null) throw new Error("a key that signs logs does not cosign");
  return {
    name: key.name,
    keyId: key.id,
    bytes: Buffer.concat([uint64(seconds), sign(null, message, secret)]),
  };
}
