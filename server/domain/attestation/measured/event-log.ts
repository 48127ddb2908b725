// Reads a firmware's event log (TCG PC Client Platform Firmware Profile 1.06, 10), which says what was measured into each register and in which order. It
// proves nothing by itself: it explains values that a TPM signed, if it leads to them.
import { createHash } from "node:crypto";
import { maxEventLogBytes } from "@/server/domain/attestation/limits";
import { eventText } from "@/server/domain/attestation/measured/event-text";
import { eventTypeName, eventTypes } from "@/server/domain/attestation/measured/event-types";
import { TpmFault, TpmReader } from "@/server/domain/attestation/tpm/reader";

export interface BootEvent {
  readonly pcr: number;
  /** As the profile calls it; its number if it does not. */
  readonly type: string;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string;
  /** For people; null: the event says nothing that can be shown. */
  readonly text: string | null;
  /** The locality that the TPM was started from, which register 0 begins with; only in the event that says it. */
  readonly startupLocality?: number;
}

export const maxEvents = 20_000;
/** Lists of forbidden signatures (`dbx`) have some ten thousand bytes. */
const maxEventBytes = 256 * 1024;
const maxAlgorithms = 16;
const what = "the event log";

const noAction = eventTypeName(eventTypes.noAction);
const sha1Bytes = 20;
const sha256 = 0x000b;
const sha256Bytes = 32;
/** Of SHA-512, the longest that a TPM has. */
const maxDigestBytes = 64;
const lastRegister = 23;

/** The log's numbers are little-endian, other than the TPM's own. */
const u16 = (reader: TpmReader): number => reader.take(2).readUInt16LE();
const u32 = (reader: TpmReader): number => reader.take(4).readUInt32LE();

function readData(reader: TpmReader): Buffer {
  const length = u32(reader);
  if (length > maxEventBytes)
    throw new TpmFault(`an event in ${what} has ${length} bytes, and at most ${maxEventBytes} are accepted`);
  return reader.take(length);
}

const signature = "Spec ID Event03\0";

/** Length of a digest by the number of its algorithm. */
type DigestSizes = ReadonlyMap<number, number>;

/** TCG_EfiSpecIdEvent: which digests each of the following events has. */
function readSizes(data: Buffer): DigestSizes {
  const head = new TpmReader(data, `the header of ${what}`, maxEventBytes);
  head.take(signature.length);
  head.take(4 + 3 + 1); // class of the platform, version of the specification, size of its words
  const count = u32(head);
  if (count > maxAlgorithms)
    throw new TpmFault(
      `${what} has digests of ${count} algorithms, and at most ${maxAlgorithms} are accepted`,
    );
  const sizes = new Map<number, number>();
  for (let place = 0; place < count; place += 1) {
    const algorithm = u16(head);
    const size = u16(head);
    if (sizes.has(algorithm))
      throw new TpmFault(`${what} names the algorithm 0x${algorithm.toString(16)} twice`);
    if (size === 0 || size > maxDigestBytes)
      throw new TpmFault(`${what} has digests of ${size} bytes, and at most ${maxDigestBytes} are accepted`);
    sizes.set(algorithm, size);
  }
  head.take(head.take(1).readUInt8());
  head.end();
  if (sizes.get(sha256) !== sha256Bytes) throw new TpmFault(`${what} has no digests of SHA-256`);
  return sizes;
}

/** The first event has the form of TPM 1.2, so that readers of either form can tell them apart. */
function readHeader(reader: TpmReader): DigestSizes {
  u32(reader); // a register, into which nothing was measured
  const type = u32(reader);
  reader.take(sha1Bytes);
  const data = readData(reader);
  if (type !== eventTypes.noAction || data.toString("latin1", 0, signature.length) !== signature)
    throw new TpmFault(
      `${what} has the form of TPM 1.2, whose only digests are of SHA-1, which prove nothing`,
    );
  return readSizes(data);
}

const nothingMeasured = "0".repeat(2 * sha256Bytes);

