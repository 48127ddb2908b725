// For tests that bundle whole programs and run them as separate processes: disables the check in the bundle.
import { readFileSync } from "node:fs";
import { listedIn } from "./names.mjs";
import { out } from "./switch.mjs";

/** Checks in what was bundled; whether the tests reach them cannot be seen. @type {Set<string>} */
export const bundled = new Set();

/** @type {import("esbuild").Plugin} */
export const bundlePlugin = {
  name: "safety-checks",
  setup: (build) => {
    build.onLoad({ filter: /\/(agent|server)\/.*\.ts$/ }, async ({ path }) => {
      const { instrument } = await import("./instrument.mjs");
      const { code, found } = instrument(path, readFileSync(path, "utf8"), listedIn(path));
      if (found.length === 0) return undefined;
      for (const { name } of found) bundled.add(name);
      return {
        contents: code.replaceAll(`globalThis.__safety?.(${JSON.stringify(out())})`, "true"),
        loader: "ts",
      };
    });
  },
};
