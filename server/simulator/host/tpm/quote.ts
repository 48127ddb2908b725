// A quote of a simulated TPM (TPM 2.0 Library, Part 2, 10.12 and 11.3): the structure that is signed, and its signature.
import { createHash, sign, type KeyObject } from "node:crypto";
import { sized } from "@/server/domain/attestation/tpm/reader";
import { u16, u32, u64 } from "@/server/simulator/host/tpm/bytes";
import type { Quote } from "@/agent/tools/tools";

/** TPMS_CLOCK_INFO */
export interface Clock {
  readonly ms: number;
  readonly resets: number;
}

const generated = 0xff544347;
const attestQuote = 0x8018;
const endorsementHierarchy = 0x4000000b;
const sha256 = 0x000b;
const ecdsa = 0x0018;
const p256Bytes = 32;
const selectionBytes = 3;
const firmwareVersion = 0x0001_0000_0000_0000n;

const digest = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The qualified name of a key that is made below the endorsement key (Part 1, 16). */
export function qualifiedName(endorsementName: Uint8Array, name: Uint8Array): Buffer {
  const below = (parent: Uint8Array, child: Uint8Array) =>
    Buffer.concat([u16(sha256), digest(parent, child)]);
  return below(below(u32(endorsementHierarchy), endorsementName), name);
}

/** TPML_PCR_SELECTION of one bank. */
function selection(pcrs: readonly number[]): Buffer {
  const bits = Buffer.alloc(selectionBytes);
  for (const pcr of pcrs) bits[pcr >> 3] = (bits[pcr >> 3] ?? 0) | (1 << (pcr & 7));
  return Buffer.concat([u32(1), u16(sha256), Buffer.of(selectionBytes), bits]);
}

export interface QuoteOrder {
  /** The qualified name of the key that signs. */
  readonly signer: Uint8Array;
  readonly key: KeyObject;
  readonly nonce: Uint8Array;
  readonly pcrs: readonly number[];
  readonly registers: readonly Buffer[];
  readonly clock: Clock;
}

export function makeQuote({ signer, key, nonce, pcrs, registers, clock }: QuoteOrder): Quote {
  const values = pcrs
    .toSorted((a, b) => a - b)
    .map((pcr) => [String(pcr), registers[pcr] ?? Buffer.alloc(0)] as const);
  const isSafe = 1;
  const message = Buffer.concat([
    u32(generated),
    u16(attestQuote),
    sized(signer),
    sized(nonce),
    u64(BigInt(clock.ms)),
    u32(clock.resets, 0),
    Buffer.of(isSafe),
    u64(firmwareVersion),
    selection(pcrs),
    sized(digest(...values.map(([, value]) => value))),
  ]);
  const both = sign("sha256", message, { key, dsaEncoding: "ieee-p1363" });
  const signature = [both.subarray(0, p256Bytes), both.subarray(p256Bytes)].map(sized);
  return {
    message,
    signature: Buffer.concat([u16(ecdsa, sha256), ...signature]),
    pcrs: Object.fromEntries(values.map(([pcr, value]) => [pcr, value.toString("hex")])),
  };
}
