// The log check also runs in browsers, where Next's build substitutes its own `Buffer` (next/dist/compiled/buffer). What that `Buffer` lacks, and
// Node's modules, must not be used.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Imports of values only: type imports do not exist in a browser. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^import (?!type ).*from "(.+)";$/gm)].map(([, from = ""]) => from);

/** All files that these bring into the browser, themselves included. */
function reached(files: readonly string[], known = new Set<string>()): ReadonlySet<string> {
  for (const file of files) {
    if (known.has(file)) continue;
    known.add(file);
    reached(
      importsOf(textOf(file)).flatMap((from) => (from.startsWith("@/") ? [`${from.slice(2)}.ts`] : [])),
      known,
    );
  }
  return known;
}
const files = [
  ...reached([
    "server/domain/audit-log/verify-log.ts",
    "server/domain/audit-log/check-proof.ts",
    "server/domain/assurance/certificates/verify.ts",
  ]),
].sort();

const loaded: unknown = createRequire(import.meta.url)("next/dist/compiled/buffer");
const { Buffer: Shim } = z
  .object({ Buffer: z.custom<typeof Buffer>((value) => typeof value === "function") })
  .parse(loaded);

it("finds the files", () => expect(files).toContain("server/domain/audit-log/cosignature.ts"));

it.each(files)("%s uses only what browsers have", (file) => {
  const text = textOf(file);
  const numbers = [...text.matchAll(/\.((?:read|write)(?:U?Int|BigU?Int|Float|Double)\w*)\(/g)];
  expect(numbers.map(([, method = ""]) => method).filter((method) => !(method in Shim.prototype))).toEqual(
    [],
  );
  const statics = [...text.matchAll(/\bBuffer\.(\w+)\(/g)].map(([, method = ""]) => method);
  expect(statics.filter((method) => !(method in Shim))).toEqual([]);
  expect(text).not.toContain("base64url");
  expect(importsOf(text).filter((from) => from.startsWith("node:"))).toEqual([]);
});
