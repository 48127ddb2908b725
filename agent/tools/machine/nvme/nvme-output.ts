// Parses nvme-cli's output. What an erase relies on is read from the device's own data structures (`--raw-binary`), because the JSON differs between
// releases, and some omit the sanitize status (nvme-print-json.c, json_sanitize_log). Offsets and names are those of the NVMe Base Specification 2.0.
import { z } from "zod";
import type { NvmeController, NvmeNamespace, SanitizeLog } from "@/agent/tools/tools";
import { json, text } from "@/agent/tools/machine/program/answers";

/** A device path that can only be a controller, and not an option. */
export const controllerPath = /^\/dev\/nvme\d{1,4}$/;

const listed = z.object({
  Devices: z.array(
    z.object({
      Subsystems: z.array(
        z.object({
          Controllers: z.array(
            z.object({ Controller: z.string().regex(/^nvme\d{1,4}$/), Transport: z.string() }),
          ),
        }),
      ),
    }),
  ),
});

/** `nvme list -v -o json`: the transport of each controller by its name. Also null if one is listed with two. */
export function readList(output: Uint8Array): ReadonlyMap<string, string> | null {
  const found = json(listed)(output);
  if (found === null) return null;
  const transports = new Map<string, string>();
  for (const { Subsystems } of found.Devices)
    for (const { Controllers } of Subsystems)
      for (const { Controller, Transport } of Controllers) {
        if ((transports.get(Controller) ?? Transport) !== Transport) return null;
        transports.set(Controller, Transport);
      }
  return transports;
}

/** `nvme list-ns -o json`. */
export const readNamespaces: (output: Uint8Array) => readonly number[] | null = json(
  z
    .object({ nsid_list: z.array(z.object({ nsid: z.int().min(1).max(0xfffffffe) })) })
    .transform(({ nsid_list }) => nsid_list.map(({ nsid }) => nsid)),
);

/** "create-ns: Success, created nsid:2" */
export const readCreated = text((output) => {
  const nsid = Number(/\bSuccess, created nsid:\s*(\d{1,9})\b/i.exec(output)?.[1]);
  return Number.isInteger(nsid) && nsid > 0 ? nsid : null;
});

/** A structure of exactly this length; another length is not that structure. */
const structure =
  <Value>(length: number, read: (bytes: Buffer) => Value | null) =>
  (output: Uint8Array): Value | null =>
    output.length === length ? read(Buffer.from(output)) : null;

const uint128 = (bytes: Buffer, at: number): bigint =>
  bytes.readBigUInt64LE(at) + (bytes.readBigUInt64LE(at + 8) << 64n);

/** Text in an identification is ASCII (clause 1.4.2); cutting other bytes away could make two drives look like one. */
const ascii = (bytes: Buffer, from: number, to: number): string =>
  bytes.toString("latin1", from, to).replaceAll(/[^ -~]/g, "?");

/** Identify Controller, CNS 01h. If it is all zeros, without model and serial number, the controller has not answered. */
export const readController = structure(4096, (bytes): NvmeController | null =>
  bytes.every((byte) => byte === 0)
    ? null
    : {
        sn: ascii(bytes, 4, 24),
        mn: ascii(bytes, 24, 64),
        fr: ascii(bytes, 64, 72),
        cntlid: bytes.readUInt16LE(78),
        oacs: bytes.readUInt16LE(256),
        tnvmcapBytes: uint128(bytes, 280),
        unvmcapBytes: uint128(bytes, 296),
        sanicap: bytes.readUInt32LE(328),
        nn: bytes.readUInt32LE(516),
        fna: bytes.readUInt8(524),
      },
);

/** Identify Namespace, CNS 00h. For a namespace that is not attached or does not exist the answer is zeros, and success. */
export const readNamespace = structure(4096, (bytes): NvmeNamespace | null => {
  const nsze = bytes.readBigUInt64LE(0);
  if (nsze === 0n || nsze > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const count = bytes.readUInt8(25) + 1;
  const flbas = bytes.readUInt8(26);
  const fpi = bytes.readUInt8(32);
  if (count > 64) return null;
  // FLBAS bits 3:0, and bits 6:5 if there are more than 16 formats.
  const format = (flbas & 0xf) | (count > 16 ? ((flbas >> 5) & 3) << 4 : 0);
  const formats = Array.from({ length: count }, (_, index) => {
    const at = 128 + index * 4;
    const shift = bytes.readUInt8(at + 2);
    return {
      metadataBytes: bytes.readUInt16LE(at),
      dataBytes: shift < 9 || shift > 24 ? 0 : 2 ** shift,
      relativePerformance: bytes.readUInt8(at + 3) & 3,
    };
  });
  if ((formats[format]?.dataBytes ?? 0) === 0) return null;
  // Bit 7: the indicator is supported. Bits 6:0: the percentage left.
  return { nsze: Number(nsze), format, formats, fpiPercentLeft: (fpi & 0x80) === 0 ? 0 : fpi & 0x7f };
});

const noEstimate = 0xffffffff;

/** Sanitize Status, log page 81h. */
export const readSanitizeLog = structure(512, (bytes): SanitizeLog => {
  const seconds = (at: number) => {
    const value = bytes.readUInt32LE(at);
    return value === noEstimate ? null : value;
  };
  const ssi = bytes.readUInt8(36);
  return {
    ...(ssi === 0 ? {} : { ssi }),
    sprog: bytes.readUInt16LE(0),
    sstat: bytes.readUInt16LE(2),
    scdw10: bytes.readUInt32LE(4),
    estimateSeconds: { overwrite: seconds(8), block: seconds(12), crypto: seconds(16) },
  };
});

/** SANS of SSI, bits 3:0, for a sanitize that is not over (NVMe Base Specification 2.1). */
const states: ReadonlyMap<number, string> = new Map([
  [5, "media verification state"],
  [6, "post-verification deallocation"],
]);

/** In the specification's notation. */
export const sanitizeText = ({ sstat, sprog, scdw10, ssi = 0 }: SanitizeLog): string => {
  const name = states.get(ssi & 0xf);
  const state = name === undefined ? "" : `, SSI ${(ssi & 0xf).toString(16)}h (${name})`;
  return `SSTAT ${sstat.toString(16)}h, SPROG ${sprog.toString(16)}h, SCDW10 ${scdw10.toString(16)}h${state}`;
};

/** SMART / Health Information, log page 02h. */
export const readHealth = structure(512, (bytes) => ({
  criticalWarning: bytes.readUInt8(0),
  percentageUsed: bytes.readUInt8(5),
  mediaErrors: Number(uint128(bytes, 160)),
}));
