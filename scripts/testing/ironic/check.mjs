// Shared assertions on the client's answers.
import assert from "node:assert/strict";

/** @param {any} value @param {any} wanted a part of it */
export function has(value, wanted) {
  for (const [key, part] of Object.entries(wanted))
    assert.deepEqual(value?.[key], part, `${key} of ${JSON.stringify(value)?.slice(0, 300)}`);
}

/** @param {readonly any[]} rows @param {string} column */
export const column = (rows, column) => rows.map((row) => row[column]);

export { assert };
