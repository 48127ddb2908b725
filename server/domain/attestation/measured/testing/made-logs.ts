// Event logs as firmware writes them, and such as none writes.

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >>> 8]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

interface MadeHeader {
  readonly type?: number;
  readonly signature?: string;
  /** Number of each algorithm, and length of its digests. */
  readonly algorithms?: readonly (readonly [id: number, bytes: number])[];
  readonly after?: Buffer;
}

const both = [
  [0x0004, 20],
  [0x000b, 32],
] as const;

/** TCG_PCR_EVENT with TCG_EfiSpecIdEvent. */
export function header({
  type = 3,
  signature = "Spec ID Event03\0",
  algorithms = both,
  after = Buffer.alloc(0),
}: MadeHeader): Buffer {
  const sizes = algorithms.flatMap(([id, bytes]) => [u16(id), u16(bytes)]);
  const platform = Buffer.from([0, 0, 0, 0, 0, 2, 0, 2]);
  const noVendor = Buffer.from([0]);
  const data = Buffer.concat([
    ...[Buffer.from(signature, "latin1"), platform, u32(algorithms.length), ...sizes, noVendor, after],
  ]);
  return Buffer.concat([u32(0), u32(type), Buffer.alloc(20), u32(data.length), data]);
}

export interface MadeEvent {
  readonly pcr: number;
  readonly type: number;
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string;
  readonly data: Buffer;
  /** In place of one of each algorithm of the header. */
  readonly digests?: readonly (readonly [id: number, digest: Buffer])[];
}

/** TCG_PCR_EVENT2. */
export function event({ pcr, type, digest, data, digests }: MadeEvent): Buffer {
  const each = digests ?? [
    [0x0004, Buffer.alloc(20, 1)] as const,
    [0x000b, Buffer.from(digest, "hex")] as const,
  ];
  const values = each.flatMap(([id, value]) => [u16(id), value]);
  return Buffer.concat([u32(pcr), u32(type), u32(each.length), ...values, u32(data.length), data]);
}

export const log = (...events: readonly MadeEvent[]): Buffer =>
  Buffer.concat([header({}), ...events.map(event)]);
