// The public part of a TPM's key (TPM2B_PUBLIC; TPM 2.0 Library, Part 2, 12.2): its numbers, its attributes and its name.
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import {
  algorithms,
  curveOf,
  digestLength,
  hashOf,
  type Curve,
  type HashName,
} from "@/server/domain/attestation/tpm/algorithms";
import { TpmFault, TpmReader } from "@/server/domain/attestation/tpm/reader";

/** A key of RSA-4096 needs about 600 bytes. */
export const maxPublicBytes = 1024;

/** TPMA_OBJECT (Part 2, 8.3). */
const attributeBits = {
  fixedTPM: 1,
  fixedParent: 4,
  sensitiveDataOrigin: 5,
  userWithAuth: 6,
  adminWithPolicy: 7,
  restricted: 16,
  decrypt: 17,
  sign: 18,
} as const;
type Attribute = keyof typeof attributeBits;

/** AES in CFB mode, which a storage key protects its children with. */
export interface Symmetric {
  readonly keyBits: 128 | 256;
}

export interface PublicArea {
  /** What its name is made with, and for a storage key all derivations. */
  readonly nameAlg: HashName;
  readonly has: (attribute: Attribute) => boolean;
  /** Null: the key protects nothing. */
  readonly symmetric: Symmetric | null;
  /** Null: any scheme that the caller of the TPM chooses. */
  readonly scheme: { readonly algorithm: number; readonly hash: HashName } | null;
  /** For RSA the size in bits. */
  readonly kind:
    | { readonly type: "rsa"; readonly bits: number }
    | { readonly type: "ecc"; readonly curve: Curve };
  readonly key: KeyObject;
  /** TPMT_PUBLIC, as it came. */
  readonly bytes: Buffer;
}

const rsaBits = new Set([2048, 3072, 4096]);
const defaultExponent = 65_537;

function readSymmetric(reader: TpmReader, what: string): Symmetric | null {
  const algorithm = reader.u16();
  if (algorithm === algorithms.null) return null;
  if (algorithm !== algorithms.aes)
    throw new TpmFault(
      `${what} protects with the algorithm 0x${algorithm.toString(16)}, and only AES is accepted`,
    );
  const keyBits = reader.u16();
  const mode = reader.u16();
  if (mode !== algorithms.cfb)
    throw new TpmFault(`${what} protects with the mode 0x${mode.toString(16)}, and only CFB is accepted`);
  if (keyBits !== 128 && keyBits !== 256)
    throw new TpmFault(`${what} protects with AES-${keyBits}, and only AES-128 and AES-256 are accepted`);
  return { keyBits };
}

