// Figures and their budgets.
import { expect, it } from "vitest";
import { formatNumber, isWithin, table } from "@/bench/figures";

it.each([
  [{ value: 30, budget: { least: 30 } }, true],
  [{ value: 29.9, budget: { least: 30 } }, false],
  [{ value: 25, budget: { most: 25 } }, true],
  [{ value: 25.01, budget: { most: 25 } }, false],
  [{ value: null, budget: { most: 25 } }, null],
  [{ value: 1, budget: null }, null],
])("holds %j against its budget", (figure, expected) => {
  expect(isWithin(figure)).toBe(expected);
});

it.each([
  [12, "12"],
  [12.345, "12.3"],
  [0.012345, "0.0123"],
  [12345.6, "12346"],
  [null, "–"],
  [Infinity, "∞"],
])("prints %s", (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

it("prints a table that says what was missed", () => {
  const text = table({
    title: "T",
    figures: [
      { name: "speed", value: 10, unit: "/s", budget: { least: 30 } },
      { name: "n", value: 3, unit: "", budget: null, note: "why" },
    ],
  });
  expect(text).toBe(
    [
      "### T",
      "",
      "| figure | value | unit | budget |        | note |",
      "|--------|------:|------|--------|--------|------|",
      "| speed  |    10 | /s   | ≥ 30   | MISSED |      |",
      "| n      |     3 |      |        |        | why  |",
    ].join("\n"),
  );
});
