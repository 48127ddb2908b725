// The page of the command names what there is.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { exitCodes } from "@/cli/exit-codes";
import { program } from "@/docs/testing/command-line";

const page = readFileSync(fileURLToPath(new URL("../cli.md", import.meta.url)), "utf8");

it("has every exit code with its words", () => {
  for (const { code, words } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${words} |`);
});

it("shows only commands and options that there are", () => {
  const lines = page
    .split("\n")
    .flatMap((line) => /(?:^\$ |^|\| )(?:npx )?reclaim ([a-z].*)$/.exec(line)?.[1] ?? []);
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    let command: Command = program;
    const words = (line.split(" #")[0] ?? "").split(" ");
    for (const word of words) {
      const next: Command | undefined = command.commands.find((child) => child.name() === word);
      if (next === undefined) break;
      command = next;
    }
    expect({ line, found: command !== program }).toEqual({ line, found: true });
    const known = [...program.options, ...command.options].flatMap(({ long, short }) => [long, short]);
    for (const option of words.filter((word) => /^--?[a-z]/.test(word) && !/^-[a-z]+:/.test(word)))
      expect({ line, option, known: known.includes(option) }).toEqual({ line, option, known: true });
  }
});
