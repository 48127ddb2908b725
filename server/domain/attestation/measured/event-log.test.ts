// Event logs: a recorded one is read and leads to what its TPM had; what is not a log is refused in words, and no bytes break the reader.
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { maxEventLogBytes } from "@/server/domain/attestation/limits";
import {
  maxEvents,
  readEventLog,
  replayEvents,
  unexplained,
  type BootEvent,
} from "@/server/domain/attestation/measured/event-log";
import { event, header, log, type MadeEvent } from "@/server/domain/attestation/measured/testing/made-logs";
import recorded from "@/server/domain/attestation/measured/testing/ovmf.json";
import { TpmFault } from "@/server/domain/attestation/tpm/reader";

const inputs = inject("fuzz") ?? 2_000;
/** Of a test with very many inputs (`FUZZ=1000000`). */
const limitMs = 7_200_000;
const ovmf = Buffer.from(recorded.eventLog, "base64");
const zeros = "0".repeat(64);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const separator: MadeEvent = { pcr: 0, type: 4, digest: sha256("\0\0\0\0"), data: Buffer.alloc(4) };

describe("a recorded log", () => {
  const events = readEventLog(ovmf);

  it("leads to each of the registers that its TPM had, also to those that Linux' stub measured into", () => {
    expect(unexplained(events, recorded.pcrs)).toEqual([]);
    expect(replayEvents(events)).toMatchObject(recorded.pcrs);
  });

  it("says in words what was measured", () => {
    const said = events.map(({ pcr, type, text }) => `${pcr} ${type}${text === null ? "" : `: ${text}`}`);
    expect(said).toHaveLength(24);
    expect(said).toEqual(
      expect.arrayContaining([
        "0 EV_EFI_PLATFORM_FIRMWARE_BLOB",
        "7 EV_EFI_VARIABLE_DRIVER_CONFIG: SecureBoot",
        "1 EV_EFI_VARIABLE_BOOT: Boot0000",
        "4 EV_EFI_BOOT_SERVICES_APPLICATION: kernel",
        "4 EV_EFI_ACTION: Calling EFI Application from Boot Option",
        "0 EV_SEPARATOR",
        "9 EV_EVENT_TAG: LOADED_IMAGE::LoadOptions",
        "9 EV_EVENT_TAG: Linux initrd",
        "5 EV_EFI_ACTION: Exit Boot Services Returned with Success",
      ]),
    );
  });

  it.each([
    ["left out", (place: number) => events.filter((_, index) => index !== place)],
    [
      "put in twice",
      (place: number) => events.flatMap((each, index) => (index === place ? [each, each] : [each])),
    ],
    [
      "of another digest",
      (place: number) =>
        events.map((each, index) => (index === place ? { ...each, digest: sha256("x") } : each)),
    ],
    [
      "that extends nothing",
      (place: number) =>
        events.map((each, index) => (index === place ? { ...each, type: "EV_NO_ACTION" } : each)),
    ],
  ])("does not explain its register with an event %s", (_what, change) => {
    events.forEach(({ pcr }, place) => {
      expect(unexplained(change(place), recorded.pcrs)).toEqual(pcr < 8 ? [pcr] : []);
    });
  });

  it("does not explain a register with another value, and says nothing of those that were not quoted, or from 8 on", () => {
    const other = Object.fromEntries(Object.keys(recorded.pcrs).map((pcr) => [pcr, sha256(pcr)]));
    expect(unexplained(events, other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(unexplained(events, { 2: zeros, 9: zeros, 17: "f".repeat(64) })).toEqual([2]);
    expect(unexplained([], { 3: zeros })).toEqual([]);
  });
});

describe("register 0", () => {
  const localityEvent = (locality: number): MadeEvent => ({
    pcr: 0,
    type: 3,
    digest: zeros,
    data: Buffer.from(`StartupLocality\0${String.fromCharCode(locality)}`, "latin1"),
  });

  it.each([0, 3, 4])("begins with the locality that the TPM was started from (%i)", (locality) => {
    const start = Buffer.alloc(32);
    start[31] = locality;
    expect(replayEvents(readEventLog(log(localityEvent(locality))))).toMatchObject({
      0: start.toString("hex"),
      1: zeros,
    });
    const value = createHash("sha256").update(start).update(Buffer.from(separator.digest, "hex"));
    expect(replayEvents(readEventLog(log(localityEvent(locality), separator)))[0]).toBe(value.digest("hex"));
  });

  it("cannot begin with a locality that there is not", () => {
    expect(() => readEventLog(log(localityEvent(1)))).toThrow(/from the locality 1, which there is not/);
    const long = { ...localityEvent(3), data: Buffer.from("StartupLocality\0\x03\0") };
    expect(() => readEventLog(log(long))).toThrow(TpmFault);
  });
});

describe("what is no log", () => {
  const one = event(separator);
  it.each<[string, Buffer, RegExp]>([
    ["nothing", Buffer.alloc(0), /the event log is truncated/],
    [
      "a log of TPM 1.2",
      Buffer.concat([header({ signature: "Spec ID Event00\0" }), one]),
      /the form of TPM 1.2, whose only digests are of SHA-1/,
    ],
    ["a log that begins with an event", Buffer.concat([header({ type: 8 }), one]), /the form of TPM 1.2/],
    [
      "a log without SHA-256",
      Buffer.concat([header({ algorithms: [[4, 20]] }), one]),
      /has no digests of SHA-256/,
    ],
    [
      "a log with short digests of SHA-256",
      header({ algorithms: [[0x0b, 20]] }),
      /has no digests of SHA-256/,
    ],
    [
      "a log that names an algorithm twice",
      header({
        algorithms: [
          [0x0b, 32],
          [0x0b, 32],
        ],
      }),
      /names the algorithm 0xb twice/,
    ],
    [
      "a log with endless digests",
      header({
        algorithms: [
          [0x0b, 32],
          [0x99, 65],
        ],
      }),
      /digests of 65 bytes/,
    ],
    [
      "a log with digests of no length",
      header({
        algorithms: [
          [0x0b, 32],
          [0x99, 0],
        ],
      }),
      /digests of 0 bytes/,
    ],
    [
      "a log with very many algorithms",
      header({ algorithms: Array.from({ length: 17 }, (_, id) => [id, 32] as const) }),
      /digests of 17 algorithms/,
    ],
    [
      "a header with trailing bytes",
      header({ after: Buffer.alloc(2) }),
      /the header of the event log has 2 trailing bytes/,
    ],
    ["a log that breaks off", log(separator).subarray(0, -1), /the event log is truncated/],
    [
      "a log with trailing bytes",
      Buffer.concat([log(separator), Buffer.alloc(3)]),
      /the event log is truncated/,
    ],
    [
      "a log with a tail of zeros",
      Buffer.concat([log(separator), Buffer.alloc(64)]),
      /register 0 .* has no digest of SHA-256/,
    ],
    [
      "an event without SHA-256",
      log({ ...separator, digests: [[4, Buffer.alloc(20)]] }),
      /an event of the register 0 .* has no digest of SHA-256/,
    ],
    [
      "an event with an unknown digest",
      log({ ...separator, digests: [[5, Buffer.alloc(20)]] }),
      /a digest of 0x5, which its header does not name/,
    ],
    [
      "an event with two digests of one kind",
      log({
        ...separator,
        digests: [
          [0x0b, Buffer.alloc(32)],
          [0x0b, Buffer.alloc(32)],
        ],
      }),
      /a digest of 0xb, .* twice/,
    ],
    [
      "an event with too many digests",
      log({ ...separator, digests: Array.from({ length: 3 }, () => [0x0b, Buffer.alloc(32)] as const) }),
      /has 3 digests, and its header names 2/,
    ],
    [
      "an event of a register that there is not",
      log({ ...separator, pcr: 24 }),
      /is of the register 24, which no TPM has/,
    ],
    [
      "a very long event",
      log({ ...separator, data: Buffer.alloc(256 * 1024 + 1) }),
      /an event in the event log has 262145 bytes/,
    ],
    ["a very long log", Buffer.alloc(maxEventLogBytes + 1), /has 524289 bytes, and at most 524288/],
  ])("%s", (_what, bytes, words) => {
    expect(() => readEventLog(bytes)).toThrow(words);
    expect(() => readEventLog(bytes)).toThrow(TpmFault);
  });

  it("a log with too many events", () => {
    // Events that extend nothing need no digest, so that more of them than are accepted have room.
    const small = event({ ...separator, type: 3, digests: [], data: Buffer.alloc(0) });
    const many = (count: number) =>
      Buffer.concat([header({}), ...Array.from({ length: count }, () => small)]);
    expect(readEventLog(many(maxEvents))).toHaveLength(maxEvents);
    expect(() => readEventLog(many(maxEvents + 1))).toThrow(/has more than 20000 events/);
  });
});

describe("the text of an event", () => {
  const textOf = (type: number, data: Buffer): Pick<BootEvent, "text" | "type"> | undefined =>
    readEventLog(log({ ...separator, type, data }))[0];
  const wide = (text: string) => Buffer.from(text, "utf16le");
  const u64 = (...numbers: readonly (bigint | number)[]) =>
    Buffer.concat(
      numbers.map((number) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(BigInt(number));
        return bytes;
      }),
    );
  const tag = (data: Buffer, length = data.length) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(0x8f3b22ec, 0);
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, data]);
  };
  const file = (text: string) => {
    const name = wide(`${text}\0`);
    return Buffer.concat([Buffer.from([4, 4, name.length + 4, 0]), name]);
  };
  const image = (path: Buffer, length: bigint | number = path.length) =>
    Buffer.concat([u64(1, 4096, 0, length), path]);
  const variable = (name: string, length: bigint | number = name.length) =>
    Buffer.concat([Buffer.alloc(16), u64(length, 1), wide(name), Buffer.alloc(1)]);

  it.each<[string, number, Buffer, string, string | null]>([
    ["of GRUB", 0x0d, Buffer.from("grub_cmd: linux\0"), "EV_IPL", "grub_cmd: linux"],
    ["of systemd-boot", 0x0d, wide("initrd=\\x\0"), "EV_IPL", "initrd=\\x"],
    ["of other bytes", 0x0d, Buffer.from([1, 2, 3, 255]), "EV_IPL", null],
    ["with an order of writing of its own", 0x0d, Buffer.from("a\u202eb\nc\u2028d"), "EV_IPL", "a?b?c?d"],
    ["that is very long", 0x0d, Buffer.from("ä".repeat(5000)), "EV_IPL", `${"ä".repeat(199)}…`],
    ["of a tag", 6, tag(Buffer.from("Linux initrd\0")), "EV_EVENT_TAG", "Linux initrd"],
    ["of a tag without words", 6, tag(Buffer.alloc(0)), "EV_EVENT_TAG", "tag 0x8f3b22ec"],
    ["of a tag that says to be longer", 6, tag(Buffer.from("x"), 5), "EV_EVENT_TAG", "tag 0x8f3b22ec"],
    ["of a tag that breaks off", 6, Buffer.alloc(7), "EV_EVENT_TAG", null],
    [
      "of a program by file",
      0x80000003,
      image(file("\\EFI\\BOOT\\BOOTX64.EFI")),
      "EV_EFI_BOOT_SERVICES_APPLICATION",
      "\\EFI\\BOOT\\BOOTX64.EFI",
    ],
    [
      "of a program from the network",
      0x80000003,
      image(Buffer.from([3, 11, 4, 0, 127, 255, 4, 0])),
      "EV_EFI_BOOT_SERVICES_APPLICATION",
      "4096 bytes",
    ],
    [
      "of a program whose path says to be longer",
      0x80000003,
      image(file("x"), 2n ** 64n - 1n),
      "EV_EFI_BOOT_SERVICES_APPLICATION",
      "4096 bytes",
    ],
    [
      "of a program whose path has no end",
      0x80000003,
      image(Buffer.from([4, 4, 0, 0])),
      "EV_EFI_BOOT_SERVICES_APPLICATION",
      "4096 bytes",
    ],
    ["of a program that breaks off", 0x80000003, Buffer.alloc(31), "EV_EFI_BOOT_SERVICES_APPLICATION", null],
    ["of a variable", 0x80000002, variable("BootOrder"), "EV_EFI_VARIABLE_BOOT", "BootOrder"],
    [
      "of a variable whose name says to be longer",
      0x80000002,
      variable("x", 2n ** 64n - 1n),
      "EV_EFI_VARIABLE_BOOT",
      null,
    ],
    ["of a variable that breaks off", 0x800000e0, Buffer.alloc(31), "EV_EFI_VARIABLE_AUTHORITY", null],
    ["of a separator", 4, Buffer.from("text"), "EV_SEPARATOR", null],
    ["of a type that nobody knows", 0x80000123, Buffer.from("text"), "0x80000123", null],
  ])("%s", (_what, type, data, name, text) => {
    expect(textOf(type, data)).toMatchObject({ type: name, text });
  });
});

