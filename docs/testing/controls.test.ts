// The tables of docs/assurance/controls.md name procedures of the API and tests: each is there.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { contract } from "@/server/contract/contract";

const text = readFileSync("docs/assurance/controls.md", "utf8");
const tests = [...text.matchAll(/`([\w./-]+\.i?test\.tsx?)`/g)].map(([, path]) => path ?? "");

/** Of the rows with requirement, page, API and test. */
const procedures = text
  .split("\n")
  .map((line) => line.split("|"))
  .filter((cells) => cells.length === 6)
  .flatMap((cells) => [...(cells[3] ?? "").matchAll(/`([a-z]+)\.([A-Za-z]+)`/g)]);

it("names only procedures of the API that are there", () => {
  const known = new Set(
    Object.entries(contract).flatMap(([group, of]) => Object.keys(of).map((name) => `${group}.${name}`)),
  );
  expect(procedures.map(([, group, name]) => `${group}.${name}`).filter((name) => !known.has(name))).toEqual(
    [],
  );
});

it("names only tests that are there", () => {
  expect(tests.length).toBeGreaterThan(30);
  expect(tests.filter((path) => !existsSync(path))).toEqual([]);
});
