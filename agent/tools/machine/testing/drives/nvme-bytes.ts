// Structures of an NVMe drive as nvme-cli prints them with --raw-binary: the recorded ones, with a test drive's values filled in.
import { recorded } from "@/agent/tools/machine/testing/recorded";
import { blockBytes } from "@/agent/tools/machine/testing/drives/medium";

const copyOf = (command: string): Buffer => Buffer.from(recorded.get(command)?.stdout ?? []);

/** Identify Controller: text is padded with blanks. */
export function controllerBytes(said: {
  readonly serial: string;
  readonly oacs: number;
  readonly sanicap: number;
  readonly fna: number;
  readonly model?: string;
}): Buffer {
  const bytes = copyOf("/usr/sbin/nvme id-ctrl /dev/nvme0 --raw-binary");
  bytes.write(said.serial.padEnd(20), 4, "latin1");
  if (said.model !== undefined) bytes.write(said.model.padEnd(40), 24, "latin1");
  bytes.writeUInt16LE(said.oacs, 256);
  bytes.writeUInt32LE(said.sanicap, 328);
  bytes.writeUInt8(said.fna, 524);
  // TNVMCAP: the size of a namespace of full capacity.
  bytes.writeUInt32LE(8192 * blockBytes, 280);
  return bytes;
}

/** Identify Namespace: NSZE, NCAP and NUSE. */
export function namespaceBytes(blocks: number): Buffer {
  const bytes = copyOf("/usr/sbin/nvme id-ns /dev/nvme0 -n 1 --raw-binary");
  for (const at of [0, 8, 16]) bytes.writeBigUInt64LE(BigInt(blocks), at);
  return bytes;
}

const noEstimate = 0xffffffff;

/** Log page 81h. */
export function sanitizeLogBytes(said: {
  readonly sprog: number;
  readonly sstat: number;
  readonly scdw10: number;
  readonly ssi: number;
}): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.writeUInt16LE(said.sprog, 0);
  bytes.writeUInt16LE(said.sstat, 2);
  bytes.writeUInt32LE(said.scdw10, 4);
  for (let at = 8; at < 36; at += 4) bytes.writeUInt32LE(noEstimate, at);
  bytes.writeUInt8(said.ssi, 36);
  return bytes;
}