/** Whether it is read. Anything else than a refusal in words is a bug. */
function reads(bytes: Uint8Array): readonly BootEvent[] | null {
  try {
    return readEventLog(bytes);
  } catch (error) {
    if (error instanceof TpmFault) return null;
    throw error;
  }
}

describe("any bytes", () => {
  it(
    "changed in a recorded log are refused, or show in a register, or were only words",
    () => {
      const digests = readEventLog(ovmf).map(({ pcr, digest }) => `${pcr} ${digest}`);
      const change = fc.tuple(fc.nat(ovmf.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(change, ([place, flip]) => {
          const bytes = Buffer.from(ovmf);
          bytes[place] = (bytes[place] ?? 0) ^ flip;
          const events = reads(bytes);
          if (events === null) return;
          const same = events.every(({ pcr, digest }, index) => `${pcr} ${digest}` === digests[index]);
          const isExplained = Object.entries(recorded.pcrs).every(
            ([pcr, value]) => replayEvents(events)[pcr] === value,
          );
          expect(isExplained).toBe(
            same && events.length === digests.length && events.every(({ type }) => type !== "EV_NO_ACTION"),
          );
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );

  it(
    "behind a right header are read or refused, and never break anything",
    () => {
      const types = fc.constantFrom(
        3,
        5,
        6,
        0x0d,
        0x80000001,
        0x80000002,
        0x80000003,
        0x80000007,
        0x800000e0,
      );
      const anEvent = fc
        .tuple(fc.nat(25), types, fc.uint8Array({ maxLength: 120 }))
        .map(([pcr, type, data]) => event({ pcr, type, digest: zeros, data: Buffer.from(data) }));
      const rest = fc.tuple(fc.array(anEvent, { maxLength: 3 }), fc.uint8Array({ maxLength: 200 }));
      fc.assert(
        fc.property(fc.boolean(), rest, (isHeaded, [events, bytes]) => {
          const read = reads(Buffer.concat([...(isHeaded ? [header({})] : []), ...events, bytes]));
          if (!isHeaded && events.length === 0) expect(read).toBeNull();
          if (read !== null) expect(unexplained(read, recorded.pcrs)).not.toEqual([]);
        }),
        { numRuns: inputs },
      );
    },
    limitMs,
  );
});
