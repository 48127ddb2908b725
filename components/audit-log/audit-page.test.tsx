// @vitest-environment happy-dom
// The *Audit* page: what a search requests, an event's facts and proof, following the log, and verifying a dropped bundle.
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { describe, expect, it } from "vitest";
import { enter } from "@/components/testing/enter";
import { AuditPage } from "@/components/audit-log/audit-page";
import { Refusal, show } from "@/components/testing/rendered";
import { sampleBundle } from "@/server/domain/assurance/certificates/testing/sample-bundle";
import type { AuditLine, AuditState } from "@/server/surfaces/trpc/types";

const line = (seq: number, over: Partial<AuditLine> = {}): AuditLine => ({
  id: `00000000-0000-4000-8000-00000000000${seq}`,
  seq,
  at: new Date("2026-11-20T11:00:00Z"),
  actorKind: "person",
  actorId: "p1",
  actorName: "Olga",
  action: "host.setPlace",
  targetKind: "host",
  targetId: "h1",
  targetName: "gpu-a-0417",
  outcome: "done",
  requestId: "r1",
  address: "192.0.2.7",
  before: { rack: "R1" },
  after: { rack: "R2", reason: "moved" },
  ...over,
});
const state: AuditState = {
  numbered: 3,
  checkpoint: { size: 3, signedAt: new Date("2026-11-20T11:00:00Z"), note: "reclaim.test/audit-log\n3\n" },
  keys: [{ origin: "reclaim.test/audit-log", key: "k1", createdAt: new Date("2026-11-01T00:00:00Z") }],
  witnesses: [],
  quorum: null,
  role: "reclaim",
  changeable: ["audit_event", "audit_leaf"],
  selfAudit: {
    at: new Date("2026-11-20T03:00:00Z"),
    ok: false,
    events: 2,
    faults: 1,
    open: 1,
    first: ["event 1 is not what was logged"],
  },
};

const asked: unknown[] = [];
const followed: unknown[] = [];
function open(search = "", listed: object = { rows: [line(2)], nextCursor: null, searched: null }) {
  asked.length = 0;
  followed.length = 0;
  const shown = show(
    <Suspense>
      <AuditPage />
    </Suspense>,
    {
      path: "/audit",
      search,
      answers: {
        "audit.list": (input) => {
          asked.push(input);
          return { numbered: 3, ...listed };
        },
        "audit.follow": (input) => {
          followed.push(input);
          return followed.length === 1
            ? { rows: [line(3, { action: "host.retry" })], next: 4, more: false }
            : { rows: [], next: 4, more: false };
        },
        "audit.proof": () => {
          throw new Refusal("The event is not signed yet. Ask again in a second.");
        },
        "audit.state": () => state,
        "audit.selfAudit": () => ({ last: null, faults: [], overdue: false, now: null }),
      },
    },
  );
  return { ...shown, user: userEvent.setup() };
}

