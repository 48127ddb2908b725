// @vitest-environment happy-dom
// The palette by keyboard: pages, server results, and the page's acts.
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { useOfferActs } from "@/components/frame/page-acts";
import { Palette } from "@/components/frame/palette/palette";
import { show, type Answers } from "@/components/testing/rendered";
import type { SearchAnswer } from "@/server/contract/fleet/search-answers";

const found: SearchAnswer = {
  hosts: [{ id: "h1", name: "r1-h01", state: "Ready", tone: "neutral", words: "Ready" }],
  drives: [],
  instances: [{ id: "i1", name: "i-7f3a", hostName: "r1-h02", words: "running" }],
  reclamations: [],
  tenants: [],
  acts: [],
  lists: [],
  places: [],
};
const answers: Answers = { "search.all": () => found };

function Page({ run }: { run: () => void }) {
  useOfferActs([{ words: "Retry (r1-h09)", run }]);
  return <Palette shown={["fleet", "hosts"]} />;
}

async function open(more: Answers = answers) {
  const ran: number[] = [];
  const shown = show(<Page run={() => ran.push(1)} />, { answers: more });
  const user = userEvent.setup();
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("dialog", { name: "Find" });
  await screen.findByRole("combobox");
  return { ...shown, ran, user };
}

const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);

it("finds what a server of the last release answers, and says what that did not search", async () => {
  const { acts: _, lists: __, places: ___, ...old } = found;
  const { user } = await open({ "search.all": () => old });
  await user.keyboard("r1-h");
  expect(await screen.findByRole("option", { name: /r1-h01/ })).toBeVisible();
  expect(screen.getByText(/not upgraded yet answered: actions, lists of hosts/)).toBeVisible();
});

it("keeps what is typed before it has loaded", async () => {
  const { went } = show(<Page run={() => undefined} />, { answers });
  const user = userEvent.setup();
  await user.keyboard("{Control>}k{/Control}removed hosts");
  const page = await screen.findByRole("option", { name: /Removed hosts/ });
  expect(screen.getByRole("combobox")).toHaveValue("removed hosts");
  await user.click(page);
  expect(went).toEqual(["/gone"]);
});

