// Public parts of keys, as a host sends them: what is accepted, and that nothing else is, however the bytes are broken.
import { createPublicKey, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { activateCredential, makeCredential } from "@/server/domain/attestation/tpm/credential";
import { deriveFromSecret } from "@/server/domain/attestation/tpm/derivation";
import {
  nameOf,
  readAttestationKey,
  readEndorsementKey,
  readPublicArea,
} from "@/server/domain/attestation/tpm/public-area";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";
import { keyFrom } from "@/server/simulator/host/tpm/certificates";
import { attestationArea, endorsementArea } from "@/server/simulator/host/tpm/public-areas";

const inputs = inject("fuzz") ?? 2_000;
/** Of a test with very many inputs (`FUZZ=1000000`). */
const limitMs = 7_200_000;
const endorsement = endorsementArea(createPublicKey(keyFrom("e")));
const attestation = attestationArea(createPublicKey(keyFrom("a")));

/** The bytes with the two at `place` replaced; the first two are the length. */
const changed = (area: Buffer, place: number, value: number): Buffer => {
  const bytes = Buffer.from(area);
  bytes.writeUInt16BE(value, place);
  return bytes;
};
/** Where the attributes of a public area are. */
const upperAttributes = 6;
const lowerAttributes = 8;

describe("a public area", () => {
  it.each([
    [
      "truncated",
      () => endorsement.subarray(0, 40),
      /is truncated: 122 bytes are expected at 2, and it has 40/,
    ],
    ["with trailing bytes", () => Buffer.concat([endorsement, Buffer.alloc(3)]), /has 3 trailing bytes/],
    ["oversized", () => Buffer.alloc(2000), /has 2000 bytes, and at most 1024 are accepted/],
    ["of another type", () => changed(endorsement, 2, 8), /type 0x8, and only RSA and ECC/],
    ["named by SHA-1", () => changed(endorsement, 4, 4), /algorithm 0x4, and only SHA-256/],
    ["on another curve", () => changed(endorsement, 52, 0x10), /curve 0x10, and only P-256/],
    ["that is no point of its curve", () => changed(endorsement, 60, 0x1234), /no point on P-256/],
    ["with another mode", () => changed(endorsement, 48, 0x44), /mode 0x44, and only CFB/],
  ])("is refused %s", (_what, bytes, words) => {
    expect(() => readPublicArea(bytes(), "the key")).toThrow(words);
  });

  it.each([
    ["that can leave its TPM", upperAttributes, 0x0003, lowerAttributes, 0x00b0, /not fixedTPM/],
    ["that also signs", upperAttributes, 0x0007, lowerAttributes, 0x00b2, /also signs/],
    [
      "that decrypts whatever it is given",
      upperAttributes,
      0x0002,
      lowerAttributes,
      0x00b2,
      /not restricted/,
    ],
  ])("is no endorsement key if it is one %s", (_what, place, value, next, more, words) => {
    expect(() => readEndorsementKey(changed(changed(endorsement, place, value), next, more))).toThrow(words);
  });

  it.each([
    ["that signs whatever it is given", upperAttributes, 0x0004, /not restricted/],
    ["that also decrypts", upperAttributes, 0x0007, /also decrypts/],
    ["that was not made in its TPM", lowerAttributes, 0x0052, /not sensitiveDataOrigin/],
  ])("is no attestation key if it is one %s", (_what, place, value, words) => {
    expect(() => readAttestationKey(changed(attestation, place, value))).toThrow(words);
  });

  it(
    "is refused with a byte changed, or read as another key: it never breaks, and never has the same name",
    () => {
      const name = nameOf(readEndorsementKey(endorsement));
      const change = fc.tuple(fc.nat(endorsement.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(change, ([place, flip]) => {
          const bytes = Buffer.from(endorsement);
          bytes[place] = (bytes[place] ?? 0) ^ flip;
          expect(outcomeOf(bytes)).not.toEqual(name);
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );

  it(
    "of random bytes is refused",
    () => {
      const random = fc.oneof(fc.uint8Array({ maxLength: 1200 }), lengthAndBytes);
      fc.assert(
        fc.property(random, (bytes) => {
          expect(outcomeOf(bytes)).toBeNull();
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );
});

/** A length that is right, so that what follows is read. */
const lengthAndBytes = fc
  .tuple(fc.constantFrom([0, 1, 0, 11], [0, 35, 0, 11]), fc.uint8Array({ maxLength: 1000 }))
  .map(([begin, rest]) => {
    const area = Buffer.from([...begin, ...rest]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(area.length);
    return Buffer.concat([length, area]);
  });

/** The name of the key, or null if it is refused with words. Anything else that is thrown is a bug. */
function outcomeOf(bytes: Uint8Array): Buffer | null {
  try {
    return nameOf(readEndorsementKey(bytes));
  } catch (error) {
    if (error instanceof TpmFault) return null;
    throw error;
  }
}

describe("a credential", () => {
  const area = readEndorsementKey(endorsement);
  const name = nameOf(readAttestationKey(attestation));
  const secret = Buffer.alloc(32, 7);
  const credential = makeCredential(area, name, secret, randomBytes);

  it("is opened by the endorsement key for the name that it was made for", () => {
    expect(activateCredential(area, keyFrom("e"), name, credential)).toEqual(secret);
  });

  it("is not opened for another name, nor by another endorsement key", () => {
    const other = nameOf(readAttestationKey(attestationArea(createPublicKey(keyFrom("b")))));
    expect(() => activateCredential(area, keyFrom("e"), other, credential)).toThrow(/it is for another key/);
    expect(() => activateCredential(area, keyFrom("f"), name, credential)).toThrow(/it is for another key/);
  });

  it(
    "is not opened with a byte changed, and never breaks",
    () => {
      const whole = Buffer.concat([credential.blob, credential.secret]);
      const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(change, ([place, flip]) => {
          const bytes = Buffer.from(whole);
          bytes[place] = (bytes[place] ?? 0) ^ flip;
          const broken = {
            blob: bytes.subarray(0, credential.blob.length),
            secret: bytes.subarray(credential.blob.length),
          };
          expect(() => activateCredential(area, keyFrom("e"), name, broken)).toThrow(TpmFault);
        }),
        { numRuns: inject("fuzz") ?? 500 },
      );
    },
    limitMs,
  );
});

it("derives keys as the standard's KDFa does", () => {
  // Counter 1, label, zero, context, 256 bits: one block of HMAC-SHA256.
  const key = deriveFromSecret("sha256", Buffer.alloc(4, 1), "STORAGE", Buffer.from("n"), 48);
  expect(key).toHaveLength(48);
  expect(deriveFromSecret("sha256", Buffer.alloc(4, 1), "STORAGE", Buffer.from("n"), 48).equals(key)).toBe(
    true,
  );
  expect(
    key
      .subarray(0, 32)
      .equals(deriveFromSecret("sha256", Buffer.alloc(4, 1), "STORAGE", Buffer.from("n"), 32)),
  ).toBe(false);
});
