// The rendered table: names for screen readers, order, groups, selection, and the empty state.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable, type DataTableProps } from "@/components/ui/table/data-table";

interface Drive {
  serial: string;
  slot: number | null;
  kind: string;
}

const drives: readonly Drive[] = [
  { serial: "S6", slot: 10, kind: "NVMe" },
  { serial: "S2", slot: 9, kind: "SSD" },
  { serial: "S4", slot: null, kind: "NVMe" },
];
const columns: readonly TableColumn<Drive>[] = [
  {
    id: "serial",
    label: "Serial",
    narrow: "top-start",
    rowHeader: true,
    className: "mono",
    sort: (drive) => drive.serial,
    cell: (drive) => drive.serial,
  },
  {
    id: "slot",
    label: "Slot",
    width: 80,
    align: "end",
    sort: (drive) => drive.slot,
    title: (drive) => `slot ${drive.slot ?? "unknown"}`,
    cell: (drive) => drive.slot ?? "–",
  },
  { id: "kind", label: "Kind", labelHidden: true, cell: (drive) => drive.kind },
];

const draw = (props: Partial<DataTableProps<Drive>> = {}) =>
  renderToStaticMarkup(
    <DataTable caption="Drives" columns={columns} rows={drives} rowId={(drive) => drive.serial} {...props} />,
  );
const serials = (html: string) => [...html.matchAll(/>(S\d)</g)].map(([, serial]) => serial);

describe("a table", () => {
  it("has a caption, heads with a scope, and heads of rows", () => {
    const html = draw();
    expect(html).toContain("Drives</caption>");
    expect(html.match(/<th scope="col"/g)).toHaveLength(3);
    expect(html.match(/<th scope="row" class="mono" data-narrow="top-start">/g)).toHaveLength(3);
    expect(html).toContain('title="slot unknown"');
    expect(html).toContain('<col style="width:80px"/>');
    expect(html).toMatch(/<span class="[a-z-]+">Kind<\/span>/);
  });

  it("keeps the order in which rows came, and says which columns can order them", () => {
    const html = draw();
    expect(serials(html)).toEqual(["S6", "S2", "S4"]);
    expect(html.match(/aria-sort="none"/g)).toHaveLength(2);
  });

  it("orders by a column, with what is unknown last in both directions", () => {
    const html = draw({ sorting: { id: "slot", descending: false } });
    expect(serials(html)).toEqual(["S2", "S6", "S4"]);
    expect(html).toContain('aria-sort="ascending"');
    expect(serials(draw({ sorting: { id: "slot", descending: true } }))).toEqual(["S6", "S2", "S4"]);
  });

  it("leaves the order to the server where the column says so", () =>
    expect(
      serials(
        draw({
          columns: columns.map((column) => ({ ...column, sort: "server" as const })),
          sorting: { id: "serial", descending: false },
        }),
      ),
    ).toEqual(["S6", "S2", "S4"]));

  it("leaves out hidden columns", () => {
    const html = draw({ hidden: new Set(["slot"]) });
    expect(html).not.toContain("Slot");
    expect(html.match(/<th scope="col"/g)).toHaveLength(2);
  });

  it("puts rows under the names of their groups, and in one list when they are ordered", () => {
    const byKind = { groupOf: (drive: Drive) => drive.kind };
    expect(draw(byKind)).toContain('<th scope="rowgroup" colSpan="3">NVMe</th>');
    expect(serials(draw(byKind))).toEqual(["S6", "S4", "S2"]);
    expect(draw({ ...byKind, sorting: { id: "serial", descending: false } })).not.toContain("rowgroup");
  });

  it("opens a row below itself", () =>
    expect(draw({ detail: (drive) => (drive.serial === "S2" ? "its history" : null) })).toMatch(
      /S2<\/th>.*<tr class="detail-row"><td colSpan="3">its history<\/td><\/tr>.*S4/,
    ));
});

describe("selection", () => {
  const selection = (ids: readonly string[]) => ({
    ids: new Set(ids),
    toggle: () => undefined,
    toggleAll: () => undefined,
    label: (drive: Drive) => `Select ${drive.serial}`,
    allLabel: "Select all drives",
    isSelectable: (drive: Drive) => drive.slot !== null,
  });
  it("names each box, marks what is selected, and gives none where nothing can be selected", () => {
    const html = draw({ selection: selection(["S2"]) });
    expect(html.match(/aria-selected="true"/g)).toHaveLength(1);
    expect(html).toContain('aria-label="Select S2" checked=""');
    expect(html).not.toContain("Select S4");
    expect(html).not.toContain('aria-label="Select all drives" checked=""');
  });
  it("checks the box of all when all that can be are selected", () =>
    expect(draw({ selection: selection(["S2", "S6"]) })).toContain(
      'aria-label="Select all drives" checked=""',
    ));
});

describe("a table without rows", () => {
  const empty = <p>No drives yet</p>;
  it("is the empty state", () => {
    expect(draw({ rows: [], empty })).toBe("<p>No drives yet</p>");
  });
  it("says what could not be read, and nothing of being empty", () =>
    expect(draw({ rows: [], empty, problem: <p>Not read</p> })).toBe("<p>Not read</p>"));
  it("keeps old rows below what could not be read", () =>
    expect(draw({ problem: <p>Not read</p> })).toMatch(/^<p>Not read<\/p><table.*S6/));
  it("has rows of the size of what comes while it loads", () => {
    const html = draw({ rows: [], empty, loading: true });
    expect(html).toContain('aria-busy="true"');
    expect(html.match(/<tr/g)).toHaveLength(13);
  });
});

describe("virtual rows", () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    serial: `S${index}`,
    slot: index,
    kind: "SSD",
  }));
  it("draws those in sight, counts all, and keeps room for the rest", () => {
    const html = draw({ rows: many, total: 4000, virtual: { narrowRowPx: 57, onEnd: () => undefined } });
    expect(html).toContain('aria-rowcount="4001"');
    expect(html.match(/scope="row"/g)?.length).toBeLessThan(100);
    expect(html).toContain('class="space-row"');
    expect(html).toContain('aria-rowindex="2"');
  });
});