function readScheme(reader: TpmReader, what: string): PublicArea["scheme"] {
  const algorithm = reader.u16();
  if (algorithm === algorithms.null) return null;
  if (
    algorithm !== algorithms.rsassa &&
    algorithm !== algorithms.rsapss &&
    algorithm !== algorithms.ecdsa &&
    algorithm !== algorithms.oaep
  )
    throw new TpmFault(
      `${what} has the scheme 0x${algorithm.toString(16)}, and only RSASSA, RSAPSS, OAEP and ECDSA are accepted`,
    );
  return { algorithm, hash: hashOf(reader.u16(), `the hash of the scheme of ${what}`) };
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

function rsaKey(modulus: Buffer, bits: number, exponent: number, what: string): KeyObject {
  if (modulus.length !== bits / 8 || (modulus[0] ?? 0) < 0x80 || (modulus.at(-1) ?? 0) % 2 === 0)
    throw new TpmFault(`the modulus of ${what} is not one of ${bits} bits`);
  const exponentBytes = Buffer.alloc(4);
  exponentBytes.writeUInt32BE(exponent);
  return createPublicKey({
    key: {
      kty: "RSA",
      n: base64url(modulus),
      e: base64url(exponentBytes.subarray(exponentBytes.findIndex((byte) => byte > 0))),
    },
    format: "jwk",
  });
}

/** Left-padded to the size of the curve: a TPM may leave out leading zeros. */
export const padded = (coordinate: Buffer, { bytes }: Curve): Buffer =>
  Buffer.concat([Buffer.alloc(Math.max(0, bytes - coordinate.length)), coordinate]);

/** Throws TpmFault for a point that is not on the curve. */
export function eccKey(curve: Curve, x: Buffer, y: Buffer, what: string): KeyObject {
  try {
    return createPublicKey({
      key: { kty: "EC", crv: curve.jwk, x: base64url(padded(x, curve)), y: base64url(padded(y, curve)) },
      format: "jwk",
    });
  } catch {
    throw new TpmFault(`${what} is no point on ${curve.jwk}`);
  }
}

type KeyFacts = Pick<PublicArea, "key" | "kind" | "scheme" | "symmetric">;

function readRsa(reader: TpmReader, what: string): KeyFacts {
  const symmetric = readSymmetric(reader, what);
  const scheme = readScheme(reader, what);
  const bits = reader.u16();
  if (!rsaBits.has(bits))
    throw new TpmFault(`${what} is RSA-${bits}, and only RSA-2048, RSA-3072 and RSA-4096 are accepted`);
  const exponent = reader.u32();
  if (exponent !== 0 && exponent !== defaultExponent)
    throw new TpmFault(`${what} has the exponent ${exponent}, and only 65537 is accepted`);
  const modulus = reader.sized(bits / 8, "the modulus");
  return {
    symmetric,
    scheme,
    kind: { type: "rsa", bits },
    key: rsaKey(modulus, bits, defaultExponent, what),
  };
}

function readEcc(reader: TpmReader, what: string): KeyFacts {
  const symmetric = readSymmetric(reader, what);
  const scheme = readScheme(reader, what);
  const curve = curveOf(reader.u16(), what);
  const kdf = reader.u16();
  if (kdf !== algorithms.null)
    throw new TpmFault(
      `${what} has a key derivation of its own (0x${kdf.toString(16)}), and none is accepted`,
    );
  const x = reader.sized(curve.bytes, "the X coordinate");
  const y = reader.sized(curve.bytes, "the Y coordinate");
  return { symmetric, scheme, kind: { type: "ecc", curve }, key: eccKey(curve, x, y, what) };
}

/** Reads a TPM2B_PUBLIC, as tpm2-tools writes it. Throws TpmFault. Pure. */
export function readPublicArea(bytes: Uint8Array, what: string): PublicArea {
  const outer = new TpmReader(bytes, what, maxPublicBytes);
  const area = outer.sized(maxPublicBytes, "the public area");
  outer.end();
  const reader = new TpmReader(area, what, maxPublicBytes);
  const type = reader.u16();
  if (type !== algorithms.rsa && type !== algorithms.ecc)
    throw new TpmFault(`${what} is of the type 0x${type.toString(16)}, and only RSA and ECC are accepted`);
  const nameAlg = hashOf(reader.u16(), `the name of ${what}`);
  const attributes = reader.u32();
  const policy = reader.sized(digestLength("sha512"), "the policy");
  if (policy.length !== 0 && policy.length !== digestLength(nameAlg))
    throw new TpmFault(
      `the policy of ${what} has ${policy.length} bytes, which is no digest of its name's algorithm`,
    );
  const facts = type === algorithms.rsa ? readRsa(reader, what) : readEcc(reader, what);
  reader.end();
  return {
    ...facts,
    nameAlg,
    // Bits of 31 bits at most, so that the shift is one of positive numbers.
    has: (attribute) => ((attributes >>> attributeBits[attribute]) & 1) === 1,
    bytes: area,
  };
}

const nameIds = { sha256: 0x000b, sha384: 0x000c, sha512: 0x000d } as const satisfies Record<
  HashName,
  number
>;

/** The name of a key (Part 1, 16): the number of the hash, and the digest of TPMT_PUBLIC. Pure. */
export function nameOf({ nameAlg, bytes }: Pick<PublicArea, "bytes" | "nameAlg">): Buffer {
  const id = Buffer.alloc(2);
  id.writeUInt16BE(nameIds[nameAlg]);
  return Buffer.concat([id, createHash(nameAlg).update(bytes).digest()]);
}

/** SHA-256 of the key as SubjectPublicKeyInfo in DER, in hexadecimal digits: the same whatever the TPM says about the key. Pure. */
export const keyDigest = (key: KeyObject): string =>
  createHash("sha256")
    .update(key.export({ format: "der", type: "spki" }))
    .digest("hex");

function requireAttributes(area: PublicArea, wanted: readonly Attribute[], what: string): void {
  const missing = wanted.filter((attribute) => !area.has(attribute));
  if (missing.length > 0) throw new TpmFault(`${what} is not ${missing.join(", ")}`);
}

/** An endorsement key: a storage key that was made in this TPM and cannot leave it. Throws TpmFault. Pure. */
export function readEndorsementKey(bytes: Uint8Array): PublicArea & { readonly symmetric: Symmetric } {
  const what = "the endorsement key";
  const area = readPublicArea(bytes, what);
  requireAttributes(area, ["fixedTPM", "fixedParent", "sensitiveDataOrigin", "restricted", "decrypt"], what);
  // safety: attestation: an endorsement key signs nothing
  if (area.has("sign")) throw new TpmFault(`${what} also signs`);
  const { symmetric } = area;
  if (symmetric === null) throw new TpmFault(`${what} protects nothing`);
  return { ...area, symmetric };
}

/**
 * An attestation key: it signs only what the TPM itself made, so that a quote by it cannot be forged on the host. The attributes are the host's words
 * until the key is activated with these bytes. Throws TpmFault. Pure.
 */
export function readAttestationKey(bytes: Uint8Array): PublicArea {
  const what = "the attestation key";
  const area = readPublicArea(bytes, what);
  // safety: attestation: a key of this TPM that signs only what the TPM made
  requireAttributes(area, ["fixedTPM", "fixedParent", "sensitiveDataOrigin", "restricted", "sign"], what);
  if (area.has("decrypt")) throw new TpmFault(`${what} also decrypts`);
  const { scheme } = area;
  if (scheme === null || scheme.algorithm === algorithms.oaep)
    throw new TpmFault(`${what} has no scheme to sign with`);
  return area;
}
