// Checks what a host's TPM signed about its registers (TPM 2.0 Library, Part 2, 10.12; Part 3, 18.4 TPM2_Quote). The bytes come from a host that nobody trusts
// yet; only the attestation key is known to be one of its TPM (docs/adr/0150-measured-boot.md).
import { createHash, timingSafeEqual } from "node:crypto";
import { readAttestationKey, type PublicArea } from "@/server/domain/attestation/tpm/public-area";
import { TpmFault, TpmReader } from "@/server/domain/attestation/tpm/reader";
import { requireSignature } from "@/server/domain/attestation/tpm/signature";

export interface QuoteRequest {
  readonly nonce: Uint8Array;
  /** Registers of the SHA-256 bank, from 0 to 23. */
  readonly pcrs: readonly number[];
}

export interface QuoteClaim {
  /** TPMS_ATTEST */
  readonly message: Uint8Array;
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array;
  /** SHA-256 values by register, in hexadecimal digits. */
  readonly pcrs: Readonly<Record<string, string>>;
  /** Not read here: `readEventLog`. */
  readonly eventLog: Uint8Array | null;
}

export interface VerifiedQuote {
  /** SHA-256 values by register, in hexadecimal digits. */
  readonly pcrs: Readonly<Record<string, string>>;
  /** How long the TPM has had power since it was last cleared, in ms (TPMS_CLOCK_INFO); decimal, because it has 64 bits. */
  readonly clock: string;
  /** Resets of the TPM since it was last cleared: it grows with each boot. */
  readonly resetCount: number;
  /** Times that the TPM went on after a suspend, since the last reset. */
  readonly restartCount: number;
  /** False: the clock may have lost some seconds when the power failed. */
  readonly safe: boolean;
  /** As the TPM's maker numbers it, in hexadecimal digits. */
  readonly firmware: string;
}

/** The longest TPMS_ATTEST of a quote has about 250 bytes. */
const maxMessageBytes = 1024;
/** TPM2B_NAME and TPM2B_DATA: the number of a hash, and a digest of SHA-512. */
const maxNameBytes = 66;
const maxDigestBytes = 64;
const madeByTpm = 0xff544347;
const quoteType = 0x8018;
const sha256 = 0x000b;
/** Of a TPM for PCs: 24 registers. */
const bitmapBytes = 3;

const hex = (value: number): string => `0x${value.toString(16)}`;

interface Attested extends Omit<VerifiedQuote, "pcrs"> {
  readonly nonce: Buffer;
  readonly bitmap: Buffer;
  readonly digest: Buffer;
}

function readBitmap(reader: TpmReader): Buffer {
  const count = reader.u32();
  // safety: quote: one selection of registers
  if (count !== 1)
    throw new TpmFault(`the quote has ${count} selections of registers, and exactly one is accepted`);
  const bank = reader.u16();
  // safety: quote: registers of SHA-256
  if (bank !== sha256)
    throw new TpmFault(
      `the quote is of the registers of ${hex(bank)}, and only those of SHA-256 are accepted`,
    );
  const length = reader.take(1).readUInt8();
  if (length !== bitmapBytes)
    throw new TpmFault(
      `the quote selects registers with ${length} bytes, and only ${bitmapBytes} are accepted`,
    );
  return reader.take(bitmapBytes);
}

function readSafe(reader: TpmReader): boolean {
  const value = reader.take(1).readUInt8();
  if (value > 1) throw new TpmFault(`the quote says ${value} where only yes or no can stand`);
  return value === 1;
}

