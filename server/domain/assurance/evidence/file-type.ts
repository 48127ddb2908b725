// The types of evidence files, detected from their content and never from their name or the sender's header (docs/assurance/certificates.md#evidence-files).

/** Maximum size of one file. */
export const maxEvidenceBytes = 25 * 1024 * 1024;

export const evidenceTypes = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/pdf": "pdf",
  "application/json": "json",
  "text/csv": "csv",
  "text/plain": "txt",
} as const;
export type EvidenceType = keyof typeof evidenceTypes;

export const isEvidenceType = (type: string): type is EvidenceType => Object.hasOwn(evidenceTypes, type);

export type DetectedType =
  | { readonly ok: true; readonly type: EvidenceType }
  | { readonly ok: false; readonly why: string };

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const signatures: readonly (readonly [EvidenceType, readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** Archives are not unpacked, so nobody could say what is in one or how large it is. */
const archives: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b],
  [0x42, 0x5a, 0x68],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0xfd, 0x37, 0x7a, 0x58],
  [0x28, 0xb5, 0x2f, 0xfd],
];

/** The text of a file; null: not UTF-8 text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Logs contain tabs, line breaks, form feeds and colour escapes.
    return /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** A browser that sniffs types would treat it as a page or a drawing with scripts. A line of a system log may begin with `<34>`. */
const isMarkup = (text: string): boolean => /^\s*<[a-z!?/]/i.test(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const no = (why: string): DetectedType => ({ ok: false, why });

/** The media type of a header, without its parameters. */
const bare = (declared: string | null): string =>
  (declared ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Types that say nothing: programs send them when they do not know the type. */
const silent = ["", "application/octet-stream", "application/x-www-form-urlencoded"];

function textType(text: string, declared: string): DetectedType {
  // safety: evidence: no page and no drawing with scripts
  if (isMarkup(text))
    return no(
      "HTML, SVG and XML files are refused because a browser could run them. Use PNG, JPEG, PDF, JSON, CSV or plain text.",
    );
  if (declared === "application/json")
    return isJson(text) ? { ok: true, type: declared } : no("The file is not valid JSON.");
  if (declared === "text/csv") return { ok: true, type: declared };
  if (silent.includes(declared) && /^\s*[[{]/.test(text) && isJson(text))
    return { ok: true, type: "application/json" };
  return silent.includes(declared) || declared.startsWith("text/")
    ? { ok: true, type: "text/plain" }
    : no(`The file is text, but it was sent as ${declared.slice(0, 60)}.`);
}

/** Detects the type of a whole file. Pure. @param declared the sender's header, which must not contradict the content */
export function evidenceType(bytes: Uint8Array, declared: string | null): DetectedType {
  const said = bare(declared);
  if (bytes.length === 0) return no("The file is empty.");
  // safety: evidence: no archive
  if (archives.some((start) => startsWith(bytes, start)))
    return no("Archives are refused. Send the files in it one by one.");
  const known = signatures.find(([, start]) => startsWith(bytes, start));
  if (known !== undefined) {
    const [type] = known;
    return silent.includes(said) || said === type || (said === "image/jpg" && type === "image/jpeg")
      ? { ok: true, type }
      : no(`The file is ${type}, but it was sent as ${said.slice(0, 60)}.`);
  }
  const text = textOf(bytes);
  return text === null
    ? no("The file type is not supported. Use PNG, JPEG, PDF, JSON, CSV or plain text in UTF-8.")
    : textType(text, said);
}
