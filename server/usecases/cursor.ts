// A place in a list as an opaque string: the key of the last row, bound to its list.
import { isUuid } from "@/server/domain/uuid";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

export function encodeCursor(list: string, key: readonly string[]): string {
  return Buffer.from(JSON.stringify([list, ...key]), "utf8").toString("base64url");
}

/** Null if the text is no cursor of this list. */
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

/** Cursor of a row in a list that is ordered by time and id. */
export const encodePlace = (list: string, at: Date, id: string): string =>
  encodeCursor(list, [String(at.getTime()), id]);

/** Null if the text is no such cursor of this list. */
export function decodePlace(cursor: string, list: string): { readonly at: Date; readonly id: string } | null {
  const [at, id] = decodeCursor(cursor, list) ?? [];
  if (at === undefined || id === undefined || !/^\d{1,15}$/.test(at) || !isUuid(id)) return null;
  return { at: new Date(Number(at)), id };
}

/** The key after which the page starts; empty for the first page. */
export function startOf(cursor: string | null, list: string): Outcome<readonly string[]> {
  const after = cursor === null ? [] : decodeCursor(cursor, list);
  return after === null
    ? refused("invalid", "The cursor does not belong to this list.", "cursor")
    : done(after);
}

/** The page and its `nextCursor`. @param rows one more than the page holds, if there are more */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  list: string,
  keyOf: (row: Row) => readonly string[],
): { readonly page: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    page,
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, keyOf(last)) : null,
  };
}
