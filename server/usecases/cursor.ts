// A place in a list, as one opaque text: the key of the last row, bound to the sort that it belongs to.
import { isUuid } from "@/server/domain/uuid";

export function encodeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key]), "utf8").toString("base64url");
}

/** Null for a text that is no cursor of this list. */
export function decodeCursor(cursor: string, list: string): readonly string[] | null {
  if (cursor.length > 1000) return null;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (!Array.isArray(parsed) || parsed[0] !== list) return null;
    const key: unknown[] = parsed.slice(1);
    return key.every((part) => typeof part === "string") ? key : null;
  } catch {
    return null;
  }
}

/** The place of a row in a list by time and id. */
export const encodePlace = (list: string, at: Date, id: string): string =>
  encodeCursor(list, [String(at.getTime()), id]);

/** Null for a text that is no place of this list. */
export function decodePlace(cursor: string, list: string): { readonly at: Date; readonly id: string } | null {
  const [at, id] = decodeCursor(cursor, list) ?? [];
  if (at === undefined || id === undefined || !/^\d{1,15}$/.test(at) || !isUuid(id)) return null;
  return { at: new Date(Number(at)), id };
}
