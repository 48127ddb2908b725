// Cosignatures of witnesses (https://c2sp.org/tlog-cosignature): the checkpoint is consistent with all that the witness has seen of the log, and when.
import type { Checkpoint } from "@/server/domain/audit-log/checkpoint";
import { signedBy } from "@/server/domain/audit-log/note";
import type { Signed, VerifierKey } from "@/server/domain/audit-log/note";

const timeBytes = 8;

/** Big-endian, as in a cosignature. Uses a DataView because the `Buffer` that browsers get has no 64-bit integers. */
export const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(timeBytes);
  new DataView(bytes.buffer, bytes.byteOffset, timeBytes).setBigUint64(0, BigInt(value));
  return bytes;
};

/** At most 255 bytes, preceded by their length. */
const opaque = (text: string): Buffer => {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
};

/** The message that a cosignature signs. Null: not a witness's key. */
export function cosignedMessage(
  checkpoint: Checkpoint,
  { name, type }: VerifierKey,
  seconds: number,
): Uint8Array | null {
  switch (type) {
    case "ed25519":
      return null;
    case "cosignEd25519":
      return Buffer.from(`cosignature/v1\ntime ${seconds}\n${checkpoint.note.text}`, "utf8");
    case "cosignMlDsa44":
      return Buffer.concat([
        Buffer.from("subtree/v1\n\0", "latin1"),
        opaque(name),
        uint64(seconds),
        opaque(checkpoint.origin),
        uint64(0),
        uint64(checkpoint.size),
        checkpoint.root,
      ]);
  }
}

/** Whether the witness with this key cosigned the checkpoint. */
export const cosignedBy = (checkpoint: Checkpoint, key: VerifierKey): Promise<Signed> =>
  signedBy(checkpoint.note, key, ({ bytes }) => {
    const all = Buffer.from(bytes);
    if (all.length <= timeBytes) return null;
    const seconds = Number(new DataView(all.buffer, all.byteOffset, timeBytes).getBigUint64(0));
    const message = cosignedMessage(checkpoint, key, seconds);
    return message === null ? null : { message, signature: all.subarray(timeBytes) };
  });
