// Checkpoints (https://c2sp.org/tlog-checkpoint): which log, how many events, and the root over all of them, as a signed note.
import { fromBase64, parseNote, textSignedBy } from "@/server/domain/audit-log/note";
import type { Note, VerifierKey } from "@/server/domain/audit-log/note";
import { hashBytes } from "@/server/domain/audit-log/merkle";
import type { TreeHead } from "@/server/domain/audit-log/proofs";

export interface Checkpoint extends TreeHead {
  readonly origin: string;
  readonly note: Note;
}

/** The text that a log signs. */
export const checkpointText = (origin: string, { size, root }: TreeHead): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString("base64")}\n`;

/** Null: not a checkpoint. Signatures are not checked here. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const note = parseNote(text);
  if (note === null) return null;
  const [origin = "", count = "", encoded = "", ...rest] = note.text.slice(0, -1).split("\n");
  const root = fromBase64(encoded);
  const size = Number(count);
  if (origin === "" || root?.length !== hashBytes || rest.includes("")) return null;
  if (!/^(0|[1-9]\d*)$/.test(count) || !Number.isSafeInteger(size)) return null;
  return { origin, size, root, note };
}

/** Whether one of the keys signed the checkpoint; if not, why. */
export async function signerOf(
  { origin, note }: Checkpoint,
  keys: readonly VerifierKey[],
): Promise<{ readonly ok: true; readonly key: VerifierKey } | { readonly ok: false; readonly why: string }> {
  const ours = keys.filter(({ name, type }) => name === origin && type === "ed25519");
  const signed = await Promise.all(ours.map(async (key) => ({ key, how: await textSignedBy(note, key) })));
  const forged = signed.find(({ how }) => how === "forged");
  if (forged !== undefined)
    return { ok: false, why: `the signature of the key ${forged.key.id} does not verify` };
  const good = signed.find(({ how }) => how === "signed");
  if (good !== undefined) return { ok: true, key: good.key };
  if (signed.some(({ how }) => how === "unchecked"))
    return { ok: false, why: "this browser cannot check Ed25519 signatures" };
  return {
    ok: false,
    why:
      ours.length === 0
        ? `its origin is ${origin}, and no trusted key is of that log`
        : `it is signed by none of the trusted keys (${ours.map(({ id }) => id).join(", ")})`,
  };
}
