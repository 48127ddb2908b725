// Reads the report of a component's measurements: the messages GET_MEASUREMENTS and MEASUREMENTS as its BMC exchanged them (DSP0274, 10.11;
// https://github.com/DMTF/libspdm/blob/main/doc/standard_measurement_report.md). From version 1.2 on, version, capabilities and algorithms (VCA) come first, and are signed with them.
import { SpdmFault, SpdmReader } from "@/server/domain/attestation/spdm/reader";

const codes = {
  getVersion: 0x84,
  version: 0x04,
  getCapabilities: 0xe1,
  capabilities: 0x61,
  negotiateAlgorithms: 0xe3,
  algorithms: 0x63,
  getMeasurements: 0xe0,
  measurements: 0x60,
} as const;

const nonceBytes = 32;
const contextBytes = 8;
/** After the head, since 1.2 (DSP0274, 10.4). */
const capabilitiesBytes = 16;

/** DMTF's kinds of measurement (DSP0274, table of DMTFSpecMeasurementValueType), in the words of people. */
const kindNames = [
  "ROM",
  "firmware",
  "hardware configuration",
  "firmware configuration",
  "manifest",
  "mode",
  "firmware version",
  "security version",
  "hash-extended",
  "informational",
  "structured manifest",
] as const;
export type MeasurementKind = (typeof kindNames)[number] | "other";

export interface Measurement {
  /** From 1 on; what each one measures is the vendor's. */
  readonly index: number;
  readonly kind: MeasurementKind;
  /** Hexadecimal: a digest, or the measured bytes themselves. */
  readonly value: string;
}

