// The tables of docs/assurance/controls.md and docs/assurance/proofs.md name procedures of the API, tests and benches: each is there.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contract } from "@/server/contract/contract";

const pages = ["docs/assurance/controls.md", "docs/assurance/proofs.md"].map((page) => ({
  page,
  text: readFileSync(page, "utf8"),
}));
const [controls, proofs] = pages.map(({ text }) => text);

/** The cells of a table's rows with so many columns; nothing of other lines. */
const rowsOf = (text: string | undefined, columns: number): readonly (readonly string[])[] =>
  (text ?? "")
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .filter((cells) => cells.length === columns && !/^ section | requirement |^---/.test(cells[0] ?? ""));

const testIn = /`([\w./-]+\.(?:i?test\.tsx?|spec\.ts))`/g;

it("the rows of controls name only procedures of the API that are there", () => {
  const known = new Set(
    Object.entries(contract).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`)),
  );
  const named = rowsOf(controls, 5).flatMap((cells) => [
    ...(cells[3] ?? "").matchAll(/`([a-z]+\.[A-Za-z]+)`/gi),
  ]);
  expect(named.length).toBeGreaterThan(40);
  // A row that lacks a cell would not be looked at.
  expect([3, 4, 6].flatMap((columns) => rowsOf(controls, columns))).toEqual([]);
  expect(named.map(([, name = ""]) => name).filter((name) => !known.has(name))).toEqual([]);
});

describe.each(pages)("$page", ({ text }) => {
  it("names only tests that are there", () => {
    const tests = [...text.matchAll(testIn)].map(([, path]) => path ?? "");
    expect(tests.length).toBeGreaterThan(15);
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });
});

it("each promise has a test, and each bench that is named is one", () => {
  const rows = rowsOf(proofs, 2).filter(([promise]) => promise?.trim() !== "promise");
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(([, shown]) => !/`[\w./-]+\.(i?test|spec)\.|bench -- --/.test(shown ?? ""))).toEqual([]);
  const benches = [...(proofs ?? "").matchAll(/npm run bench -- (--[a-z]+)/g)].map(([, option]) => option);
  const known = readFileSync("docs/benchmarks.md", "utf8");
  expect(benches.length).toBeGreaterThan(0);
  expect(benches.filter((option) => !known.includes(`npm run bench -- ${option}\``))).toEqual([]);
});
