// @vitest-environment happy-dom
// The board of firmware rollouts: what it says of one, and which acts it offers to whom.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { RolloutsSection } from "@/components/hosts/inventory/rollouts-section";
import { imagesFrom } from "@/components/hosts/inventory/start-rollout";
import { show } from "@/components/testing/rendered";
import type { ApprovalLine, RolloutLine, RolloutList } from "@/server/surfaces/trpc/types";

const line: RolloutLine = {
  id: "0190aaaa-0000-7000-8000-00000000000a",
  sku: "R750",
  state: "running",
  components: [
    { component: "BIOS", from: "1.8", to: "1.9", url: "http://images.test/1.9", checksum: "ab12" },
  ],
  stages: ["1 host", "10 %", "100 %"],
  stage: 0,
  taken: 1,
  places: 1,
  maxFailures: 2,
  hosts: { pending: 9, running: 1, failed: 0, done: 0 },
  startedBy: "Ola",
  startedAt: new Date("2026-11-30T05:00:00Z"),
  reason: "CVE-2026-1",
  approvedBy: "Ada",
  approvalId: "0190aaaa-0000-7000-8000-00000000000b",
  pausedReason: null,
  pausedBy: null,
  endedAt: null,
};

const approval: ApprovalLine = {
  ...{ id: line.approvalId, kind: "rollout", subjectId: line.id, subject: "firmware of R750: BIOS 1.9" },
  ...{ host: null, site: null, evidence: "cd34", askedBy: "Ola", askedAt: line.startedAt, reason: "x" },
  ...{ validUntil: null, decision: null, decidedBy: null, decidedAt: null, decidedReason: null },
  ...{ decidedWith: null, voided: null, own: false, mayDecide: true },
};

async function board(change: Partial<RolloutLine> = {}, own = false) {
  const rollout = { ...line, ...change };
  const list: RolloutList = {
    rollouts: [rollout],
    updates: { hosts: { pending: 9, running: 1, failed: 0 }, dpus: null },
  };
  const host = { hostId: "h1", host: "h-1", hostState: "WaitingForCleanup/PlatformCleanup" };
  const shown = show(
    <Suspense>
      <RolloutsSection />
    </Suspense>,
    {
      answers: {
        "rollouts.list": () => list,
        "rollouts.get": () => ({ ...rollout, list: [{ ...host, state: "running", decidedAt: new Date() }] }),
        "rollouts.advance": () => ({ id: rollout.id }),
        "approvals.list": () => ({ items: [{ ...approval, own, mayDecide: !own }], nextCursor: null }),
      },
    },
  );
  await screen.findByRole("heading", { name: "Rollouts" });
  return shown;
}

const buttons = () =>
  screen
    .getAllByRole("button")
    .map(({ textContent }) => textContent ?? "")
    .filter((words) => words.endsWith("…"));

it("says which stage is open, and how many hosts are in each state", async () => {
  await board();
  expect(document.body.textContent).toContain("1 of 3: 1 host, then 10 %, then 100 %");
  expect(document.body.textContent).toContain("0 done, 1 running, 0 failed, 9 pending");
  expect(document.body.textContent).toContain("DPUs: not reported");
  expect(document.body.textContent).toContain("approved by Ada");
  expect(await screen.findByRole("link", { name: "h-1" })).toBeTruthy();
});

it.each([
  ["running", {}, ["Start a rollout…", "Pause…", "Next stage…", "Abort…"]],
  ["running in its last stage", { stage: 2 }, ["Start a rollout…", "Pause…", "Finish…", "Abort…"]],
  [
    "paused",
    { state: "paused" as const, pausedReason: "2 hosts failed" },
    ["Start a rollout…", "Resume…", "Abort…"],
  ],
  [
    "waiting for its approval",
    { state: "waits" as const, approvedBy: null },
    ["Start a rollout…", "Approve…", "Reject…", "Abort…"],
  ],
])("one that is %s offers what is possible", async (_what, change, offered) => {
  await board(change);
  await expect.poll(buttons).toEqual(offered);
});

it("shows the files to whom may approve it, and says to who asked that another person decides", async () => {
  const user = userEvent.setup();
  await board({ state: "waits", approvedBy: null });
  await user.click(await screen.findByRole("button", { name: "Approve…" }));
  expect(document.body.textContent).toContain("BIOS 1.8 → 1.9, from http://images.test/1.9, SHA-256 ab12");
  expect(screen.getByRole("button", { name: "Approve" })).toBeTruthy();
});

it("offers no decision to who asked for it", async () => {
  await board({ state: "waits", approvedBy: null }, true);
  await screen.findByText(/You asked for it, so you cannot approve it/);
  expect(buttons()).toEqual(["Start a rollout…", "Abort…"]);
});

it("says what the next stage means before it is opened, and sends the stage that was seen", async () => {
  const user = userEvent.setup();
  const { calls } = await board();
  await user.click(screen.getByRole("button", { name: "Next stage…" }));
  expect(document.body.textContent).toContain(
    "Of this stage, 1 of 1 host were let in: 0 done, 1 running, 0 failed",
  );
  await user.type(screen.getByLabelText(/Reason/), "went well");
  await user.click(screen.getByRole("button", { name: "Open 10 %" }));
  await expect
    .poll(() => calls)
    .toEqual([{ path: "rollouts.advance", input: { rollout: line.id, stage: 0, reason: "went well" } }]);
});

it("reads files, one per line, and refuses what is incomplete", () => {
  const sha = "a".repeat(64);
  expect(imagesFrom(`BIOS | 1.9 | http://images.test/1.9 | ${sha.toUpperCase()}\n`)).toEqual([
    { component: "BIOS", version: "1.9", url: "http://images.test/1.9", checksum: sha },
  ]);
  expect(imagesFrom("")).toBeUndefined();
  expect(imagesFrom("BIOS | 1.9 | http://images.test/1.9")).toBeUndefined();
  expect(imagesFrom(`BIOS | 1.9 | http://images.test/1.9 | ${sha} | more`)).toBeUndefined();
});
