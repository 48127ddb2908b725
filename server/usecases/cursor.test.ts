// Cursors: what comes back is what was put in, and nothing else is taken for one.
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { instantPart, numberPart, pagesByTime, pagesOf } from "@/server/usecases/cursor";

const pages = pagesByTime("tickets");
const id = "00000000-0000-4000-8000-000000000001";
const cursorOf = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");

it("goes on where it stopped", () => {
  const all = pagesOf<[Date, number, string]>("all", z.tuple([instantPart, numberPart, z.string()]));
  const instant = fc.date({ min: new Date(0), max: new Date("2200-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.nat(), fc.string({ maxLength: 200 }), (at, number, text) => {
      expect(all.start(all.cursorOf([at, number, text]))).toEqual({ ok: true, value: [at, number, text] });
    }),
  );
});

it("has a next page only if there are more rows", () => {
  const rows = [1, 2, 3].map((ms) => ({ at: new Date(ms), id }));
  const first = pages.page(rows, 2, (row) => [row.at, row.id]);
  expect(first.page).toEqual(rows.slice(0, 2));
  expect(pages.start(first.nextCursor)).toEqual({ ok: true, value: [new Date(2), id] });
  expect(pages.page(rows, 3, (row) => [row.at, row.id])).toEqual({ page: rows, nextCursor: null });
  expect(pages.page([], 3, () => [new Date(0), id])).toEqual({ page: [], nextCursor: null });
  expect(pages.start(null)).toEqual({ ok: true, value: null });
});

it.each([
  ["another list", pagesByTime("instances").cursorOf([new Date(1), id])],
  ["a time that is none", cursorOf("tickets", "yesterday", id)],
  ["an id that is none", cursorOf("tickets", "1", "x'); DROP TABLE ticket")],
  ["a part too few", cursorOf("tickets", "1")],
  ["a part too many", cursorOf("tickets", "1", id, "more")],
  ["a part that is no text", cursorOf("tickets", 1, id)],
  ["no JSON", "e30x"],
  ["an object", Buffer.from("{}").toString("base64url")],
  ["too much", cursorOf("tickets", "1", id).padEnd(2000, "A")],
  ["nothing", ""],
])("refuses %s", (_, cursor) => {
  expect(pages.start(cursor)).toMatchObject({ ok: false, problem: { code: "invalid", field: "cursor" } });
});
