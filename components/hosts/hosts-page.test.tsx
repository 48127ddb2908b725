// @vitest-environment happy-dom
// The page of hosts: what is typed becomes the filter, the file holds what the filter finds, and a selection leads to an act.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { HostsPage } from "@/components/hosts/hosts-page";
import { hostRow } from "@/components/testing/host";
import { admin, show } from "@/components/testing/rendered";
import type { HostList, HostView } from "@/server/surfaces/trpc/types";

const views: readonly HostView[] = [
  { name: "overdue", words: "Overdue", filter: "overdue:true", count: 1 },
  { name: "all", words: "All", filter: "", count: 40 },
];

const list: HostList = { rows: [hostRow("h1"), hostRow("h2")], nextCursor: null, total: 2, problem: null };

async function open(found: HostList = list, me = admin, search = "q=state:Ready&sort=name") {
  const asked: unknown[] = [];
  const shown = show(<HostsPage />, {
    me,
    path: "/hosts",
    search,
    answers: {
      "hosts.views": () => views,
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
