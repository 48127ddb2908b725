// JSON that PostgreSQL accepts: machines may send characters that `jsonb` refuses, and one of them must not stop a whole batch.

/** NUL and lone surrogates, as `JSON.stringify` writes them. */
const refused = /\\u(0000|d[89a-f])/i;

const clean = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replace(/[\u0000\uD800-\uDFFF]/gu, "\uFFFD") : value;

/** Like `JSON.stringify`, with U+FFFD for each character that `jsonb` cannot store. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly all texts have no such escape. Searching for the two characters first is much faster.
  return text.includes("\\u") && refused.test(text) ? JSON.stringify(value, clean) : text;
}
