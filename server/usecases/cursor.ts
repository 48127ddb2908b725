// A place in a list, as one opaque text: the key of the last row, bound to the sort that it belongs to.

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
