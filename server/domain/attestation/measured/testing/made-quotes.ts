// Quotes as a TPM makes them, and such as none makes: every part can be replaced before it is signed.
import { constants, createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { digestLength, type HashName } from "@/server/domain/attestation/tpm/algorithms";
import { sized } from "@/server/domain/attestation/tpm/reader";

export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
export const u16 = (value: number): Buffer => u8(value >>> 8, value & 0xff);
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const hashIds = { sha256: 0x000b, sha384: 0x000c, sha512: 0x000d } as const satisfies Record<
  HashName,
  number
>;
export const schemeIds = { rsassa: 0x0014, rsapss: 0x0016, ecdsa: 0x0018 } as const;
export type Scheme = keyof typeof schemeIds;

const curves = { prime256v1: [0x0003, 32], secp384r1: [0x0004, 48] } as const;
type CurveName = keyof typeof curves;

export interface MadeKey {
  readonly privateKey: KeyObject;
  readonly scheme: Scheme;
  readonly hash: HashName;
  /** Of a coordinate; 0 for RSA. */
  readonly coordinateBytes: number;
  /** TPM2B_PUBLIC */
  readonly area: Buffer;
}

const area = (type: number, scheme: Buffer, kind: Buffer): Buffer =>
  // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted, sign; no policy; protects nothing
  sized(Buffer.concat([u16(type), u16(0x000b), u32(0x00050072), u16(0), u16(0x0010), scheme, kind]));

const base64url = (text: string | undefined): Buffer => Buffer.from(text ?? "", "base64url");

export function rsaKey(scheme: Scheme, hash: HashName, bits = 2048): MadeKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  const kind = Buffer.concat([u16(bits), u32(0), sized(base64url(publicKey.export({ format: "jwk" }).n))]);
  const signs = Buffer.concat([u16(schemeIds[scheme]), u16(hashIds[hash])]);
  return { privateKey, scheme, hash, coordinateBytes: 0, area: area(0x0001, signs, kind) };
}

export function eccKey(namedCurve: CurveName, hash: HashName, scheme: Scheme = "ecdsa"): MadeKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  const [id, coordinateBytes] = curves[namedCurve];
  const { x, y } = publicKey.export({ format: "jwk" });
  const kind = Buffer.concat([u16(id), u16(0x0010), sized(base64url(x)), sized(base64url(y))]);
  const signs = Buffer.concat([u16(schemeIds[scheme]), u16(hashIds[hash])]);
  return { privateKey, scheme, hash, coordinateBytes, area: area(0x0023, signs, kind) };
}

export const pcrs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
export const nonce = Buffer.alloc(32, 5);
export const values: Readonly<Record<string, string>> = Object.fromEntries(
  pcrs.map((pcr) => [String(pcr), createHash("sha256").update(`register ${pcr}`).digest("hex")]),
);

/** Parts of TPMS_ATTEST, as they stand in it. */
export interface QuoteParts {
  readonly magic: Buffer;
  readonly type: Buffer;
  readonly signer: Buffer;
  readonly nonce: Buffer;
  readonly clock: Buffer;
  readonly safe: Buffer;
  readonly firmware: Buffer;
  readonly selections: Buffer;
  readonly digest: Buffer;
  readonly after: Buffer;
}

/** One selection of registers, with their number before it. */
export const selection = (bank: number, ...bitmap: readonly number[]): Buffer =>
  Buffer.concat([u32(1), u16(bank), u8(bitmap.length, ...bitmap)]);

const digestOf = (hash: HashName): Buffer =>
  createHash(hash)
    .update(Buffer.from(Object.values(values).join(""), "hex"))
    .digest();

export function messageOf(key: MadeKey, changed: Partial<QuoteParts> = {}): Buffer {
  const parts: QuoteParts = {
    magic: u32(0xff544347),
    type: u16(0x8018),
    signer: sized(Buffer.alloc(34, 1)),
    nonce: sized(nonce),
    clock: Buffer.concat([u32(1), u32(2), u32(7), u32(3)]),
    safe: u8(1),
    firmware: Buffer.from("0102030405060708", "hex"),
    selections: selection(0x000b, 0xff, 0x03, 0x00),
    digest: sized(digestOf(key.hash)),
    after: Buffer.alloc(0),
    ...changed,
  };
  const { magic, type, signer, clock, safe, firmware, selections, digest, after } = parts;
  return Buffer.concat([magic, type, signer, parts.nonce, clock, safe, firmware, selections, digest, after]);
}

/** The number or numbers of TPMT_SIGNATURE. */
function numbersOf(
  { privateKey, scheme, hash, coordinateBytes }: MadeKey,
  message: Buffer,
  saltLength: number,
) {
  const dsaEncoding = "ieee-p1363";
  const padding = scheme === "rsapss" ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const how = coordinateBytes > 0 ? ({ dsaEncoding } as const) : { padding, saltLength };
  const signed = sign(hash, message, { key: privateKey, ...how });
  return coordinateBytes > 0
    ? Buffer.concat([sized(signed.subarray(0, coordinateBytes)), sized(signed.subarray(coordinateBytes))])
    : sized(signed);
}

/** @param saltLength of RSAPSS, in bytes */
export function signatureOf(key: MadeKey, message: Buffer, saltLength = digestLength(key.hash)): Buffer {
  const numbers = numbersOf(key, message, saltLength);
  return Buffer.concat([u16(schemeIds[key.scheme]), u16(hashIds[key.hash]), numbers]);
}
