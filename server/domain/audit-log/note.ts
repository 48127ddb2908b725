// Signed notes (https://c2sp.org/signed-note): a text followed by signature lines, each with the name and id of its key.
import type { KeyObject } from "node:crypto";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { verifySignature } from "@/server/domain/audit-log/crypto/verify-signature";

/** Signature types (https://c2sp.org/signed-note, tlog-cosignature). */
export const signatureTypes = { ed25519: 0x01, cosignEd25519: 0x04, cosignMlDsa44: 0x06 } as const;
export type SignatureType = keyof typeof signatureTypes;

/** Length of a public key in bytes. */
const keyBytes = { ed25519: 32, cosignEd25519: 32, cosignMlDsa44: 1312 } as const satisfies Record<
  SignatureType,
  number
>;

/** A public key and the name that its signatures carry. */
export interface VerifierKey {
  readonly name: string;
  readonly type: SignatureType;
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly raw: Uint8Array;
}

export const isKeyName = (name: string): boolean => name !== "" && !/[\s+\u0000-\u001f\u0085]/u.test(name);

const keyId = (name: string, type: SignatureType, raw: Uint8Array): string =>
  Buffer.from(sha256(Buffer.from(`${name}\n`, "utf8"), Uint8Array.of(signatureTypes[type]), raw))
    .toString("hex")
    .slice(0, 8);

/** @param key a public key of the type's algorithm */
export function verifierKey(name: string, type: SignatureType, key: KeyObject): VerifierKey {
  const raw = key.export({ format: "der", type: "spki" }).subarray(-keyBytes[type]);
  return { name, type, id: keyId(name, type, raw), raw };
}

/** `<name>+<id>+<type and key in base64>`. */
export const formatKey = ({ name, type, id, raw }: VerifierKey): string =>
  `${name}+${id}+${Buffer.concat([Uint8Array.of(signatureTypes[type]), raw]).toString("base64")}`;

const typeNames = ["ed25519", "cosignEd25519", "cosignMlDsa44"] as const satisfies readonly SignatureType[];

/** Null: not a key of a supported type, or its id does not match the key. */
export function parseKey(text: string): VerifierKey | null {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const encoded = rest.join("+");
  const bytes = fromBase64(encoded);
  const type = typeNames.find((known) => signatureTypes[known] === bytes?.[0]);
  if (bytes === null || type === undefined || !isKeyName(name)) return null;
  const raw = bytes.subarray(1);
  return raw.length === keyBytes[type] && keyId(name, type, raw) === id ? { name, type, id, raw } : null;
}

/** Standard base64 with padding, and nothing else. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

export interface Note {
  /** Includes the newline of the last line. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export const signatureLine = ({ name, keyId: id, bytes }: NoteSignature): string =>
  `— ${name} ${Buffer.concat([Buffer.from(id, "hex"), bytes]).toString("base64")}\n`;

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(signatureLine).join("")}`;

/** Verifiers must accept at least 16 signatures; post-quantum ones have nearly 5 kB. */
const maxNoteChars = 256 * 1024;
const maxSignatures = 64;

/** Null: not a signature line. */
export function parseSignatureLine(line: string): NoteSignature | null {
  const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || bytes === null || bytes.length < 5) return null;
  return { name, keyId: bytes.subarray(0, 4).toString("hex"), bytes: bytes.subarray(4) };
}

/** Null: not a signed note. */
export function parseNote(note: string): Note | null {
  if (note.length > maxNoteChars || /[\u0000-\u0009\u000b-\u001f\ufffd]/u.test(note)) return null;
  const end = note.lastIndexOf("\n\n");
  if (end < 1 || !note.endsWith("\n")) return null;
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > maxSignatures) return null;
  const signatures = lines.flatMap((line) => parseSignatureLine(line) ?? []);
  return signatures.length === lines.length ? { text: note.slice(0, end + 1), signatures } : null;
}

/** The result for one key: it signed the note, its signature is wrong, the note has none by it, or this browser cannot check signatures of its type. */
export type Signed = "signed" | "forged" | "absent" | "unchecked";

/** @param message the signed message and the signature's bytes, taken from a signature line. Null: the line does not have the right form */
export async function signedBy(
  { signatures }: Note,
  { name, id, type, raw }: VerifierKey,
  message: (
    signature: NoteSignature,
  ) => { readonly message: Uint8Array; readonly signature: Uint8Array } | null,
): Promise<Signed> {
  const own = signatures.filter((signature) => signature.name === name && signature.keyId === id);
  if (own.length === 0) return "absent";
  const algorithm = type === "cosignMlDsa44" ? "ML-DSA-44" : "Ed25519";
  const verdicts = await Promise.all(
    own.map(async (one) => {
      const of = message(one);
      return of === null ? false : verifySignature(algorithm, raw, of.message, of.signature);
    }),
  );
  if (verdicts.includes(false)) return "forged";
  return verdicts.includes(null) ? "unchecked" : "signed";
}

/** For keys of type `ed25519`, which sign the note's text. */
export const textSignedBy = (note: Note, key: VerifierKey): Promise<Signed> =>
  signedBy(note, key, ({ bytes }) => ({ message: Buffer.from(note.text, "utf8"), signature: bytes }));
