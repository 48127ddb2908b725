// Quotes: what is accepted of a TPM's statement, that everything else is refused with words of its own, and that nothing breaks the reader.
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import {
  eccKey,
  messageOf,
  nonce,
  pcrs,
  rsaKey,
  selection,
  signatureOf,
  u16,
  u32,
  u8,
  values,
  type MadeKey,
  type QuoteParts,
} from "@/server/domain/attestation/measured/testing/made-quotes";
import { verifyQuote, type QuoteClaim } from "@/server/domain/attestation/measured/verify-quote";
import { sized, TpmFault } from "@/server/domain/attestation/tpm/reader";

const inputs = inject("fuzz") ?? 2_000;
/** Of a test with very many inputs (`FUZZ=1000000`). */
const limitMs = 7_200_000;
const request = { nonce, pcrs };
const key = eccKey("prime256v1", "sha256");
const rsassa = rsaKey("rsassa", "sha256");

const claimOf = (by: MadeKey, message: Buffer, changed: Partial<QuoteClaim> = {}): QuoteClaim => ({
  message,
  signature: signatureOf(by, message),
  pcrs: values,
  eventLog: null,
  ...changed,
});
const verified = (claim: QuoteClaim, by: MadeKey = key) => verifyQuote(by.area, request, claim);
const made = (parts: Partial<QuoteParts>) => claimOf(key, messageOf(key, parts));
const good = made({});