it("opens by its key, and goes to a page by arrows and Enter", async () => {
  const { user, went } = await open();
  expect(options()).toEqual([
    "Retry (r1-h09)",
    "Fleetg f",
    "Hostsg h",
    "Hosts: Enrol hostsg n",
    "Hosts: Enrolmentsg e",
    "Hosts: Removed hostsg x",
    "Hosts: Drivesg z",
    "Hosts: Drive modelsg j",
    "Hosts: Firmwareg B",
    "Hosts: Measured bootg M",
    "Accountg d",
    "Helpg H",
  ]);
  await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(went).toEqual(["/hosts"]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("finds hosts and instances; Enter opens the first of them", async () => {
  const { user, went } = await open();
  await user.keyboard("r1");
  await screen.findByRole("option", { name: /i-7f3a/ });
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("7f");
  await waitFor(() => expect(options()).toEqual(["r1-h01Ready", "i-7f3ar1-h02running"]));
  await user.keyboard("{Enter}");
  expect(went).toEqual(["/hosts/r1-h01"]);
});

it("does what can be done here", async () => {
  const { user, ran } = await open();
  await user.keyboard("retry");
  await waitFor(() => expect(options()[0]).toBe("Retry (r1-h09)"));
  await user.keyboard("{Enter}");
  expect(ran).toEqual([1]);
});

it("opens the dialog of an act, and a list; an act that is not possible says why and cannot be chosen", async () => {
  const act = { on: "r1-h01", command: null } as const;
  const { user, went } = await open({
    "search.all": () => ({
      ...found,
      hosts: [],
      instances: [],
      acts: [
        {
          ...act,
          id: "1",
          words: "Abort",
          refused: "nothing is being cleaned",
          path: "/hosts/r1-h01?act=abort",
        },
        { ...act, id: "2", words: "Retry step", refused: null, path: "/hosts/r1-h01?act=retry" },
      ],
      lists: [{ words: "Failed", hosts: 1, filter: "is:failed" }],
      places: [
        { path: "/cleaning/failures", words: "Cleaning: Failures", about: "failed hosts grouped by cause" },
        { path: "/hosts", words: "Hosts", about: "the hosts that match a filter" },
      ],
    }),
  });
  await user.keyboard("xyz");
  const refused = await screen.findByRole("option", { name: "Abort r1-h01 nothing is being cleaned" });
  expect(refused).toHaveAttribute("aria-disabled", "true");
  await user.click(refused);
  expect(went).toEqual([]);
  expect(options()).toEqual([
    "Abortr1-h01nothing is being cleaned",
    "Retry step…r1-h01",
    "Failed1 host",
    "Cleaning: Failuresfailed hosts grouped by cause",
    "Hoststhe hosts that match a filter",
  ]);
  await user.keyboard("{Enter}");
  expect(went).toEqual(["/hosts/r1-h01?act=retry"]);
  await user.keyboard("{Control>}k{/Control}xyz");
  await user.click(await screen.findByRole("option", { name: /Failed/ }));
  expect(went.at(-1)).toBe("/hosts?q=is%3Afailed");
});

it("says that nothing was found, and what can be", async () => {
  const { user } = await open({ "search.all": () => ({ ...found, hosts: [], instances: [] }) });
  await user.keyboard("zzz");
  expect(await screen.findByText(/^Nothing found\. Search hosts by part of the name/)).toBeVisible();
});

it("the host whose name was typed wins over what can be done to it, and over names that begin alike", async () => {
  const host = { state: "Ready", tone: "neutral", words: "" } as const;
  const { user, went, ran } = await open({
    "search.all": () => ({
      ...found,
      hosts: [
        { ...host, id: "h10", name: "r1-h090" },
        { ...host, id: "h9", name: "r1-h09" },
      ],
    }),
  });
  await user.keyboard("R1-h09");
  await screen.findByRole("option", { name: /r1-h090/ });
  await waitFor(() => expect(screen.getByRole("option", { selected: true })).toHaveTextContent(/^r1-h09$/));
  await user.keyboard("{Enter}");
  expect(went).toEqual(["/hosts/r1-h09"]);
  expect(ran).toEqual([]);
});

it("finds a reclamation, a tenant, every page and a theme", async () => {
  const { user, went } = await open({
    "search.all": () => ({
      ...found,
      hosts: [],
      drives: [{ id: "d1", serial: "S6XNNA0T4", words: "PM9A3, in r1-h01" }],
      instances: [],
      reclamations: [{ id: "c1", number: "R-42", hostName: "r1-h01", words: "release, ready" }],
      tenants: [{ id: "t1", name: "Acme", words: "acme", filter: "tenant:acme" }],
    }),
  });
  await user.keyboard("R-42");
  await user.click(await screen.findByRole("option", { name: /R-42/ }));
  await user.keyboard("{Control>}k{/Control}acme");
  await user.click(await screen.findByRole("option", { name: /Acme/ }));
  await user.keyboard("{Control>}k{/Control}removed hosts");
  await user.click(await screen.findByRole("option", { name: /Removed hosts/ }));
  await user.keyboard("{Control>}k{/Control}S6XN");
  await user.click(await screen.findByRole("option", { name: /S6XNNA0T4.*in r1-h01/ }));
  expect(went).toEqual(["/hosts/r1-h01?reclamation=c1", "/hosts?q=tenant%3Aacme", "/gone", "/drives/d1"]);
  await user.keyboard("{Control>}k{/Control}dark");
  await user.click(await screen.findByRole("option", { name: "Theme: Dark" }));
  expect(document.documentElement.dataset.theme).toBe("dark");
});
