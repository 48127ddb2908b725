// The event log of a simulated machine's firmware, in the crypto-agile format with digests of SHA-256, and the registers that its events lead to (TCG PC Client
// Platform Firmware Profile, 10).
import { createHash } from "node:crypto";
import { le16, le32 } from "@/server/simulator/host/tpm/bytes";

export interface BootEvent {
  readonly register: number;
  readonly type: number;
  readonly data: Buffer;
  /** SHA-256, by which the register is extended. */
  readonly digest: Buffer;
}

const sha256 = 0x000b;
const digestBytes = 32;
const registerCount = 24;

const noAction = 3;
const server = 1;
const sizeOfUintn64 = 2;

/** The first event, in the old format: which digests the others have (TCG_EfiSpecIDEvent of version 2.0). */
function header(): Buffer {
  const data = Buffer.concat([
    Buffer.from("Spec ID Event03\0", "latin1"),
    le32(server),
    Buffer.of(0, 2, 0, sizeOfUintn64),
    le32(1),
    le16(sha256, digestBytes),
    // No information of the vendor.
    Buffer.of(0),
  ]);
  const noDigest = Buffer.alloc(20);
  return Buffer.concat([le32(0, noAction), noDigest, le32(data.length), data]);
}

export const eventLogOf = (events: readonly BootEvent[]): Buffer =>
  Buffer.concat([
    header(),
    ...events.flatMap(({ register, type, data, digest }) => [
      le32(register, type, 1),
      le16(sha256),
      digest,
      le32(data.length),
      data,
    ]),
  ]);

/** At a start, those that only a dynamic launch resets have all bits set. */
const isDynamic = (register: number): boolean => register >= 17 && register <= 22;

/** The values of all registers after these events. */
export function registersOf(events: readonly BootEvent[]): readonly Buffer[] {
  const registers = Array.from({ length: registerCount }, (_, register) =>
    Buffer.alloc(digestBytes, isDynamic(register) ? 0xff : 0),
  );
  for (const { register, digest } of events)
    registers[register] = createHash("sha256")
      .update(registers[register] ?? Buffer.alloc(digestBytes))
      .update(digest)
      .digest();
  return registers;
}