describe("a quote", () => {
  it.each<[string, MadeKey, number?]>([
    ["ECDSA on P-256", key],
    ["ECDSA on P-384", eccKey("secp384r1", "sha384")],
    ["ECDSA on P-256 with SHA-384", eccKey("prime256v1", "sha384")],
    ["RSASSA", rsassa],
    ["RSASSA of 3072 bits with SHA-384", rsaKey("rsassa", "sha384", 3072)],
    ["RSAPSS with a salt as long as a digest", rsaKey("rsapss", "sha256"), 32],
    ["RSAPSS with the longest salt", rsaKey("rsapss", "sha256"), 256 - 32 - 2],
  ])("signed with %s is accepted, with all that it says", (_what, by, saltLength) => {
    const message = messageOf(by);
    const claim = claimOf(by, message, { signature: signatureOf(by, message, saltLength) });
    expect(verified(claim, by)).toEqual({
      pcrs: values,
      clock: String(2 ** 32 + 2),
      resetCount: 7,
      restartCount: 3,
      safe: true,
      firmware: "0102030405060708",
    });
  });

  it("is accepted in whatever order the registers were asked for and the values are given", () => {
    const reversed = Object.fromEntries(
      Object.entries(values)
        .map(([pcr, value]) => [`${pcr}`, value])
        .reverse(),
    );
    const asked = { nonce, pcrs: [...pcrs, 0].reverse() };
    expect(verifyQuote(key.area, asked, { ...good, pcrs: reversed }).pcrs).toEqual(values);
  });

  it.each<[string, Partial<QuoteParts>, RegExp]>([
    ["that no TPM made", { magic: u32(0xff544348) }, /not made by a TPM: it begins with 0xff544348/],
    [
      "that is a certification of a key",
      { type: u16(0x8017) },
      /a statement of the type 0x8017, and no quote/,
    ],
    ["with another nonce", { nonce: sized(Buffer.alloc(32, 6)) }, /another nonce than the one/],
    ["with a longer nonce", { nonce: sized(Buffer.alloc(33, 5)) }, /another nonce than the one/],
    ["without a nonce", { nonce: sized(Buffer.alloc(0)) }, /another nonce than the one/],
    [
      "with an endless nonce",
      { nonce: sized(Buffer.alloc(67)) },
      /the nonce in the quote has 67 bytes, and at most 66/,
    ],
    ["whose clock is neither safe nor not", { safe: u8(2) }, /says 2 where only yes or no can stand/],
    ["of no registers", { selections: u32(0) }, /has 0 selections of registers, and exactly one/],
    [
      "of two banks",
      {
        selections: Buffer.concat([
          u32(2),
          selection(0x000b, 0xff, 3, 0).subarray(4),
          selection(4, 0, 0, 0).subarray(4),
        ]),
      },
      /has 2 selections of registers/,
    ],
    [
      "of the bank of SHA-1",
      { selections: selection(0x0004, 0xff, 0x03, 0) },
      /registers of 0x4, and only those of SHA-256/,
    ],
    [
      "of fewer registers",
      { selections: selection(0x000b, 0xff, 0x01, 0) },
      /of the registers 0, .* 8, and 0, .* 9 were asked for/,
    ],
    [
      "of more registers",
      { selections: selection(0x000b, 0xff, 0x03, 0x80) },
      /of the registers 0, .* 9, 23, and 0/,
    ],
    ["of an empty selection", { selections: selection(0x000b, 0, 0, 0) }, /of the registers none, and 0/],
    [
      "with two bytes of registers",
      { selections: selection(0x000b, 0xff, 0x03) },
      /selects registers with 2 bytes/,
    ],
    [
      "with four bytes of registers",
      { selections: selection(0x000b, 0xff, 3, 0, 0) },
      /selects registers with 4 bytes/,
    ],
    [
      "over another digest",
      { digest: sized(Buffer.alloc(32, 9)) },
      /do not give the digest that the TPM signed/,
    ],
    ["over no digest", { digest: sized(Buffer.alloc(0)) }, /do not give the digest that the TPM signed/],
    ["with trailing bytes", { after: u8(0) }, /the quote has 1 trailing bytes/],
    ["with too many bytes", { after: Buffer.alloc(1024) }, /has 1169 bytes, and at most 1024/],
    ["that breaks off", { digest: sized(Buffer.alloc(32)).subarray(0, 20) }, /the quote is truncated/],
  ])("%s is refused, although the key signed it", (_what, parts, words) => {
    const claim = made(parts);
    expect(() => verified(claim)).toThrow(words);
    expect(() => verified(claim)).toThrow(TpmFault);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "of another register",
      { ...values, 10: "0".repeat(64) },
      /of the registers 10, which were not asked for/,
    ],
    [
      "of a register by another name",
      { ...values, "01": "0".repeat(64) },
      /of the registers 01, which were not/,
    ],
    ["missing", Object.fromEntries(Object.entries(values).slice(1)), /no value is given of the register 0/],
    ["of SHA-1", { ...values, 3: "0".repeat(40) }, /the value of the register 3 is none of SHA-256/],
    ["in capitals", { ...values, 3: "A".repeat(64) }, /the value of the register 3 is none of SHA-256/],
    ["that is not the one that was signed", { ...values, 3: "0".repeat(64) }, /do not give the digest/],
    [
      "in the place of another",
      { ...values, 3: values[4] ?? "", 4: values[3] ?? "" },
      /do not give the digest/,
    ],
  ])("is refused with a value %s", (_what, pcrsOf, words) => {
    expect(() => verified({ ...good, pcrs: pcrsOf })).toThrow(words);
  });

  const signature = signatureOf(key, Buffer.from(good.message));
  it.each<[string, MadeKey, (message: Buffer) => Buffer, RegExp]>([
    [
      "of another key",
      key,
      (message) => signatureOf(eccKey("prime256v1", "sha256"), message),
      /not one of the attestation key/,
    ],
    [
      "of another RSA key",
      rsassa,
      (message) => signatureOf(rsaKey("rsassa", "sha256"), message),
      /not one of the attestation key/,
    ],
    [
      "over another message",
      key,
      () => signatureOf(key, Buffer.from("another")),
      /not one of the attestation key/,
    ],
    [
      "of another scheme",
      rsassa,
      (message) => signatureOf({ ...rsassa, scheme: "rsapss" }, message),
      /has the scheme 0x16, which is not the key's/,
    ],
    [
      "with another hash",
      key,
      (message) => signatureOf({ ...key, hash: "sha512" }, message),
      /has the hash sha512, and its key signs with sha256/,
    ],
    [
      "with SHA-1",
      key,
      (message) => Buffer.concat([u16(0x18), u16(4), signatureOf(key, message).subarray(4)]),
      /algorithm 0x4, and only SHA-256/,
    ],
    [
      "with trailing bytes",
      key,
      (message) => Buffer.concat([signatureOf(key, message), u8(0)]),
      /the signature of the quote has 1 trailing bytes/,
    ],
    [
      "that breaks off",
      key,
      (message) => signatureOf(key, message).subarray(0, 60),
      /the signature of the quote is truncated/,
    ],
    ["that is empty", key, () => Buffer.alloc(0), /the signature of the quote is truncated/],
    [
      "of zeros",
      key,
      () => Buffer.concat([signature.subarray(0, 4), sized(u8(0)), sized(u8(0))]),
      /not one of the attestation key/,
    ],
    [
      "with a longer number",
      key,
      () => Buffer.concat([signature.subarray(0, 4), sized(Buffer.alloc(33)), sized(Buffer.alloc(32))]),
      /the number r in the signature of the quote has 33 bytes/,
    ],
    [
      "of a shorter RSA key",
      rsassa,
      () => Buffer.concat([u16(0x14), u16(0x0b), sized(Buffer.alloc(255, 1))]),
      /has 255 bytes, and those of its key have 256/,
    ],
    [
      "of a longer RSA key",
      rsassa,
      () => Buffer.concat([u16(0x14), u16(0x0b), sized(Buffer.alloc(257, 1))]),
      /has 257 bytes, and at most 256/,
    ],
    ["with too many bytes", key, () => Buffer.alloc(1025), /has 1025 bytes, and at most 1024/],
  ])("is refused with a signature %s", (_what, by, change, words) => {
    const message = messageOf(by);
    const claim = claimOf(by, message, { signature: change(message) });
    expect(() => verified(claim, by)).toThrow(words);
    expect(() => verified(claim, by)).toThrow(TpmFault);
  });

  it("is refused of a key whose scheme is none of its type", () => {
    const by = eccKey("prime256v1", "sha256", "rsassa");
    const message = messageOf(by);
    expect(() => verified(claimOf(by, message), by)).toThrow(
      /has the scheme 0x14, which no key of its type has/,
    );
  });

  it("accepts numbers of ECDSA without their leading zeros, as some TPMs send them", () => {
    const message = messageOf(key);
    for (let attempt = 0; attempt < 5_000; attempt += 1) {
      const whole = signatureOf(key, message);
      const r = whole.subarray(6, 38);
      if (r[0] !== 0) continue;
      const short = Buffer.concat([whole.subarray(0, 4), sized(r.subarray(1)), whole.subarray(38)]);
      expect(verified(claimOf(key, message, { signature: short })).pcrs).toEqual(values);
      return;
    }
    expect.unreachable("no number of 5000 began with a zero");
  });
});

