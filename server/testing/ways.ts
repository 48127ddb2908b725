// The ways through the code that docs/architecture.md lists, for the tests that hold it against the code.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** By the heading of a way, the most files that it may have. */
export const maxFiles = {
  "Release over NICo": 15,
  "Clean over Ironic": 16,
  "An override in the console": 10,
  "From a result to a gate": 24,
} as const;
export type WayName = keyof typeof maxFiles;
export const wayNames = Object.keys(maxFiles).filter((name): name is WayName => name in maxFiles);

/** The files of a way, in order. */
export function filesOfWay(name: WayName): readonly string[] {
  const text = readFileSync(`${root}docs/architecture.md`, "utf8");
  const [, section = ""] = text.split(`### ${name}\n`);
  const [list = ""] = section.split(/^#/m);
  return [...list.matchAll(/^\d+\. `([^`]+)`/gm)].flatMap(([, file]) => file ?? []);
}
