// Text that PostgreSQL cannot store: NUL, and halves of surrogate pairs. Every surface refuses it where input enters.

/** The message for it. */
export const unstorableText = "A text contains a character that cannot be stored (NUL, or half a character).";

const isUnstorable = (text: string): boolean => text.includes("\u0000") || /[\uD800-\uDFFF]/u.test(text);

/**
 * Whether a text, key or member of the value cannot be stored. Without recursion, because a caller chooses the depth.
 * @param value made of plain JSON
 */
export function holdsUnstorableText(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string") {
      if (isUnstorable(next)) return true;
    } else if (typeof next === "object" && next !== null)
      for (const [key, member] of Object.entries(next)) {
        if (isUnstorable(key)) return true;
        left.push(member);
      }
  }
  return false;
}

/** Whether an encoded address or form contains an encoded NUL. Halves of surrogate pairs cannot be encoded. */
export const hasEncodedNul = (text: string): boolean => text.includes("%00") || text.includes("\u0000");
