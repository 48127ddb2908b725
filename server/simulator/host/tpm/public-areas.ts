// The public parts of a simulated TPM's keys, as TPM2B_PUBLIC (TPM 2.0 Library, Part 2, 12.2). Both are of P-256: an RSA key takes too long for a fleet.
import type { KeyObject } from "node:crypto";
import { sized } from "@/server/domain/attestation/tpm/reader";
import { u16 } from "@/server/simulator/host/tpm/bytes";

const ecc = 0x0023;
const sha256 = 0x000b;
const none = 0x0010;
const p256 = 0x0003;
const aes128Cfb = [0x0006, 128, 0x0043] as const;
const ecdsa = [0x0018, sha256] as const;

/** Attributes and policy of template L-2 (TCG EK Credential Profile, B.3.4). */
const endorsementAttributes = 0x000300b2;
const endorsementPolicy = Buffer.from(
  "837197674484b3f81a90cc8d46a5d724fd52d76e06520b64f2a1da1b331469aa",
  "hex",
);
/** As `tpm2_createak` asks for. */
const attestationAttributes = 0x00050072;

function publicArea(
  key: KeyObject,
  attributes: number,
  policy: Buffer,
  symmetric: readonly number[],
  scheme: readonly number[],
): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return sized(
    Buffer.concat([
      u16(ecc, sha256, attributes >>> 16, attributes & 0xffff),
      sized(policy),
      u16(...symmetric, ...scheme, p256, none),
      sized(Buffer.from(x, "base64url")),
      sized(Buffer.from(y, "base64url")),
    ]),
  );
}

export const endorsementArea = (key: KeyObject): Buffer =>
  publicArea(key, endorsementAttributes, endorsementPolicy, aes128Cfb, [none]);

export const attestationArea = (key: KeyObject): Buffer =>
  publicArea(key, attestationAttributes, Buffer.alloc(0), [none], ecdsa);
