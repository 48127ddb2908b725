// @vitest-environment happy-dom
// Using the proof desk: search, filter, open a return, and make a pack; as the provider and as a tenant.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished, vi } from "vitest";
import { ProofPage } from "@/components/assurance/proof/proof-page";
import { admin, Refusal, show } from "@/components/testing/rendered";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import type { CheckedFile, ProofReturn, ReturnLine } from "@/server/surfaces/trpc/types";

const id = "10000000-0000-4000-8000-000000000001";
const at = new Date("2026-10-30T20:31:00Z");
const line: ReturnLine = {
  ...{ id, kind: "release", at, endedAt: at, site: "a", sku: "R750", standing: "provenWithExceptions" },
  reclamation: { id, name: "R-42" },
  host: { id, name: "gpu-a-0366", serial: "7LK2QR1" },
  tenant: { id, name: "Acme", org: "acme" },
  instance: { id, name: "acme-llm-07" },
  says: "13 of 14 gates",
  counts: { erased: 3, expected: 3 },
  file: { id, number: "C-48213", signedAt: at },
};
const open: ReturnLine = {
  ...line,
  id: id.replace(/1$/, "2"),
  standing: "notProven",
  endedAt: null,
  counts: { erased: 0, expected: 0 },
  file: null,
  says: "in progress, no proof yet",
};
const person = (name: string) => ({ name, at });
const found: ProofReturn = {
  ...line,
  rack: "10",
  points: [
    { tone: "good", words: "All 3 drives were erased, and reading them back found nothing of before." },
  ],
  exceptions: [
    {
      ...{
        gate: "platformAtBaseline",
        meaning: "TPM, BIOS, BMC and firmware are at their baseline",
        serial: null,
      },
      ...{ reason: "the update needs a window", measure: "", risk: "", until: at, decidedAt: at },
      ...{ askedBy: person("Sara Duarte"), approvedBy: person("Priya Raman") },
    },
  ],
  drives: [
    {
      ...{
        id: "20000000-0000-4000-8000-000000000001",
        serial: "PHAB1",
        model: "PM9A3",
        slot: "bay 0",
        result: "erased",
        technique: "nvme-sanitize-crypto",
      },
      ...{ level: "purge", standard: "ieee-2883", readBack: "0 of 1,000 samples as before", at },
    },
  ],
  settledBy: null,
};
const tally = {
  returns: 217,
  proven: 208,
  provenWithExceptions: 5,
  notSanitized: 1,
  notProven: 3,
  notChecked: 0,
};
const timeline = [{ id: "s:1", at, kind: "act", words: "Host: provide", who: "Jonas", host: null }];
const answers = {
  "proof.search": () => ({ rows: [line, open], nextCursor: null, tally }),
  "proof.get": () => found,
  "proof.files": () => ({ certificates: 214, bytes: 38_200_000 }),
  "proof.timeline": () => ({ rows: timeline, nextCursor: null }),
  "certificates.get": () => ({ bundle: sampleBundle().bundle }),
  "hosts.filterValues": () => ({
    ...{ site: ["a"], rack: [], segment: [], domain: [] },
    ...{ sku: [], tenant: ["acme"], image: [], alert: [] },
  }),
};
const page = (search = "", over: Partial<Parameters<typeof show>[1]> = {}) =>
  show(<ProofPage />, { answers, path: "/proof", search, ...over });

it("lists returns with their standing, a tally, full times and signed files", async () => {
  page();
  expect(await screen.findByText("217 returns")).toBeVisible();
  expect(screen.getAllByRole("status")[0]).toHaveTextContent("208 proven");
  expect(screen.getAllByText("2026-10-30 20:31:00 UTC")[0]).toBeVisible();
  expect(screen.getByRole("link", { name: "PDF of C-48213" })).toHaveAttribute(
    "href",
    `/api/certificates/${id}.pdf`,
  );
  const running = within(screen.getByRole("row", { name: /in progress, no proof yet/ }));
  expect(running.getByText("none yet")).toBeVisible();
  expect(running.getByText("Not proven")).toHaveAttribute("data-tone", "neutral");
  expect(running.queryByText("none")).toBeNull();
});