/** Whether it is accepted. Anything else than a refusal in words is a bug. */
function accepts(claim: QuoteClaim, by: MadeKey): boolean {
  try {
    verified(claim, by);
    return true;
  } catch (error) {
    if (error instanceof TpmFault) return false;
    throw error;
  }
}

describe.each<[string, MadeKey]>([
  ["ECDSA", key],
  ["RSASSA", rsassa],
  ["RSAPSS", rsaKey("rsapss", "sha256")],
])("a broken quote signed with %s", (_what, by) => {
  const message = messageOf(by);
  const signature = signatureOf(by, message);
  const whole = Buffer.concat([message, signature]);
  const cut = (bytes: Buffer) =>
    claimOf(by, bytes.subarray(0, message.length), { signature: bytes.subarray(message.length) });

  it(
    "is refused with a byte changed, and nothing breaks",
    () => {
      const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(change, ([place, flip]) => {
          const bytes = Buffer.from(whole);
          bytes[place] = (bytes[place] ?? 0) ^ flip;
          expect(accepts(cut(bytes), by)).toBe(false);
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );

  it(
    "is refused with random bytes in its place, behind a right beginning or not, and nothing breaks",
    () => {
      const begin = fc.oneof(fc.constant(0), fc.nat(message.length - 1));
      const random = fc.tuple(
        begin,
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(signature.length - 1),
        fc.uint8Array({ maxLength: 300 }),
      );
      fc.assert(
        fc.property(random, ([keptOfMessage, rest, keptOfSignature, more]) => {
          const broken = Buffer.concat([message.subarray(0, keptOfMessage), rest]);
          const other = Buffer.concat([signature.subarray(0, keptOfSignature), more]);
          const unchanged = signature.equals(other);
          expect(accepts(claimOf(by, message, { signature: other }), by)).toBe(unchanged);
          expect(accepts(claimOf(by, broken, { signature }), by)).toBe(broken.equals(message));
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );
});
