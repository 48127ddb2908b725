// JSON as PostgreSQL takes it: what machines say may hold characters that `jsonb` refuses, and one of them must not stop a whole batch.

/** NUL and halves of surrogate pairs, as `JSON.stringify` writes them. */
const refused = /\\u(0000|d[89a-f])/i;

const clean = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/[\u0000\uD800-\uDFFF]/gu, "\uFFFD") : value;

/** As `JSON.stringify`, with U+FFFD for each character that `jsonb` cannot store. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // A text without any escape of this kind, as nearly all are, is looked through much faster for the two characters alone.
  return text.includes("\\u") && refused.test(text) ? JSON.stringify(value, clean) : text;
}
