// Table rules: sort order, clicks on a header, the cells of a row, keys.
import { describe, expect, it } from "vitest";
import {
  compareValues,
  nextSorting,
  spannedColumns,
  type SortValue,
  type TableColumn,
} from "@/components/ui/table/columns";
import { rowKeyAction } from "@/components/ui/table/use-row-keys";

describe("compareValues", () => {
  it.each<[SortValue, SortValue]>([
    ["slot 9", "slot 10"],
    ["alpha", "Beta"],
    [9n, 10n],
    [new Date(1), new Date(2)],
    [0, null],
    ["", null],
  ])("puts %s before %s", (a, b) => {
    expect(compareValues(a, b)).toBeLessThan(0);
    expect(compareValues(b, a)).toBeGreaterThan(0);
  });
  it("calls equal values equal", () => {
    expect(compareValues(null, null)).toBe(0);
    expect(compareValues(new Date(5), new Date(5))).toBe(0);
  });
});

describe("nextSorting", () => {
  const age = { id: "age", firstOrder: "descending" } as const;
  it("goes from none over both directions back to none", () => {
    const first = nextSorting(age, null, true);
    expect(first).toEqual({ id: "age", descending: true });
    const second = nextSorting(age, first, true);
    expect(second).toEqual({ id: "age", descending: false });
    expect(nextSorting(age, second, true)).toBeNull();
  });
  it("never ends an order that the server keeps", () =>
    expect(nextSorting(age, { id: "age", descending: false }, false)).toEqual({
      id: "age",
      descending: true,
    }));
  it("starts anew with another column", () =>
    expect(nextSorting({ id: "name" }, { id: "age", descending: true }, true)).toEqual({
      id: "name",
      descending: false,
    }));
});

describe("spannedColumns", () => {
  const column = (id: string, span?: number): TableColumn<object> => ({
    id,
    label: id,
    cell: () => null,
    ...(span === undefined ? {} : { span: () => span }),
  });
  const shown = (...columns: TableColumn<object>[]) =>
    spannedColumns(columns, {}).map(({ column: { id }, span }) => [id, span]);
  it("leaves out what another cell covers", () =>
    expect(shown(column("a"), column("b", 2), column("c"), column("d"))).toEqual([
      ["a", 1],
      ["b", 2],
      ["d", 1],
    ]));
  it("never goes beyond the last column", () =>
    expect(shown(column("a"), column("b", 7))).toEqual([
      ["a", 1],
      ["b", 1],
    ]));
});

describe("rowKeyAction", () => {
  const ids = ["a", "b", "c"];
  it.each([
    ["j", null, { kind: "move", id: "a" }],
    ["j", "a", { kind: "move", id: "b" }],
    ["j", "c", { kind: "move", id: "c" }],
    ["k", "a", { kind: "move", id: "a" }],
    ["k", "c", { kind: "move", id: "b" }],
    ["x", "b", { kind: "toggle", id: "b" }],
    ["Enter", "b", { kind: "open", id: "b" }],
    ["x", null, { kind: "none" }],
    ["Enter", null, { kind: "none" }],
    ["y", "b", { kind: "none" }],
  ])("%s at %s", (key, cursor, action) => expect(rowKeyAction(key, ids, cursor)).toEqual(action));
  it("does nothing in an empty table", () => expect(rowKeyAction("j", [], null)).toEqual({ kind: "none" }));
});
