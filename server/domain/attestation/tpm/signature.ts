// A TPM's signature (TPMT_SIGNATURE; TPM 2.0 Library, Part 2, 11.3.4), checked with the public part of its key.
import { constants, verify, type VerifyKeyObjectInput } from "node:crypto";
import { algorithms, hashOf } from "@/server/domain/attestation/tpm/algorithms";
import { padded, type PublicArea } from "@/server/domain/attestation/tpm/public-area";
import { TpmFault, TpmReader } from "@/server/domain/attestation/tpm/reader";

/** Of RSA-4096, with its head. */
const maxSignatureBytes = 1024;

const hex = (value: number): string => `0x${value.toString(16)}`;

interface ReadSignature {
  readonly bytes: Buffer;
  /** How `node:crypto` is to read them. */
  readonly how: Omit<VerifyKeyObjectInput, "key">;
}

/** What a key of this type can sign with. */
const schemes = {
  rsa: [algorithms.rsassa, algorithms.rsapss],
  ecc: [algorithms.ecdsa],
} as const satisfies Record<PublicArea["kind"]["type"], readonly number[]>;

type Kind<Type extends PublicArea["kind"]["type"]> = Extract<PublicArea["kind"], { readonly type: Type }>;

function readRsa(reader: TpmReader, { bits }: Kind<"rsa">, algorithm: number, what: string): ReadSignature {
  const bytes = reader.sized(bits / 8, "the number");
  if (bytes.length !== bits / 8)
    throw new TpmFault(
      `the signature of ${what} has ${bytes.length} bytes, and those of its key have ${bits / 8}`,
    );
  if (algorithm === algorithms.rsassa) return { bytes, how: { padding: constants.RSA_PKCS1_PADDING } };
  // A TPM chooses the length of the salt: as much as there is room for, or with FIPS 186 the length of a digest (Part 1, B.7).
  const saltLength = constants.RSA_PSS_SALTLEN_AUTO;
  return { bytes, how: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } };
}

function readEcc(reader: TpmReader, { curve }: Kind<"ecc">): ReadSignature {
  const r = reader.sized(curve.bytes, "the number r");
  const s = reader.sized(curve.bytes, "the number s");
  const bytes = Buffer.concat([padded(r, curve), padded(s, curve)]);
  return { bytes, how: { dsaEncoding: "ieee-p1363" } };
}

/**
 * Throws TpmFault unless the key signed these bytes with its own scheme and hash. Pure.
 *
 * @param signature TPMT_SIGNATURE
 * @param what the signed bytes, for messages: "the quote"
 */
export function requireSignature(
  { key, kind, scheme }: PublicArea,
  signed: Uint8Array,
  signature: Uint8Array,
  what: string,
): void {
  const reader = new TpmReader(signature, `the signature of ${what}`, maxSignatureBytes);
  const algorithm = reader.u16();
  // safety: quote: the scheme of the key itself
  if (algorithm !== scheme?.algorithm)
    throw new TpmFault(`the signature of ${what} has the scheme ${hex(algorithm)}, which is not the key's`);
  if (!schemes[kind.type].some((each) => each === algorithm))
    throw new TpmFault(`the key of ${what} has the scheme ${hex(algorithm)}, which no key of its type has`);
  const hash = hashOf(reader.u16(), `the hash of the signature of ${what}`);
  // safety: quote: the hash of the key itself
  if (hash !== scheme.hash)
    throw new TpmFault(
      `the signature of ${what} has the hash ${hash}, and its key signs with ${scheme.hash}`,
    );
  const { bytes, how } = kind.type === "rsa" ? readRsa(reader, kind, algorithm, what) : readEcc(reader, kind);
  // safety: quote: nothing after its signature
  reader.end();
  // safety: quote: the signature is one of these bytes
  if (!verify(hash, signed, { key, ...how }, bytes))
    throw new TpmFault(`the signature of ${what} is not one of the attestation key`);
}
