// The table of docs/sanitization.md says what the one table of techniques in the code says.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  countsWithoutException,
  isOfBmc,
  levelOf,
  standards,
  techniques,
  techniqueTableVersion,
} from "@/server/domain/cleaning/sanitization/techniques";
import { presets } from "@/server/domain/cleaning/policy/presets";

const text = readFileSync(new URL("../sanitization.md", import.meta.url), "utf8");

it("has a row for each technique, with its levels", () => {
  const rows = techniques.map((technique) => {
    const levels = standards.map((standard) => levelOf(technique, standard));
    const never = levels.every((level) => level === "none");
    const words = countsWithoutException(technique) ? "by its level" : "only with an exception";
    const counts = `${never ? "never" : words}${isOfBmc(technique) ? "; done by the BMC, nothing is read back" : ""}`;
    return `| \`${technique}\` | ${levels.join(" | ")} | ${counts} |`;
  });
  expect(text.split("\n").filter((line) => line.startsWith("| `"))).toEqual(rows);
  expect(text).toContain(`version ${techniqueTableVersion};`);
});

it("names each preset", () => {
  for (const { label } of Object.values(presets)) expect(text).toContain(`\`${label}\``);
});