function readAttested(message: Uint8Array): Attested {
  const reader = new TpmReader(message, "the quote", maxMessageBytes);
  const magic = reader.u32();
  // safety: quote: made by a TPM
  if (magic !== madeByTpm)
    throw new TpmFault(`the quote was not made by a TPM: it begins with ${hex(magic)}`);
  const type = reader.u16();
  // safety: quote: a quote, and nothing else that the key signs
  if (type !== quoteType)
    throw new TpmFault(`the TPM signed a statement of the type ${hex(type)}, and no quote`);
  // The qualified name tells below which other keys this one is; the signature tells that it is this one.
  reader.sized(maxNameBytes, "the name of the key");
  const attested = {
    nonce: reader.sized(maxNameBytes, "the nonce"),
    clock: reader.take(8).readBigUInt64BE().toString(),
    resetCount: reader.u32(),
    restartCount: reader.u32(),
    safe: readSafe(reader),
    firmware: reader.take(8).toString("hex"),
    bitmap: readBitmap(reader),
    digest: reader.sized(maxDigestBytes, "the digest"),
  };
  // safety: quote: nothing after what is read
  reader.end();
  return attested;
}

function requireNonce(nonce: Buffer, asked: Uint8Array): void {
  // safety: quote: the nonce of this question
  if (nonce.length !== asked.length || !timingSafeEqual(nonce, asked))
    throw new TpmFault("the quote has another nonce than the one that was asked for");
}

const registersIn = (bitmap: Buffer): readonly number[] =>
  Array.from({ length: bitmap.length * 8 }, (_, pcr) => pcr).filter(
    (pcr) => (((bitmap[pcr >> 3] ?? 0) >> (pcr & 7)) & 1) === 1,
  );

function requireRegisters(bitmap: Buffer, asked: readonly number[]): void {
  const found = registersIn(bitmap).join(", ");
  const wanted = asked.join(", ");
  // safety: quote: exactly the registers that were asked for
  if (found !== wanted)
    throw new TpmFault(`the quote is of the registers ${found || "none"}, and ${wanted} were asked for`);
}

const value = /^[0-9a-f]{64}$/;

/** The values in the order of the registers. */
function valuesOf(claimed: QuoteClaim["pcrs"], asked: readonly number[]): readonly string[] {
  const other = Object.keys(claimed).filter((name) => !asked.some((pcr) => String(pcr) === name));
  // safety: quote: no value of a register that was not asked for
  if (other.length > 0)
    throw new TpmFault(`values are given of the registers ${other.join(", ")}, which were not asked for`);
  return asked.map((pcr) => {
    const found = Object.hasOwn(claimed, pcr) ? claimed[pcr] : undefined;
    if (found === undefined) throw new TpmFault(`no value is given of the register ${pcr}`);
    if (!value.test(found)) throw new TpmFault(`the value of the register ${pcr} is none of SHA-256`);
    return found;
  });
}

/** The digest is of the hash that the key signs with, whatever the bank's is. */
function requireValues({ digest }: Attested, { scheme }: PublicArea, values: readonly string[]): void {
  if (scheme === null) throw new TpmFault("the attestation key has no scheme to sign with");
  const computed = createHash(scheme.hash)
    .update(Buffer.from(values.join(""), "hex"))
    .digest();
  // safety: quote: the values give the digest that was signed
  if (!computed.equals(digest))
    throw new TpmFault("the values of the registers do not give the digest that the TPM signed");
}

/**
 * Throws TpmFault with words of its own for each fault. Pure.
 *
 * @param attestationKey TPM2B_PUBLIC; that it is one of the host's TPM was proven by its activation
 */
export function verifyQuote(
  attestationKey: Uint8Array,
  request: QuoteRequest,
  claim: QuoteClaim,
): VerifiedQuote {
  const key = readAttestationKey(attestationKey);
  const asked = [...new Set(request.pcrs)].sort((a, b) => a - b);
  const attested = readAttested(claim.message);
  requireNonce(attested.nonce, request.nonce);
  requireRegisters(attested.bitmap, asked);
  const values = valuesOf(claim.pcrs, asked);
  requireValues(attested, key, values);
  // safety: quote: signed by the attestation key
  requireSignature(key, claim.message, claim.signature, "the quote");
  const { clock, resetCount, restartCount, safe, firmware } = attested;
  const pcrs = Object.fromEntries(asked.map((pcr, place) => [String(pcr), values[place] ?? ""]));
  return { pcrs, clock, resetCount, restartCount, safe, firmware };
}
