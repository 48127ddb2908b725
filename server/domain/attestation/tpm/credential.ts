// Credential activation (TPM 2.0 Library, Part 1, 24): a secret that only the TPM with this endorsement key can read, and only while it holds the key with
// this name. It is what binds an attestation key to a TPM.
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  timingSafeEqual,
  type KeyObject,
} from "node:crypto";
import { digestLength, type Curve } from "@/server/domain/attestation/tpm/algorithms";
import { deriveFromPoint, deriveFromSecret, labelBytes } from "@/server/domain/attestation/tpm/derivation";
import { eccKey, type PublicArea, type Symmetric } from "@/server/domain/attestation/tpm/public-area";
import { sized, TpmFault, TpmReader } from "@/server/domain/attestation/tpm/reader";

type StorageKey = PublicArea & { readonly symmetric: Symmetric };

/** What TPM2_ActivateCredential takes, both as TPM2B. */
export interface Credential {
  /** TPM2B_ID_OBJECT */
  readonly blob: Buffer;
  /** TPM2B_ENCRYPTED_SECRET */
  readonly secret: Buffer;
}

const identity = "IDENTITY";

const oaep = (area: PublicArea) => ({
  padding: constants.RSA_PKCS1_OAEP_PADDING,
  oaepHash: area.nameAlg,
  oaepLabel: labelBytes(identity),
});

const coordinates = (key: KeyObject): { readonly x: Buffer; readonly y: Buffer } => {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return { x: Buffer.from(x, "base64url"), y: Buffer.from(y, "base64url") };
};

const pointSeed = (area: PublicArea, shared: Buffer, ephemeral: Buffer): Buffer =>
  deriveFromPoint(
    area.nameAlg,
    shared,
    identity,
    ephemeral,
    coordinates(area.key).x,
    digestLength(area.nameAlg),
  );

/** A seed, and how it is sent to the TPM. */
function makeSeed(
  area: StorageKey,
  random: (count: number) => Uint8Array,
): { seed: Uint8Array; sent: Buffer } {
  if (area.kind.type === "rsa") {
    const seed = random(digestLength(area.nameAlg));
    return { seed, sent: publicEncrypt({ key: area.key, ...oaep(area) }, seed) };
  }
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: area.kind.curve.named });
  const { x, y } = coordinates(publicKey);
  const shared = diffieHellman({ privateKey, publicKey: area.key });
  return { seed: pointSeed(area, shared, x), sent: Buffer.concat([sized(x), sized(y)]) };
}

const keysOf = (area: StorageKey, seed: Uint8Array, name: Uint8Array) => ({
  encryption: deriveFromSecret(area.nameAlg, seed, "STORAGE", name, area.symmetric.keyBits / 8),
  integrity: deriveFromSecret(area.nameAlg, seed, "INTEGRITY", Buffer.alloc(0), digestLength(area.nameAlg)),
});

const cipherOf = ({ symmetric }: StorageKey) => `aes-${symmetric.keyBits}-cfb` as const;
const zeroIv = Buffer.alloc(16);

/**
 * TPM2_MakeCredential in software.
 *
 * @param secret at most as long as a digest of the endorsement key's name algorithm
 * @param name the name of the key that the TPM must hold to read the secret
 */
export function makeCredential(
  area: StorageKey,
  name: Uint8Array,
  secret: Uint8Array,
  random: (count: number) => Uint8Array,
): Credential {
  const { seed, sent } = makeSeed(area, random);
  const { encryption, integrity } = keysOf(area, seed, name);
  const cipher = createCipheriv(cipherOf(area), encryption, zeroIv);
  const hidden = Buffer.concat([cipher.update(sized(secret)), cipher.final()]);
  const mac = createHmac(area.nameAlg, integrity).update(hidden).update(name).digest();
  return { blob: sized(Buffer.concat([sized(mac), hidden])), secret: sized(sent) };
}

function openSeed(area: StorageKey, privateKey: KeyObject, sent: Buffer): Buffer {
  if (area.kind.type === "rsa") return privateDecrypt({ key: privateKey, ...oaep(area) }, sent);
  const { curve } = area.kind;
  const point = readPoint(sent, curve);
  const shared = diffieHellman({ privateKey, publicKey: eccKey(curve, point.x, point.y, "the sent point") });
  return pointSeed(area, shared, point.x);
}

function readPoint(bytes: Buffer, { bytes: most }: Curve): { readonly x: Buffer; readonly y: Buffer } {
  const reader = new TpmReader(bytes, "the encrypted secret", 2 * (most + 2));
  const point = { x: reader.sized(most, "the X coordinate"), y: reader.sized(most, "the Y coordinate") };
  reader.end();
  return point;
}

const maxCredentialBytes = 1024;

/** TPM2_ActivateCredential in software, for a simulated TPM. Throws if the credential is for another key or another name. */
export function activateCredential(
  area: StorageKey,
  privateKey: KeyObject,
  name: Uint8Array,
  { blob, secret }: Credential,
): Buffer {
  const outer = new TpmReader(secret, "the encrypted secret", maxCredentialBytes);
  const sent = outer.sized(maxCredentialBytes, "the secret");
  outer.end();
  const { encryption, integrity } = keysOf(area, openSeed(area, privateKey, sent), name);
  const whole = new TpmReader(blob, "the credential", maxCredentialBytes);
  const object = whole.sized(maxCredentialBytes, "the credential");
  whole.end();
  const reader = new TpmReader(object, "the credential", maxCredentialBytes);
  const mac = reader.sized(digestLength(area.nameAlg), "the integrity value");
  const hidden = reader.take(object.length - 2 - mac.length);
  const expected = createHmac(area.nameAlg, integrity).update(hidden).update(name).digest();
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    throw new TpmFault("the integrity value of the credential is wrong: it is for another key");
  const decipher = createDecipheriv(cipherOf(area), encryption, zeroIv);
  const inner = new TpmReader(
    Buffer.concat([decipher.update(hidden), decipher.final()]),
    "the credential",
    maxCredentialBytes,
  );
  const value = inner.sized(digestLength(area.nameAlg), "the secret");
  inner.end();
  return value;
}
