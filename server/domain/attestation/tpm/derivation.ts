// Key derivation of a TPM (TPM 2.0 Library, Part 1, 11.4.10): KDFa from a secret, KDFe from a shared point.
import { createHash, createHmac } from "node:crypto";
import { digestLength, type HashName } from "@/server/domain/attestation/tpm/algorithms";

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A label with its final zero. */
export const labelBytes = (label: string): Buffer => Buffer.from(`${label}\0`, "latin1");

function blocks(hash: HashName, bytes: number, block: (counter: number) => Buffer): Buffer {
  const count = Math.ceil(bytes / digestLength(hash));
  return Buffer.concat(Array.from({ length: count }, (_, index) => block(index + 1))).subarray(0, bytes);
}

/** @param bytes length of the key. Pure. */
export const deriveFromSecret = (
  hash: HashName,
  secret: Uint8Array,
  label: string,
  context: Uint8Array,
  bytes: number,
): Buffer =>
  blocks(hash, bytes, (counter) =>
    createHmac(hash, secret)
      .update(Buffer.concat([u32(counter), labelBytes(label), context, u32(bytes * 8)]))
      .digest(),
  );

/** `ours` and `theirs`: the X coordinates of both public points. Pure. */
export const deriveFromPoint = (
  hash: HashName,
  shared: Uint8Array,
  label: string,
  ours: Uint8Array,
  theirs: Uint8Array,
  bytes: number,
): Buffer =>
  blocks(hash, bytes, (counter) =>
    createHash(hash)
      .update(Buffer.concat([u32(counter), shared, labelBytes(label), ours, theirs]))
      .digest(),
  );
