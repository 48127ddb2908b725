// Each safety check that the mutation test takes out stands in its file as the list says: else the mutation test, which runs minutes, would end with the news.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../folders.mjs";
import { mutants } from "../testing/mutants.mjs";

/**
 * @param {readonly Pick<import("../testing/mutants.mjs").Mutant, "check" | "file" | "find">[]} list
 * @param {string} checkout
 * @returns {{ problems: string[], summary: string }}
 */
export function checkSafetyChecks(list = mutants, checkout = root) {
  const problems = list.flatMap(({ check, file, find }) => {
    const path = join(checkout, file);
    const places = existsSync(path) ? readFileSync(path, "utf8").split(find).length - 1 : 0;
    return places === 1 ? [] : [`scripts/testing/mutants, "${check}": its text stands ${places} times in ${file}, not once:\n${find}`];
  });
  return { problems, summary: `${list.length} safety checks stand where the mutation test takes them out` };
}
