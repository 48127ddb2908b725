// Which test noticed the absence of each safety check last time: `found-by.json`. It only saves time, and may be out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ file: string, test: string }} Finder */

const path = join(import.meta.dirname, "found-by.json");
const between = " > ";

/** @returns {ReadonlyMap<string, Finder>} by the check's name */
export function remembered() {
  /** @type {Record<string, string>} */
  const known = JSON.parse(readFileSync(path, "utf8"));
  return new Map(
    Object.entries(known).map(([name, where]) => {
      const [file = "", ...test] = where.split(between);
      return [name, { file, test: test.join(between) }];
    }),
  );
}

/** @param {readonly import("./results.mjs").Judged[]} judged @param {ReadonlySet<string>} names of all checks there are */
export function remember(judged, names) {
  const known = new Map(remembered());
  for (const one of judged) if ("killed" in one) known.set(one.killed, { file: one.file, test: one.by });
  const sorted = [...known].filter(([name]) => names.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = Object.fromEntries(
    sorted.map(([name, { file, test }]) => [name, `${file}${between}${test}`]),
  );
  writeFileSync(path, `${JSON.stringify(lines, null, 2)}\n`);
}
