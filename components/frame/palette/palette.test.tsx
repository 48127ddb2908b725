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
  return { ...shown, ran, user };
}

const options = () => screen.getAllByRole("option").map(({ textContent }) => textContent);

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
