// Signed notes (https://c2sp.org/signed-note): a text and lines of signatures, each with the name and the id of its key.
import type { KeyObject } from "node:crypto";
import { sha256 } from "@/server/domain/audit-log/crypto/sha256";
import { verifySignature } from "@/server/domain/audit-log/crypto/verify-signature";

/** What a signature is of (https://c2sp.org/signed-note, tlog-cosignature). */
export const signatureTypes = { ed25519: 0x01, cosignEd25519: 0x04, cosignMlDsa44: 0x06 } as const;
export type SignatureType = keyof typeof signatureTypes;

/** Bytes of a public key. */
const keyBytes = { ed25519: 32, cosignEd25519: 32, cosignMlDsa44: 1312 } as const satisfies Record<
  SignatureType,
  number
>;

/** A public key with the name that its signatures bear. */
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

/** @param key public, of the type's algorithm */
export function verifierKey(name: string, type: SignatureType, key: KeyObject): VerifierKey {
  const raw = key.export({ format: "der", type: "spki" }).subarray(-keyBytes[type]);
  return { name, type, id: keyId(name, type, raw), raw };
}

/** `<name>+<id>+<type and key in base64>`. */
export const formatKey = ({ name, type, id, raw }: VerifierKey): string =>
  `${name}+${id}+${Buffer.concat([Uint8Array.of(signatureTypes[type]), raw]).toString("base64")}`;

const typeNames = ["ed25519", "cosignEd25519", "cosignMlDsa44"] as const satisfies readonly SignatureType[];

/** Null: not a key of a type that is known here, or its id is not its own. */
export function parseKey(text: string): VerifierKey | null {
  const [name = "", id = "", ...rest] = text.trim().split("+");
  const encoded = rest.join("+");
  const bytes = fromBase64(encoded);
  const type = typeNames.find((known) => signatureTypes[known] === bytes?.[0]);
  if (bytes === null || type === undefined || !isKeyName(name)) return null;
  const raw = bytes.subarray(1);
  return raw.length === keyBytes[type] && keyId(name, type, raw) === id ? { name, type, id, raw } : null;
}

/** Standard base64 with its padding, and nothing else. */
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
  /** With the line end after its last line. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export const signatureLine = ({ name, keyId: id, bytes }: NoteSignature): string =>
  `— ${name} ${Buffer.concat([Buffer.from(id, "hex"), bytes]).toString("base64")}\n`;

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(signatureLine).join("")}`;

/** Verifiers take at least 16 signatures; post-quantum ones have nearly 5 kB. */
const maxNoteChars = 256 * 1024;
const maxSignatures = 64;

/** Null: not a line of a signature. */
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

/** What a key says of a note: it signed it, its signature is wrong, there is none of it, or this browser cannot check signatures of its kind. */
export type Signed = "signed" | "forged" | "absent" | "unchecked";

/** @param message what the signature is of, and its bytes; of a plain signature the text. Null: it has no such form */
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

/** Of a key of the type `ed25519`. */
export const textSignedBy = (note: Note, key: VerifierKey): Promise<Signed> =>
  signedBy(note, key, ({ bytes }) => ({ message: Buffer.from(note.text, "utf8"), signature: bytes }));