it("filters by what is chosen and typed, and removes a filter", async () => {
  const user = userEvent.setup();
  const { went } = page("tenant=acme");
  const filters = within(await screen.findByRole("group", { name: "Filters" }));
  await user.click(filters.getByRole("button", { name: "Standing" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Not sanitized" }));
  expect(went.at(-1)).toBe("/proof?tenant=acme&standing=notSanitized");
  await user.click(screen.getByRole("button", { name: "Remove the filter Tenant" }));
  // The address has not followed yet: what was chosen meanwhile stays.
  expect(went.at(-1)).toBe("/proof?standing=notSanitized");
  await user.type(screen.getByRole("searchbox", { name: "Search proof" }), "PHAB1{Enter}");
  expect(went.at(-1)).toBe("/proof?standing=notSanitized&text=PHAB1");
});

it("says which of the serial numbers of a list were returned, and which were not", async () => {
  const user = userEvent.setup();
  page();
  await user.click(await screen.findByRole("button", { name: "Views" }));
  await user.click(screen.getByRole("menuitem", { name: "Find a list of names…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("textbox", { name: /^Names/ }));
  await user.paste("7lk2qr1, 9XX9XX9");
  await user.click(dialog.getByRole("button", { name: "Find returns" }));
  expect(await screen.findByText("1 of 2 found")).toBeVisible();
  expect(screen.getByText("9XX9XX9")).toBeInTheDocument();
});

it("opens one with its exception, people, drives, timeline and verification", async () => {
  page(`open=${id}`);
  const panel = within(await screen.findByRole("complementary", { name: "Return" }));
  expect(await panel.findByText(/Sara Duarte asked for it/)).toBeVisible();
  expect(panel.getByText(/Priya Raman approved it/)).toBeVisible();
  expect(panel.getByRole("link", { name: "PHAB1" })).toBeVisible();
  expect(await panel.findByText("Host: provide")).toBeVisible();
  expect(await panel.findByRole("button", { name: /^Verify/ })).toBeVisible();
});

/** What the page asks of routes outside of the procedures, and the answer to it. */
function answerFetch(answer: () => Response) {
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(answer()));
  onTestFinished(() => asked.mockRestore());
  return asked;
}
const problem = (status: number, detail: string) => Response.json({ detail }, { status });

it("makes a pack of what is selected, says how large it is, how it is checked, and where an auditor finds it", async () => {
  const user = userEvent.setup();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const asked = answerFetch(() => new Response("x".repeat(2_000)));
  page("tenant=acme&month=2026-10&drawer=pack");
  const drawer = within(await screen.findByRole("region", { name: "Pack for an auditor" }));
  expect(await drawer.findByText("reclaim verify acme-2026-10-proof.pack.tar")).toBeVisible();
  expect(await drawer.findByText("214 certificates")).toBeVisible();
  expect(drawer.getByText(/\/proof\?tenant=acme&month=2026-10$/)).toBeVisible();
  await user.click(drawer.getByRole("checkbox"));
  await user.click(drawer.getByRole("button", { name: /^Make the pack, about 38.2 MB and its PDFs/ }));
  expect(await drawer.findByText("acme-2026-10-proof.pack.tar was saved, 2 kB.")).toBeVisible();
  expect(saved).toEqual(["acme-2026-10-proof.pack.tar"]);
  expect(asked.mock.calls.map(([url]) => url)).toEqual([
    "/api/proof/pack?tenant=acme&month=2026-10&pdf=true",
  ]);
});

it("says why a pack was not made", async () => {
  const user = userEvent.setup();
  answerFetch(() => problem(429, "Too many packs are being made."));
  page("drawer=pack");
  await user.click(await screen.findByRole("button", { name: /^Make the pack/ }));
  expect(await screen.findByText(/The pack was not made. Too many packs are being made/)).toBeVisible();
});

it("checks a file, says what was found, and as which exit code", async () => {
  const user = userEvent.setup();
  const checked: CheckedFile = {
    ...{ kind: "pack", verdict: "notPlain", exit: 11, says: "Not all of it is plainly proven." },
    ...{ lines: ["214 of 214 hold; 5 with exceptions."], faults: [] },
  };
  const asked = answerFetch(() => Response.json(checked));
  const { went } = page("drawer=check&tenant=acme");
  await user.click(await screen.findByRole("button", { name: "Pack for an auditor…" }));
  expect(went.at(-1)).toBe("/proof?tenant=acme&drawer=pack");
  const drawer = within(await screen.findByRole("region", { name: "Check a file" }));
  await user.upload(drawer.getByLabelText("File to check"), new File(["x"], "acme.tar"));
  expect(await drawer.findByText("It holds, and is not plainly proven")).toBeVisible();
  expect(drawer.getByText(/ends with exit code 11/)).toBeVisible();
  expect(drawer.getByText("214 of 214 hold; 5 with exceptions.")).toBeVisible();
  expect(asked.mock.calls[0]?.[0]).toBe("/api/proof/check");
  asked.mockImplementation(() => Promise.resolve(problem(400, "A certificate has at most 16 MiB.")));
  await user.upload(drawer.getByLabelText("File to check"), new File(["x"], "large.json"));
  expect(
    await drawer.findByText(/large.json was not checked. A certificate has at most 16 MiB/),
  ).toBeVisible();
});

it("exports what is selected", async () => {
  page("tenant=acme&standing=proven");
  expect(await screen.findByRole("link", { name: "Export CSV" })).toHaveAttribute(
    "href",
    "/api/proof.csv?tenant=acme&standing=proven",
  );
});

it("verifies the open return by its key, and has the timeline of a drive", async () => {
  const user = userEvent.setup();
  const of: unknown[] = [];
  page(`open=${id}`, {
    answers: {
      ...answers,
      "proof.timeline": (input) => {
        of.push(input);
        return { rows: timeline, nextCursor: null };
      },
    },
  });
  const panel = within(await screen.findByRole("complementary", { name: "Return" }));
  await panel.findByRole("button", { name: /^Verify/ });
  await user.keyboard("v");
  expect(await panel.findByText(/but the signer is unknown/)).toBeVisible();
  await user.click(panel.getByRole("button", { name: "A drive…" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "PHAB1" }));
  expect(await panel.findByRole("button", { name: "Drive PHAB1" })).toBeVisible();
  expect(of.at(-1)).toMatchObject({ of: "drive", id: "20000000-0000-4000-8000-000000000001" });
});

it("shows a tenant neither hosts nor the provider's people", async () => {
  const me = { ...admin, role: "tenant-admin" as const, tenant: { id, org: "acme", name: "Acme" } };
  const [exception] = found.exceptions;
  if (exception === undefined) throw new Error("no exception");
  const hidden = { ...exception, reason: null, measure: null, risk: null, askedBy: null, approvedBy: null };
  const own = { ...found, host: { ...found.host, name: null }, exceptions: [hidden] };
  page(`open=${id}`, { me, answers: { ...answers, "proof.get": () => own } });
  const panel = within(await screen.findByRole("complementary", { name: "Return" }));
  expect(await panel.findByText(/Two people of the provider decided it/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Site" })).toBeNull();
});

it("says what appears here, that nothing matches, and what failed", async () => {
  const none = {
    ...answers,
    "proof.search": () => ({ rows: [], nextCursor: null, tally: { ...tally, returns: 0 } }),
  };
  page("", { answers: none });
  expect(await screen.findByText("Nothing was returned yet")).toBeVisible();
});

it("says that nothing matches", async () => {
  page("text=x", { answers: { ...answers, "proof.search": () => ({ rows: [], nextCursor: null, tally }) } });
  expect(await screen.findByText("Nothing that was returned matches")).toBeVisible();
});

it("says what failed", async () => {
  page("tenant=nobody", {
    answers: {
      ...answers,
      "proof.search": () => {
        throw new Refusal("There is no tenant nobody.");
      },
    },
  });
  expect(await screen.findByText(/There is no tenant nobody/)).toBeVisible();
});
