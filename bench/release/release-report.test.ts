// Figures of a release: per host; null if something could not be seen, never made up.
import { expect, it } from "vitest";
import { releaseSections } from "@/bench/release/release-report";
import type { Measured } from "@/bench/release/release";
import { measuredRelease } from "@/bench/testing/measured";

const measured = measuredRelease();
const figure = (data: Measured, name: string) =>
  releaseSections(data, [])
    .flatMap((section) => section.figures)
    .find((row) => row.name === name);

it.each([
  ["hosts to Ready", 20],
  ["web + controller + database", 20],
  ["simulator", 30],
  ["signal to handler, p50", 10],
  ["signal to handler, p99", 100],
  ["answer to a release, p50", 2],
  ["answer to a release, p99", 40],
  ["transitions", 12],
  ["commits of its handler", 8],
  ["SQL statements", 6],
  ["SQL statements per transition", 0.5],
  ["WAL", 10],
  ["evidence stored", 20],
  ["other records stored", 5],
  ["agent requests", 11],
  ["Redfish requests", 8],
])("%s is %d", (name, value) => {
  expect(figure(measured, name)?.value).toBe(value);
});

it("has no sum without the database's part, and no statements where nobody counts them", () => {
  const blind: Measured = {
    ...measured,
    processorMs: { ...measured.processorMs, database: null },
    database: { ...measured.database, statements: null },
  };
  for (const name of [
    "database",
    "web + controller + database",
    "SQL statements",
    "SQL statements per transition",
  ])
    expect(figure(blind, name)?.value).toBeNull();
});