describe("events", () => {
  it("asks for what the address searches, and puts what is typed into the address", async () => {
    const { user, went } = open("site=berlin&since=2026-11-20T08:00&outcome=wrong");
    expect(await screen.findByText("host.setPlace")).toBeVisible();
    expect(asked[0]).toMatchObject({
      site: "berlin",
      since: new Date("2026-11-20T08:00:00Z"),
      outcome: undefined,
    });
    await user.type(screen.getByLabelText("Person"), "Olga{Enter}");
    expect(went).toEqual(["/audit?actor=Olga&site=berlin&since=2026-11-20T08%3A00"]);
    expect(screen.getByRole("link", { name: "Events as CSV" })).toHaveAttribute(
      "href",
      "/api/audit.csv?site=berlin&since=2026-11-20T08%3A00%3A00.000Z",
    );
  });

  it("folds the search behind a button that says whether one is in use", async () => {
    const { user } = open("site=berlin&outcome=done");
    const fold = screen.getByRole("button", { name: "Search events (2 in use)" });
    expect(fold).toHaveAttribute("aria-expanded", "false");
    await user.click(fold);
    expect(fold).toHaveAttribute("aria-expanded", "true");
  });

  it("is never read to its end to sort it, and says how far a search without a hit went", async () => {
    const searched = { events: 20_000, to: new Date("2026-11-01T00:00:00Z") };
    const { user } = open("text=x&sort=target", { rows: [], nextCursor: "c", searched });
    expect(await screen.findByText("No events")).toBeVisible();
    expect(screen.getByText(/Searched 20,000 events, back to/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Search further back" }));
    expect(asked).toHaveLength(2);
    open("", { rows: [line(2)], nextCursor: "c", searched: null });
    expect(await screen.findByText("host.setPlace")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Target" })).toBeNull();
  });

  it("shows one before and after, and says why there is no proof yet", async () => {
    const { user } = open(`open=${line(2).id}`);
    const panel = await screen.findByRole("complementary", { name: "Event" });
    const facts = await within(panel).findByRole("table", { name: "Before and after" });
    expect(
      within(facts)
        .getAllByRole("row")
        .map(({ textContent }) => textContent),
    ).toEqual(["FactBeforeAfter", "rackR1R2", "reasonmoved"]);
    await user.click(within(panel).getByRole("button", { name: "Show proof" }));
    expect(await within(panel).findByText(/not signed yet/)).toBeVisible();
  });

  it("opens the panel of the event that is clicked, by mouse and by keyboard", async () => {
    const { user, went } = open();
    const there = `/audit?open=${line(2).id}`;
    await user.click(await screen.findByRole("cell", { name: "gpu-a-0417" }));
    expect(went).toEqual([there]);
    screen.getByRole("button", { name: "host.setPlace" }).focus();
    await user.keyboard("{Enter}");
    expect(went).toEqual([there, there]);
    screen.getByRole("button", { name: "Follow live" }).blur();
    (document.activeElement as HTMLElement | null)?.blur();
    await user.keyboard("{Enter}");
    expect(went).toEqual([there, there, there]);
  });

  it("follows from the number that the list began with", async () => {
    const { user } = open();
    await screen.findByText("host.setPlace");
    await user.click(screen.getByRole("button", { name: "Follow live" }));
    expect(await screen.findByText("host.retry")).toBeVisible();
    expect(followed[0]).toMatchObject({ from: 3 });
    expect(screen.getByRole("button", { name: "Stop following" })).toHaveAttribute("aria-pressed", "true");
  });

  it("cannot follow a search that ends before now", async () => {
    open("until=2026-11-20T08:00");
    expect(await screen.findByRole("button", { name: "Follow live" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
});

describe("verify", () => {
  it("checks a bundle with the keys that are trusted, without the server", async () => {
    const { user } = open("tab=verify");
    const { bundle, key } = sampleBundle();
    const file = () => new File([bundle], "certificate.json", { type: "application/json" });
    await user.upload(screen.getByLabelText(/Drop bundles here/), file());
    expect(await screen.findByText(/the signer is unknown: enter/)).toBeVisible();
    await user.click(screen.getByLabelText(/Keys that you trust/));
    await user.paste(key);
    await user.upload(screen.getByLabelText(/Drop bundles here/), file());
    expect(await screen.findByText(/Signed by reclaim.test\/audit-log/)).toBeVisible();
    await user.upload(
      screen.getByLabelText(/Drop bundles here/),
      new File([bundle.replace('"version":1', '"version":2')], "changed.json", { type: "application/json" }),
    );
    expect(await screen.findByText(/It does not verify: bundle/)).toBeVisible();
    expect(asked).toEqual([]);
  });

  it("checks nothing with keys that cannot be read", async () => {
    const { user } = open("tab=verify");
    await enter(user, screen.getByLabelText(/Keys that you trust/), "hello");
    expect(screen.getByText("hello is not a public key of a log.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Check this log" })).toHaveAttribute("aria-disabled", "true");
  });
});

it("says when the database does not protect the log", async () => {
  open("tab=keys");
  expect(await screen.findByText(/could change 2 tables of it/)).toBeVisible();
  expect(screen.getByRole("table", { name: "Keys" })).toHaveTextContent("k1");
  expect(screen.getByText("No witness")).toBeVisible();
  expect(await screen.findByText(/none has ended yet/)).toBeVisible();
});
