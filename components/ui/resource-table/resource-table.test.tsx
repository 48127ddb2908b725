// @vitest-environment happy-dom
// A list screen: filter, order, columns, keyboard, saved views, pasted names, and a list that is loaded page by page.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { show } from "@/components/testing/rendered";
import { wholeList } from "@/components/ui/resource-table/resource-list";
import type { ResourceList } from "@/components/ui/resource-table/resource-list";
import { ResourceTable } from "@/components/ui/resource-table/resource-table";
import { columnsOf } from "@/components/ui/table/column";

interface Drive {
  readonly serial: string;
  readonly slot: number | null;
  readonly owner: string | null;
  readonly seenAt: Date;
}

const drive = (serial: string, slot: number | null, owner: string | null): Drive => ({
  ...{ serial, slot, owner, seenAt: new Date("2026-11-20T11:00:00Z") },
});
const drives = [drive("S6", 10, "Ada"), drive("S2", 9, null), drive("S4", null, "Bo Berg")];

const column = columnsOf<Drive>();
const columns = [
  column.opener("serial", "Serial", ({ serial }) => ({ id: serial, words: serial })),
  column.count("slot", "Slot", ({ slot }) => slot, { firstOrder: "ascending" }),
  column.text("owner", "Owner", ({ owner }) => owner, { none: "nobody" }),
  column.age("seen", "Seen", ({ seenAt }) => seenAt),
];
const serialOf = ({ serial }: Drive) => serial;
const namesOf = ({ serial }: Drive) => [serial];
const read = { error: null, isPending: false, refetch: () => undefined };

const Drives = ({ list = wholeList(read, drives) }: { readonly list?: ResourceList<Drive> }) => (
  <ResourceTable
    {...{ name: "drives", noun: "drive", caption: "Drives", list, columns, rowId: serialOf, namesOf }}
    detail={({ serial }) => <p>Details of {serial}</p>}
    empty={<p>No drives yet</p>}
  />
);

const serials = () => screen.queryAllByRole("rowheader").map(({ textContent }) => textContent);
const filter = () => screen.getByRole("searchbox", { name: "Filter drives" });
const status = () => screen.getByRole("status").textContent;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, "", "/");
});

