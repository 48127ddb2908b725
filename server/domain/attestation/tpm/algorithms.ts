// The algorithms of a TPM that Reclaim accepts, by their numbers (TCG Algorithm Registry).
import { TpmFault } from "@/server/domain/attestation/tpm/reader";

export const algorithms = {
  rsa: 0x0001,
  aes: 0x0006,
  null: 0x0010,
  rsassa: 0x0014,
  rsapss: 0x0016,
  oaep: 0x0017,
  ecdsa: 0x0018,
  ecc: 0x0023,
  cfb: 0x0043,
} as const;

/** Names of `node:crypto`. */
export type HashName = "sha256" | "sha384" | "sha512";

const hashes: ReadonlyMap<number, HashName> = new Map([
  [0x000b, "sha256"],
  [0x000c, "sha384"],
  [0x000d, "sha512"],
]);

const digestBytes = { sha256: 32, sha384: 48, sha512: 64 } as const satisfies Record<HashName, number>;

/** The length of a digest, in bytes. */
export const digestLength = (hash: HashName): number => digestBytes[hash];

/** Throws TpmFault for any other hash: SHA-1 among them, which proves nothing. */
export function hashOf(id: number, what: string): HashName {
  const hash = hashes.get(id);
  if (hash === undefined)
    throw new TpmFault(
      `${what} is of the algorithm 0x${id.toString(16)}, and only SHA-256, SHA-384 and SHA-512 are accepted`,
    );
  return hash;
}

export interface Curve {
  /** As in a JSON Web Key. */
  readonly jwk: "P-256" | "P-384";
  /** As `node:crypto` calls it. */
  readonly named: "prime256v1" | "secp384r1";
  readonly bytes: number;
}

const curves: ReadonlyMap<number, Curve> = new Map([
  [0x0003, { jwk: "P-256", named: "prime256v1", bytes: 32 }],
  [0x0004, { jwk: "P-384", named: "secp384r1", bytes: 48 }],
]);

/** Throws TpmFault for any other curve. */
export function curveOf(id: number, what: string): Curve {
  const curve = curves.get(id);
  if (curve === undefined)
    throw new TpmFault(`${what} is on the curve 0x${id.toString(16)}, and only P-256 and P-384 are accepted`);
  return curve;
}
