// @vitest-environment happy-dom
// The hosts page: typing sets the filter, the CSV holds what the filter matches, and a selection leads to an act.
import { act, screen, waitFor, within } from "@testing-library/react";
import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { useEffect, useMemo, useState } from "react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { HostsPage } from "@/components/hosts/list/hosts-page";
import { hostRow } from "@/components/testing/host";
import { admin, show } from "@/components/testing/rendered";
import type { HostList, HostView } from "@/server/surfaces/trpc/types";

const views: readonly HostView[] = [
  { name: "overdue", words: "Overdue", filter: "overdue:true", count: 1 },
  { name: "all", words: "All", filter: "", count: 40 },
];

const list: HostList = {
  rows: [hostRow("h1"), hostRow("h2")],
  nextCursor: null,
  total: 2,
  groups: null,
  problem: null,
};

async function open(
  found: HostList = list,
  me = admin,
  search = "q=state:Ready&sort=name",
  page = <HostsPage />,
) {
  const asked: unknown[] = [];
  const shown = show(page, {
    me,
    path: "/hosts",
    search,
    answers: {
      "hosts.views": () => views,
      "hosts.savedViews": () => [
        { id: "v1", name: "Berlin", filter: "site:berlin-1", sort: "name", hide: ["sku"], group: null },
      ],
      "hosts.saveView": () => ({ id: "v2" }),
      "hosts.removeView": () => ({ id: "v1" }),
      "hosts.filterValues": () => ({
        site: ["a", "berlin-1"],
        rack: [],
        segment: [],
        domain: [],
        sku: [],
        tenant: [],
        image: [],
      }),
      "hosts.list": (input) => {
        asked.push(input);
        return found;
      },
    },
  });
  await waitFor(() => expect(shown.container.querySelector("[aria-busy=true]")).toBeNull());
  return { ...shown, asked, user: userEvent.setup() };
}

it("the file holds all that the filter finds, in the order of the page", async () => {
  await open();
  const href = screen.getByRole("link", { name: "Export CSV" }).getAttribute("href") ?? "";
  const { pathname, searchParams } = new URL(href, "http://console");
  expect(pathname).toBe("/api/hosts.csv");
  expect(Object.fromEntries(searchParams)).toMatchObject({ filter: "state:Ready", sort: "name" });
});

it("what is typed becomes the filter of the address by Enter", async () => {
  const { user } = await open();
  const box = screen.getByRole("searchbox", { name: "Filter hosts" });
  await user.clear(box);
  await user.type(box, "site:a{Enter}");
  expect(new URL(location.href).searchParams.get("q")).toBe("site:a");
});

it("a filter that is not understood says so, and no host is shown", async () => {
  await open({
    rows: [],
    nextCursor: null,
    total: null,
    groups: null,
    problem: { message: "There is no term x.", position: 0 },
  });
  expect(screen.getByRole("searchbox")).toHaveAccessibleDescription("There is no term x.");
  expect(screen.queryByText("No host matches this filter")).toBeNull();
});

it("selected hosts get a bar, from which all that the filter finds are chosen", async () => {
  const { user } = await open({ ...list, total: 40 });
  await user.click(screen.getByRole("checkbox", { name: "Select h1" }));
  const bar = screen.getByRole("toolbar", { name: "Selected hosts" });
  expect(bar).toHaveTextContent("1 selected");
  await user.click(within(bar).getByRole("button", { name: /40/ }));
  expect(screen.getByRole("toolbar", { name: "Selected hosts" })).toHaveTextContent("40 selected by filter");
});

it("who may not act has no boxes", async () => {
  await open(list, { ...admin, mayWriteHosts: false });
  expect(screen.queryAllByRole("checkbox")).toEqual([]);
});

it("a host whose reclamation is over its total time limit is marked, and a view asks for those alone", async () => {
  await open({ ...list, rows: [hostRow("late", { overdue: true }), hostRow("in-time")] });
  const late = screen.getByRole("row", { name: /late/ });
  expect(within(late).getByText("overdue")).toHaveAttribute("data-tone", "attention");
  expect(screen.getAllByText("overdue")).toHaveLength(1);
  const href = screen.getByRole("link", { name: "Overdue 1" }).getAttribute("href") ?? "";
  const { asked } = await open(list, admin, new URL(href, "http://console").search);
  expect(asked).toMatchObject([{ filter: "overdue:true" }]);
});