describe("the filter", () => {
  it.each([
    ["s", ["S6", "S2", "S4"]],
    ["berg", ["S4"]],
    ['owner:"bo b"', ["S4"]],
    ["owner:none", ["S2"]],
    ["-owner:none", ["S6", "S4"]],
    ["slot:9,10", ["S6", "S2"]],
    ["slot:>9", ["S6"]],
    ["serial:*4", ["S4"]],
    ["seen:2026-11-20", ["S6", "S2", "S4"]],
    // A date and a number are found only where their column is named.
    ["2026", []],
  ])("%s", async (text, found) => {
    show(<Drives />);
    await userEvent.type(filter(), text);
    expect(serials()).toEqual(found);
    expect(status()).toBe(`${found.length} of 3 drives match`);
  });

  it("comes from the address, and is left again from the empty state", async () => {
    show(<Drives />, { search: "q=nothing" });
    expect(screen.getByText("No drive matches this filter")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show all drives" }));
    expect(serials()).toHaveLength(3);
    await expect.poll(() => location.search).toBe("");
  });

  it("is written into the address, with order and hidden columns", async () => {
    const user = userEvent.setup();
    show(<Drives />);
    await user.type(filter(), "s");
    await user.click(screen.getByRole("button", { name: "Slot" }));
    expect(serials()).toEqual(["S2", "S6", "S4"]);
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(screen.getByRole("menuitemcheckbox", { name: "Owner" }));
    expect(screen.queryByRole("columnheader", { name: "Owner" })).toBeNull();
    await expect.poll(() => location.search).toBe("?q=s&sort=slot&hide=owner");
  });
});

it("has no filter while there is nothing to filter", () => {
  show(<Drives list={wholeList(read, [])} />);
  expect(screen.getByText("No drives yet")).toBeVisible();
  expect(screen.queryByRole("searchbox")).toBeNull();
});

it("says what could not be read", () => {
  show(<Drives list={wholeList({ ...read, error: new Error("no") })} />);
  expect(screen.getByText(/The drives could not be read/)).toBeVisible();
  expect(screen.queryByText("No drives yet")).toBeNull();
});

it("is moved through by keyboard, and Enter opens and closes the row", async () => {
  const user = userEvent.setup();
  show(<Drives />);
  await user.keyboard("jj{Enter}");
  expect(screen.getByText("Details of S2")).toBeVisible();
  expect(screen.getByRole("button", { name: "S2" })).toHaveAttribute("aria-expanded", "true");
  await user.keyboard("{Enter}");
  expect(screen.queryByText("Details of S2")).toBeNull();
});

it("saves a view, opens it and deletes it", async () => {
  const user = userEvent.setup();
  show(<Drives />);
  const choose = async (name: string | RegExp) => {
    await user.click(screen.getByRole("button", { name: "Views" }));
    await user.click(screen.getByRole("menuitem", { name }));
  };
  await user.type(filter(), "owner:ada");
  await choose("Save this view…");
  await user.type(screen.getByRole("textbox", { name: "Name" }), "Of Ada");
  await user.click(screen.getByRole("button", { name: "Save view" }));
  await choose("Show everything");
  expect(serials()).toHaveLength(3);
  await choose("Of Ada");
  expect(serials()).toEqual(["S6"]);
  await choose("Delete Of Ada");
  await user.click(screen.getByRole("button", { name: "Views" }));
  expect(screen.queryByRole("menuitem", { name: "Of Ada" })).toBeNull();
});

describe("a pasted list of names", () => {
  it("shows the rows that have them, and says which names were not found", async () => {
    const user = userEvent.setup();
    show(<Drives />);
    await user.click(filter());
    await user.paste("s4\nS6\nS9\n");
    expect(serials()).toEqual(["S6", "S4"]);
    expect(status()).toBe("2 of 3 found");
    await user.click(screen.getByText("1 not found"));
    expect(screen.getByText("S9")).toBeVisible();
    await user.type(filter(), "owner:ada");
    expect(status()).toBe("2 of 3 found, 1 match the filter");
    await user.click(screen.getByRole("button", { name: "Clear the names" }));
    expect(status()).toBe("1 of 3 drives match");
  });

  it("is taken by a dialog as well", async () => {
    const user = userEvent.setup();
    show(<Drives />);
    await user.click(screen.getByRole("button", { name: "Views" }));
    await user.click(screen.getByRole("menuitem", { name: "Find a list of names…" }));
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("textbox", { name: /^Names/ }));
    await user.paste("S2; S2, S8");
    await user.click(dialog.getByRole("button", { name: "Find drives" }));
    expect(status()).toBe("1 of 2 found");
  });
});

describe("a list that is loaded page by page", () => {
  /** Loads one more drive at each call, until `fails`. */
  function Pages({ fails = false }: { readonly fails?: boolean }) {
    const [count, setCount] = useState(1);
    const rows = drives.slice(0, count);
    return (
      <Drives
        list={{
          ...{ rows, total: 3, hasMore: count < 3, loading: false, loadingMore: false },
          error: fails && count > 1 ? new Error("no") : null,
          loadMore: () => setCount((before) => before + 1),
          refetch: () => undefined,
        }}
      />
    );
  }

  it("says how much of it is loaded, and loads more on request", async () => {
    show(<Pages />);
    expect(status()).toBe("1 of 3 drives loaded");
    await userEvent.click(screen.getByRole("button", { name: "Show more drives" }));
    expect(status()).toBe("2 of 3 drives loaded");
  });

  it("is loaded as a whole before it is filtered or sorted", async () => {
    show(<Pages />);
    await userEvent.click(screen.getByRole("button", { name: "Slot" }));
    expect(serials()).toEqual(["S2", "S6", "S4"]);
    expect(status()).toBe("3 drives");
  });

  it("says that it could not be loaded as a whole", async () => {
    show(<Pages fails />);
    await userEvent.type(filter(), "s");
    expect(status()).toBe("2 of 3 drives loaded; the rest could not be read");
  });
});