export interface SpdmReport {
  /** 0x10 to 0x13. */
  readonly version: number;
  /** What the requester sent with the signed request. */
  readonly nonce: Buffer;
  readonly measurements: readonly Measurement[];
  /** BaseHashSel of the algorithms that were agreed on; null before 1.2, whose reports do not have them. */
  readonly hash: string | null;
  /** What is signed: everything before the signature. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** BaseHashSel (DSP0274, table of NEGOTIATE_ALGORITHMS), one bit. */
const hashes: Readonly<Record<number, string>> = {
  0x01: "sha256",
  0x02: "sha384",
  0x04: "sha512",
  0x08: "sha3-256",
  0x10: "sha3-384",
  0x20: "sha3-512",
};

const hex = (value: number): string => `0x${value.toString(16).padStart(2, "0")}`;

/** The four bytes that each message begins with. Throws unless it is the one that has to come now, in this version. */
function header(reader: SpdmReader, code: number, version: number | null) {
  const found = reader.take(4, "the head of a message");
  const [ver = 0, got = 0, param1 = 0, param2 = 0] = found;
  if (got !== code)
    throw new SpdmFault(`the report has the message ${hex(got)} where ${hex(code)} is expected`);
  if (version !== null && ver !== version)
    throw new SpdmFault(`the report has messages of the versions ${hex(version)} and ${hex(ver)}`);
  return { version: ver, param1, param2 };
}

/** VCA: the agreed version, capabilities and algorithms, of which only the hash matters here. */
function agreed(reader: SpdmReader, version: number): string {
  header(reader, codes.getVersion, null);
  header(reader, codes.version, null);
  reader.take(1, "the list of versions");
  reader.take(2 * reader.number(1, "the number of versions"), "the list of versions");
  for (const code of [codes.getCapabilities, codes.capabilities]) {
    const { param1 } = header(reader, code, version);
    reader.take(capabilitiesBytes, "the capabilities");
    // The block of supported algorithms (1.3), which has its own length in its third and fourth byte.
    if (version >= 0x13 && code === codes.capabilities && (param1 & 1) === 1) {
      const start = reader.take(4, "the supported algorithms");
      reader.take(start.readUInt16LE(2) - 4, "the supported algorithms");
    }
  }
  header(reader, codes.negotiateAlgorithms, version);
  reader.take(reader.number(2, "the length of the algorithms") - 6, "the algorithms");
  header(reader, codes.algorithms, version);
  const body = reader.take(reader.number(2, "the length of the algorithms") - 6, "the algorithms");
  // After the length: MeasurementSpecificationSel, OtherParamsSelection, MeasurementHashAlgo (4), BaseAsymSel (4), BaseHashSel (4).
  if (body.length < 14) throw new SpdmFault("the report is truncated: its algorithms are too short");
  const selected = hashes[body.readUInt32LE(10)];
  if (selected === undefined) throw new SpdmFault("its algorithms select no hash that Reclaim knows");
  return selected;
}

interface Request {
  readonly isSigned: boolean;
  readonly nonce: Buffer | null;
}

function request(reader: SpdmReader, version: number): Request {
  const { param1 } = header(reader, codes.getMeasurements, version);
  const isSigned = (param1 & 1) === 1;
  const nonce = isSigned ? reader.take(nonceBytes, "the nonce") : null;
  if (isSigned && version >= 0x11) reader.take(1, "the slot");
  if (version >= 0x13) reader.take(contextBytes, "the requester's context");
  return { isSigned, nonce };
}

/** Reads one measurement block (DSP0274, 10.11.1). */
function block(reader: SpdmReader): Measurement {
  const index = reader.number(1, "the index of a measurement");
  const specification = reader.number(1, "the specification of a measurement");
  const size = reader.number(2, "the size of a measurement");
  if (specification !== 1)
    throw new SpdmFault(
      `measurement ${index} follows the specification ${hex(specification)}, and not DMTF's`,
    );
  const kind = reader.number(1, "the kind of a measurement");
  const length = reader.number(2, "the length of a measurement");
  if (size !== length + 3) throw new SpdmFault(`measurement ${index} has two lengths that differ`);
  const value = reader.take(length, `measurement ${index}`);
  return { index, kind: kindNames[kind & 0x7f] ?? "other", value: value.toString("hex") };
}

function response(reader: SpdmReader, version: number): readonly Measurement[] {
  header(reader, codes.measurements, version);
  const count = reader.number(1, "the number of measurements");
  const length = reader.number(3, "the length of the measurements");
  const end = reader.at + length;
  const found: Measurement[] = [];
  while (found.length < count) {
    found.push(block(reader));
    if (reader.at > end) throw new SpdmFault("the measurements are longer than the report says");
  }
  if (reader.at !== end) throw new SpdmFault("the measurements are shorter than the report says");
  reader.take(nonceBytes, "the component's nonce");
  reader.take(reader.number(2, "the length of the opaque data"), "the opaque data");
  if (version >= 0x13) reader.take(contextBytes, "the requester's context");
  return found;
}

const firstVersion = 0x10;
const lastVersion = 0x13;

/**
 * The content of a report. Throws SpdmFault. Nothing in it counts before its signature was checked. Pure.
 *
 * Only the last request may be signed; those before it, of one measurement each, are covered by its signature.
 */
export function readReport(bytes: Uint8Array): SpdmReport {
  const reader = new SpdmReader(bytes);
  const [first = 0, code = 0] = bytes;
  const withAgreement = code === codes.getVersion;
  // GET_VERSION is always of version 1.0; the agreed one is that of the capabilities after it.
  const version = withAgreement ? versionAfter(bytes) : first;
  if (version < firstVersion || version > lastVersion)
    throw new SpdmFault(`the report is of SPDM version ${hex(version)}, and Reclaim knows 0x10 to 0x13`);
  // safety: spdm: since 1.2 the agreed version and algorithms are signed, too
  if (version >= 0x12 !== withAgreement)
    throw new SpdmFault(
      "the report does not begin as one of its version: since 1.2 with the agreed version and algorithms, before with the request",
    );
  const hash = withAgreement ? agreed(reader, version) : null;
  const measurements = new Map<number, Measurement>();
  for (;;) {
    const { isSigned, nonce } = request(reader, version);
    for (const each of response(reader, version)) {
      // safety: spdm: a measurement that is there twice says two things
      if (measurements.has(each.index)) throw new SpdmFault(`measurement ${each.index} is there twice`);
      measurements.set(each.index, each);
    }
    if (!isSigned || nonce === null) {
      if (reader.left === 0) throw new SpdmFault("the report is not signed");
      continue;
    }
    const signed = reader.since(0);
    return {
      ...{ version, nonce, hash, signed },
      measurements: [...measurements.values()].sort((a, b) => a.index - b.index),
      signature: reader.take(reader.left, "the signature"),
    };
  }
}

/** The version of the first message after VERSION. */
function versionAfter(bytes: Uint8Array): number {
  const reader = new SpdmReader(bytes);
  header(reader, codes.getVersion, null);
  header(reader, codes.version, null);
  reader.take(1, "the list of versions");
  reader.take(2 * reader.number(1, "the number of versions"), "the list of versions");
  return reader.number(1, "the agreed version");
}
