// What spreadsheets do to a list: how they encode and separate it, and which values they change for good.

/** The text of a file: UTF-16 if it begins with its mark, as "Unicode text" of a spreadsheet does, else UTF-8. Never throws. Pure. */
export function listText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Length of a workbook in base64, which is a third longer than the file. A request has at most 1 MiB. */
export const longestWorkbook = 1_000_000;

/** Whether a file is a ZIP archive, as a workbook is. Pure. */
export const isArchive = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third === 3 && fourth === 4;

/** Why the text of a file is no CSV; null: it may be. Pure. */
export function notCsv(text: string): string | null {
  if (text.startsWith("PK\u0003\u0004"))
    return "is a workbook or another archive: choose it as a file, in the form XLSX";
  return text.includes("\0")
    ? "is not text in UTF-8, or in UTF-16 with its mark: save it as CSV UTF-8"
    : null;
}

const separators = [",", ";", "\t"] as const;

/** The separator, and the text without a line that only names it (`sep=;`); the line stays as an empty one. Pure. */
export function separated(text: string): { readonly delimiter: string; readonly text: string } {
  const [first = ""] = text.split("\n", 1);
  const [, named] = /^\ufeff?"?sep=(.)"?$/i.exec(first.trim()) ?? [];
  if (named !== undefined) return { delimiter: named, text: text.slice(first.length) };
  if (/^\ufeff?sep=$/i.test(first.trim())) return { delimiter: "\t", text: text.slice(first.length) };
  const count = (separator: string) => first.split(separator).length;
  return { delimiter: separators.toSorted((one, other) => count(other) - count(one))[0] ?? ",", text };
}

const month = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";

/** Values that are no longer what was entered, each with what happened. */
const changes: ReadonlyArray<readonly [RegExp, string]> = [
  [/\ufffd/, "has characters that were lost when the file was saved: save it as CSV UTF-8"],
  [
    /^['\u2018\u2019\u201c\u201d]|[\u2018\u2019\u201c\u201d]$/,
    "begins or ends with a quote that a spreadsheet left: remove it",
  ],
  [
    /^\d([.,]\d+)?E\+\d+$/i,
    "was rounded by a spreadsheet: format the column as text, and enter the value again",
  ],
];

/** What a spreadsheet has done to a value that names something; null: nothing that shows. Pure. */
export const changedValue = (value: string): string | null =>
  changes.find(([pattern]) => pattern.test(value))?.[1] ?? null;

/** Likewise of one that is never a date, which spreadsheets make of "1-2". Pure. */
export const changedToDate = (value: string): string | null =>
  new RegExp(`^(\\d{1,2}-${month}(-\\d{2,4})?|${month}-\\d{2,4})$`).test(value)
    ? "was made a date by a spreadsheet: format the column as text, and enter the value again"
    : null;