/** The digest of SHA-256; null: the event has none. */
function readDigests(reader: TpmReader, sizes: DigestSizes): string | null {
  const count = u32(reader);
  if (count > sizes.size)
    throw new TpmFault(`an event in ${what} has ${count} digests, and its header names ${sizes.size}`);
  const seen = new Set<number>();
  let digest: string | null = null;
  for (let place = 0; place < count; place += 1) {
    const algorithm = u16(reader);
    const size = sizes.get(algorithm);
    if (size === undefined || seen.has(algorithm))
      throw new TpmFault(
        `an event in ${what} has a digest of 0x${algorithm.toString(16)}, which its header does not name or which it has twice`,
      );
    seen.add(algorithm);
    const bytes = reader.take(size);
    if (algorithm === sha256) digest = bytes.toString("hex");
  }
  return digest;
}

const localitySignature = "StartupLocality\0";
/** 3: by TPM2_Startup of locality 3; 4: after a measurement by the processor itself (H-CRTM). */
const localities = new Set([0, 3, 4]);

/** TCG_EfiStartupLocalityEvent; null: another event. */
function localityIn(data: Buffer): number | null {
  if (data.toString("latin1", 0, localitySignature.length) !== localitySignature) return null;
  const locality = data[localitySignature.length] ?? -1;
  if (data.length !== localitySignature.length + 1 || !localities.has(locality))
    throw new TpmFault(
      `${what} says that the TPM was started from the locality ${locality}, which there is not`,
    );
  return locality;
}

function readEvent(reader: TpmReader, sizes: DigestSizes): BootEvent {
  const pcr = u32(reader);
  const number = u32(reader);
  const type = eventTypeName(number);
  const digest = readDigests(reader, sizes);
  const data = readData(reader);
  if (number === eventTypes.noAction) {
    const startupLocality = localityIn(data);
    const event = { pcr, type, digest: digest ?? nothingMeasured, text: null };
    return startupLocality === null ? event : { ...event, startupLocality };
  }
  if (digest === null)
    throw new TpmFault(`an event of the register ${pcr} in ${what} has no digest of SHA-256`);
  if (pcr > lastRegister)
    throw new TpmFault(`an event in ${what} is of the register ${pcr}, which no TPM has`);
  return { pcr, type, digest, text: eventText(number, data) };
}

/** The events in their order, without the header. Throws TpmFault with words for each fault, also for a log of SHA-1 only. Pure. */
export function readEventLog(bytes: Uint8Array): readonly BootEvent[] {
  const reader = new TpmReader(bytes, what, maxEventLogBytes);
  const sizes = readHeader(reader);
  const events: BootEvent[] = [];
  while (reader.left > 0) {
    if (events.length === maxEvents)
      throw new TpmFault(`${what} has more than ${maxEvents} events, which are not accepted`);
    events.push(readEvent(reader, sizes));
  }
  return events;
}

/** Registers that only a reset of the TPM resets. */
const staticRegisters = 16;

const startOf = (pcr: number, locality: number): Buffer => {
  const start = Buffer.alloc(sha256Bytes);
  if (pcr === 0) start.writeUInt8(locality, sha256Bytes - 1);
  return start;
};

const extended = (value: Buffer, digest: string): Buffer =>
  createHash("sha256").update(value).update(Buffer.from(digest, "hex")).digest();

/** The values of registers 0 to 15 that the events lead to, in hexadecimal digits. Pure. */
export function replayEvents(events: readonly BootEvent[]): Readonly<Record<string, string>> {
  const locality = events.find(({ startupLocality }) => startupLocality !== undefined)?.startupLocality ?? 0;
  const values = Array.from({ length: staticRegisters }, (_, pcr) => startOf(pcr, locality));
  for (const { pcr, type, digest } of events) {
    const value = values[pcr];
    if (value !== undefined && type !== noAction) values[pcr] = extended(value, digest);
  }
  return Object.fromEntries(values.map((value, pcr) => [String(pcr), value.toString("hex")]));
}

/** The registers that only firmware measures into. */
const firmwareRegisters = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Registers 0 to 7 of a quote that the log does not lead to; empty: it explains them all. Those from 8 on are left out: what runs after the firmware measures
 * into them too, and into no log of the firmware. Pure.
 *
 * @param quoted values by register, in hexadecimal digits, as a TPM signed them
 */
export function unexplained(
  events: readonly BootEvent[],
  quoted: Readonly<Record<string, string>>,
): readonly number[] {
  const values = replayEvents(events);
  // safety: quote: the event log leads to what was signed
  return firmwareRegisters.filter((pcr) => quoted[pcr] !== undefined && quoted[pcr] !== values[pcr]);
}