it("completes what is typed, by keys and by pointer", async () => {
  const { user } = await open(list, admin, "q=state:Ready");
  const box = screen.getByRole("searchbox", { name: "Filter hosts" });
  await user.click(box);
  await user.type(box, " sit");
  await user.keyboard("{ArrowDown}{Enter}");
  expect(box).toHaveValue("state:Ready site:");
  expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual([
    "a site",
    "berlin-1 site",
  ]);
  expect(box).not.toHaveAttribute("aria-activedescendant");
  await user.keyboard("{ArrowDown}");
  expect(box).toHaveAttribute("aria-activedescendant", screen.getByRole("option", { selected: true }).id);
  await user.click(screen.getByRole("option", { name: /berlin-1/ }));
  expect(box).toHaveValue("state:Ready site:berlin-1 ");
  await user.keyboard("x{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
});

it("a misspelled filter is offered as it was probably meant", async () => {
  const problem = { message: "There is no state Reddy.", position: 0 };
  const { user } = await open(
    { rows: [], nextCursor: null, total: null, groups: null, problem },
    admin,
    "q=state:Reddy",
  );
  await user.click(await screen.findByRole("button", { name: "state:Ready" }));
  expect(new URL(location.href).searchParams.get("q")).toBe("state:Ready");
});

it("a filter that finds nothing, because of a name that there is not, too", async () => {
  await open({ rows: [], nextCursor: null, total: 0, groups: null, problem: null }, admin, "q=site:berln-1");
  expect(await screen.findByRole("button", { name: "site:berlin-1" })).toBeVisible();
});

it("a saved view stands with the others, and is saved and deleted", async () => {
  const { user, calls } = await open(list, admin, "q=site:berlin-1&sort=name&hide=sku");
  const own = await screen.findByRole("link", { name: "Berlin" });
  expect(own).toHaveAttribute("aria-current", "page");
  expect(own).toHaveAttribute("href", "/hosts?q=site%3Aberlin-1&sort=name&hide=sku");
  await user.click(screen.getByRole("button", { name: "View" }));
  await user.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
  await user.type(await screen.findByLabelText("Name"), "Mine");
  await user.click(screen.getByRole("button", { name: "Save view" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "View" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete Berlin…" }));
  await user.click(await screen.findByRole("button", { name: "Delete view" }));
  await waitFor(() =>
    expect(calls).toEqual([
      {
        path: "hosts.saveView",
        input: { name: "Mine", filter: "site:berlin-1", sort: "name", hide: ["sku"], group: null },
      },
      { path: "hosts.removeView", input: { id: "v1" } },
    ]),
  );
});

it("causes are counted over all hosts of the filter, and each leads to its hosts", async () => {
  const failure = { words: "Erase refused", model: "CM6" };
  const groups = [
    { words: "Erase refused, CM6", count: 7, filter: "failure:0123456789abcdef" },
    { words: "BMC silent, R750", count: 2, filter: "failure:fedcba9876543210" },
    { words: "Not failed", count: 40, filter: null },
  ];
  const { asked } = await open(
    { ...list, rows: [hostRow("h1", { failure })], total: 49, groups },
    admin,
    "q=site:a&group=cause",
  );
  expect(asked).toMatchObject([{ filter: "site:a", group: "cause" }]);
  expect(screen.getByRole("rowheader", { name: "Erase refused, CM6: 7 hosts, 1 loaded" })).toBeVisible();
  const causes = within(screen.getByRole("list", { name: "Causes" }));
  expect(causes.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "7 Erase refused, CM6",
    "2 BMC silent, R750",
    "40 Not failed",
  ]);
  expect(causes.getByRole("link", { name: "BMC silent, R750" })).toHaveAttribute(
    "href",
    "/hosts?q=site%3Aa+failure%3Afedcba9876543210&group=cause",
  );
});

it("a saved view keeps that hosts stand by cause", async () => {
  const { user, calls } = await open(list, admin, "q=site:a&group=cause");
  await user.click(screen.getByRole("button", { name: "View" }));
  await user.click(await screen.findByRole("menuitem", { name: "Save this view…" }));
  await enter(user, await screen.findByLabelText("Name"), "By cause");
  await user.click(screen.getByRole("button", { name: "Save view" }));
  await waitFor(() => expect(calls).toMatchObject([{ input: { name: "By cause", group: "cause" } }]));
});

it("failed hosts stand together by cause and model", async () => {
  const failure = { words: "Erase refused", model: "CM6" };
  const rows = [hostRow("h1", { failure }), hostRow("h2"), hostRow("h3", { failure })];
  const { user } = await open({ ...list, rows, total: 3 }, admin, "q=is:needPerson&group=cause");
  expect(screen.getByRole("rowheader", { name: "Erase refused, CM6: 2 hosts" })).toBeVisible();
  expect(
    screen.getAllByRole("checkbox", { name: /^Select h/ }).map((box) => box.getAttribute("aria-label")),
  ).toEqual(["Select h1", "Select h3", "Select h2"]);
  await user.click(screen.getByRole("button", { name: "View" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Group by cause" }));
  expect(new URL(location.href).searchParams.get("group")).toBeNull();
});

it("an act of the address opens its dialog for all hosts of the filter, and does nothing yet", async () => {
  const { calls } = await open(list, admin, "q=is:failed&act=retry");
  expect(await screen.findByRole("dialog")).toHaveTextContent(/Retry step on/);
  expect(screen.getByText("2 selected by filter")).toBeVisible();
  expect(calls.filter(({ path }) => path !== "bulk.preview")).toEqual([]);
});

it("an act that was asked for the hosts of a filter is not asked again for others", async () => {
  const address = { go: (_: string): void => undefined };
  function Moving() {
    const [search, setSearch] = useState("q=is:failed&act=retry");
    useEffect(() => {
      address.go = setSearch;
    }, []);
    const parameters = useMemo(() => new URLSearchParams(search), [search]);
    return (
      <SearchParamsContext value={parameters}>
        <HostsPage />
      </SearchParamsContext>
    );
  }
  const { user } = await open(list, admin, "", <Moving />);
  await screen.findByRole("dialog");
  act(() => address.go("q=state:Ready"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(await screen.findByRole("checkbox", { name: "Select h1" }));
  expect(await screen.findByText("1 selected")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("an act of the address is not asked of who may not act", async () => {
  await open(list, { ...admin, mayWriteHosts: false }, "q=is:failed&act=retry");
  expect(screen.queryByRole("dialog")).toBeNull();
});
