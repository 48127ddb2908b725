// @vitest-environment happy-dom
// The page Next: what a line says and does, who has it, what is snoozed, and the page with nothing to do.
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { NextPage } from "@/components/next/next-page";
import { admin, show, type Answers } from "@/components/testing/rendered";
import type { NextLine, NextList } from "@/server/surfaces/trpc/types";

const key = (digit: string) => digit.repeat(64);

const line = (over: Partial<NextLine>): NextLine => ({
  key: key("a"),
  kind: "failure",
  tone: "failed",
  title: "7 hosts failed: erase refused",
  why: "Drives refuse it.",
  next: "Update the firmware.",
  size: 7,
  hosts: 7,
  tenants: 0,
  effect: "+7 hosts",
  since: new Date("2026-11-20T10:00:00Z"),
  due: null,
  act: { words: "Show 7 hosts", href: "/hosts?q=failure%3Aaa", command: "hosts list failure:aa" },
  mayAct: true,
  filter: null,
  ownerId: null,
  ownerName: null,
  ownedSince: null,
  note: "",
  snoozedUntil: null,
  snoozeReason: null,
  snoozed: false,
  ...over,
});

const listOf = (over: Partial<NextList>): NextList => ({
  at: new Date("2026-11-20T12:00:00Z"),
  groups: [],
  snoozed: [],
  watched: [{ kind: "failure", words: "Failures", groups: 0, last: new Date("2026-11-20T11:04:00Z") }],
  sites: ["a"],
  people: [
    { id: admin.personId, name: admin.name },
    { id: "11111111-1111-4111-8111-111111111111", name: "Sara Duarte" },
  ],
  mayOwn: true,
  ...over,
});

function open(list: NextList, search = "") {
  const answers: Answers = {
    "next.list": () => list,
    "next.history": () => [
      { at: new Date("2026-11-20T11:00:00Z"), by: "Mercy", words: "took it" },
      { at: new Date("2026-11-20T10:00:00Z"), by: null, words: "opened" },
    ],
    "next.assign": () => ({ owner: "Sara Duarte" }),
    "next.snooze": () => ({ saved: true }),
    "next.wake": () => ({ saved: true }),
  };
  return { ...show(<NextPage />, { answers, path: "/next", search }), user: userEvent.setup() };
}

const lines = () =>
  within(screen.getByRole("list", { name: "What to do now" }))
    .getAllByRole("listitem")
    .map((item) => within(item).getAllByRole("link")[0]?.textContent);

const second = line({
  key: key("b"),
  title: "The exception of gpu-3 ends",
  effect: "−1 host",
  due: new Date("2026-11-20T15:20:00Z"),
  ownerId: "11111111-1111-4111-8111-111111111111",
  ownerName: "Sara Duarte",
});

it("lists the groups in their order, each with its effect, age, owner and button", async () => {
  open(listOf({ groups: [line({}), second] }));
  await screen.findByText("2 things need a person, 1 has no owner");
  expect(lines()).toEqual(["7 hosts failed: erase refused", "The exception of gpu-3 ends"]);
  expect(screen.getByText("+7 hosts")).toBeTruthy();
  expect(screen.getByText("2 h 00 min")).toBeTruthy();
  expect(screen.getByText("due in 3 h 20 min")).toBeTruthy();
  expect(screen.getByText("SD")).toBeTruthy();
  const act = screen.getByRole("link", { name: "Show 7 hosts: 7 hosts failed: erase refused" });
  expect(act.getAttribute("href")).toBe("/hosts?q=failure%3Aaa");
});

it("lets a person take what nobody has", async () => {
  const { user, calls } = open(listOf({ groups: [line({}), second] }));
  await user.click(await screen.findByRole("button", { name: "Take “7 hosts failed: erase refused”" }));
  await waitFor(() =>
    expect(calls).toEqual([
      { path: "next.assign", input: { key: key("a"), ownerId: admin.personId, from: null } },
    ]),
  );
});

it("shows only what is mine, or nobody's", async () => {
  open(listOf({ groups: [line({}), second] }), "owner=nobody");
  await waitFor(() => expect(lines()).toEqual(["7 hosts failed: erase refused"]));
});

it("hands an open group over with a note, and snoozes it with a reason", async () => {
  const { user, calls } = open(listOf({ groups: [line({ note: "case 4711" })] }), `open=${key("a")}`);
  const panel = await screen.findByRole("complementary", { name: "7 hosts failed: erase refused" });
  expect(within(panel).getByText("Update the firmware.")).toBeTruthy();
  expect(within(panel).getByText("case 4711")).toBeTruthy();
  await within(panel).findByText("Mercy took it");
  expect(within(panel).getByText("Opened")).toBeTruthy();
  await user.click(within(panel).getByRole("button", { name: "Hand over…" }));
  await user.selectOptions(await screen.findByLabelText("To"), "Sara Duarte");
  await user.click(screen.getByRole("button", { name: "Hand over to Sara Duarte" }));
  await waitFor(() =>
    expect(calls.at(-1)).toEqual({
      path: "next.assign",
      input: {
        key: key("a"),
        ownerId: "11111111-1111-4111-8111-111111111111",
        note: "case 4711",
        from: null,
      },
    }),
  );
  await user.click(within(panel).getByRole("button", { name: "Snooze…" }));
  await user.type(await screen.findByLabelText("Reason"), "the part arrives tomorrow");
  await user.click(screen.getByRole("button", { name: "Snooze" }));
  await waitFor(() =>
    expect(calls.at(-1)).toEqual({
      path: "next.snooze",
      input: { key: key("a"), until: expect.any(Date), reason: "the part arrives tomorrow" },
    }),
  );
});

it("keeps what is snoozed apart, and ends a snooze", async () => {
  const snoozed = line({
    snoozed: true,
    snoozedUntil: new Date("2026-11-21T08:00:00Z"),
    snoozeReason: "later",
  });
  const { user, calls } = open(listOf({ groups: [], snoozed: [snoozed] }), `open=${key("a")}`);
  const panel = await screen.findByRole("complementary");
  expect(panel.textContent).toContain("“later”");
  await user.click(within(panel).getByRole("button", { name: "End the snooze" }));
  await waitFor(() => expect(calls).toEqual([{ path: "next.wake", input: { key: key("a") } }]));
});

it("says with nothing to do what is watched, and where the same list is", async () => {
  open(listOf({}));
  await screen.findByText("Nothing to do");
  expect(screen.getByText("Failures").closest("li")?.textContent).toBe("Failureslast 11:04:00");
  expect(screen.getByText("reclaim next")).toBeTruthy();
});

it("offers nobody who may not have groups to take one", async () => {
  open(listOf({ groups: [line({ mayAct: false })], mayOwn: false, people: [] }));
  await screen.findByText("1 thing needs a person");
  expect(screen.queryByRole("button", { name: /Take/ })).toBeNull();
});
