// A component that answers SPDM (DSP0274): it signs what it measured, together with the nonce of whoever asks. What its BMC hands on is both sides'
// messages, as libspdm's measurement report has them.
import { createHash, randomBytes, sign, type KeyObject } from "node:crypto";

export interface MeasuredValue {
  readonly index: number;
  /** DMTFSpecMeasurementValueType; bit 7: the bytes themselves, no digest. */
  readonly type: number;
  readonly value: Buffer;
}

export interface ReportPlan {
  readonly version: 0x11 | 0x12 | 0x13;
  readonly key: KeyObject;
  readonly nonce: Buffer;
  readonly values: readonly MeasuredValue[];
  readonly hash: "sha256" | "sha384";
}

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u24 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);

/** GET_VERSION to ALGORITHMS, with ECDSA and the given hash agreed on. */
function agreement({ version, hash }: ReportPlan): Buffer {
  const hashBit = hash === "sha256" ? 1 : 2;
  const capabilities = (code: number): Buffer =>
    Buffer.concat([Buffer.from([version, code, 0, 0, 0, 0, 0, 0]), u32(0x16), u32(4096), u32(4096)]);
  const algorithms = (code: number, rest: Buffer): Buffer =>
    Buffer.concat([Buffer.from([version, code, 0, 0]), u16(rest.length + 6), rest]);
  // Specification DMTF, other parameters, [hash of measurements,] signing by ECDSA P-256, hash.
  const wanted = Buffer.concat([Buffer.from([1, 0]), u32(0x10), u32(hashBit), Buffer.alloc(16)]);
  const selected = Buffer.concat([Buffer.from([1, 0]), u32(2), u32(0x10), u32(hashBit), Buffer.alloc(16)]);
  return Buffer.concat([
    Buffer.from([0x10, 0x84, 0, 0]),
    Buffer.from([0x10, 0x04, 0, 0, 0, 1, 0, version << 4]),
    capabilities(0xe1),
    capabilities(0x61),
    algorithms(0xe3, wanted),
    algorithms(0x63, selected),
  ]);
}

function record(values: readonly MeasuredValue[]): Buffer {
  return Buffer.concat(
    values.flatMap(({ index, type, value }) => [
      Buffer.from([index, 1]),
      u16(value.length + 3),
      Buffer.from([type]),
      u16(value.length),
      value,
    ]),
  );
}

/** The messages that are signed. */
export function unsignedReport(plan: ReportPlan): Buffer {
  const { version, nonce, values } = plan;
  const requesterContext = version >= 0x13 ? Buffer.alloc(8, 0x5a) : Buffer.alloc(0);
  const blocks = record(values);
  return Buffer.concat([
    version >= 0x12 ? agreement(plan) : Buffer.alloc(0),
    Buffer.from([version, 0xe0, 1, 0xff]),
    nonce,
    Buffer.from([0]),
    requesterContext,
    Buffer.from([version, 0x60, 0, 0, values.length]),
    u24(blocks.length),
    blocks,
    randomBytes(32),
    u16(4),
    Buffer.from("opaq"),
    requesterContext,
  ]);
}

/** Its signature: of the messages, or since 1.2 of a prefix and their digest. */
export function signatureOf({ version, key, hash }: ReportPlan, messages: Buffer): Buffer {
  const prefix = Buffer.concat([
    Buffer.from(`dmtf-spdm-v1.${version & 0xf}.*`.repeat(4)),
    Buffer.alloc(6),
    Buffer.from("responder-measurements signing"),
  ]);
  const signed =
    version < 0x12 ? messages : Buffer.concat([prefix, createHash(hash).update(messages).digest()]);
  return sign(hash, signed, { key, dsaEncoding: "ieee-p1363" });
}

/** The whole report of one request. */
export function spdmReport(plan: ReportPlan): Buffer {
  const messages = unsignedReport(plan);
  return Buffer.concat([messages, signatureOf(plan, messages)]);
}
