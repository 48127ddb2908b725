// @vitest-environment happy-dom
// Using the hosts and instances tables: sorting, filter, checkboxes, the next page, CSV, keys.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { show } from "@/components/testing/rendered";
import { Button } from "@/components/ui/button";
import type { TableColumn } from "@/components/ui/table/columns";
import { DataTable } from "@/components/ui/table/data-table";

interface Drive {
  serial: string;
  slot: number;
}

const drives: readonly Drive[] = [
  { serial: "S6", slot: 10 },
  { serial: "S2", slot: 9 },
  { serial: "S4", slot: 11 },
];
const columns: readonly TableColumn<Drive>[] = [
  {
    id: "serial",
    label: "Serial",
    rowHeader: true,
    sort: ({ serial }) => serial,
    cell: ({ serial }) => serial,
  },
  { id: "slot", label: "Slot", sort: ({ slot }) => slot, firstOrder: "descending", cell: ({ slot }) => slot },
];

/** Drives in pages of two, with checkboxes and a cursor. */
function Drives({ opened }: { opened: (id: string) => void }) {
  const [pages, setPages] = useState(1);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState<string | null>(null);
  const rows = drives.slice(0, 2 * pages);
  const toggle = (id: string) =>
    setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return (
    <>
      <p>{[...ids].join(" ")} selected</p>
      <DataTable
        caption="Drives"
        columns={columns}
        rows={rows}
        rowId={({ serial }) => serial}
        cursor={{ id: at, onMove: setAt, onOpen: opened }}
        selection={{
          ids,
          toggle,
          toggleAll: () => setIds(new Set(rows.map(({ serial }) => serial))),
          label: ({ serial }) => `Select ${serial}`,
          allLabel: "Select all",
        }}
        paging={{
          label: "Show more drives",
          hasMore: rows.length < drives.length,
          busy: false,
          onMore: () => setPages(2),
        }}
      />
      <Button>After it</Button>
    </>
  );
}

function open() {
  const opened: string[] = [];
  show(<Drives opened={(id) => opened.push(id)} />);
  return { user: userEvent.setup(), opened };
}

const serials = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
const head = (name: string) => within(screen.getByRole("columnheader", { name })).getByRole("button");

it("is ordered by a click on a head once all of it is loaded, and the other way by the next click", async () => {
  const { user } = open();
  expect(within(screen.getByRole("columnheader", { name: "Slot" })).queryByRole("button")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show more drives" }));
  await user.click(head("Slot"));
  expect(serials()).toEqual(["S4", "S6", "S2"]);
  expect(screen.getByRole("columnheader", { name: "Slot" })).toHaveAttribute("aria-sort", "descending");
  await user.click(head("Slot"));
  expect(serials()).toEqual(["S2", "S6", "S4"]);
});

it("keeps what is selected when the next page comes and the order changes", async () => {
  const { user } = open();
  await user.click(screen.getByRole("checkbox", { name: "Select S2" }));
  await user.click(screen.getByRole("button", { name: "Show more drives" }));
  expect(screen.queryByRole("button", { name: "Show more drives" })).toBeNull();
  await user.click(head("Serial"));
  expect(screen.getByText("S2 selected")).toBeVisible();
  expect(screen.getByRole("checkbox", { name: "Select S2" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "Select all" })).not.toBeChecked();
  await user.click(screen.getByRole("checkbox", { name: "Select all" }));
  expect(screen.getByText("S6 S2 S4 selected")).toBeVisible();
});

it("is used by keys: down, up, select, open, in the order that is shown", async () => {
  const { user, opened } = open();
  await user.click(screen.getByRole("button", { name: "Show more drives" }));
  await user.click(head("Serial"));
  head("Serial").blur();
  await user.keyboard("jx");
  expect(screen.getByText("S2 selected")).toBeVisible();
  await user.keyboard("jx");
  expect(screen.getByText("S2 S4 selected")).toBeVisible();
  await user.keyboard("k{Enter}");
  expect(opened).toEqual(["S2"]);
});
