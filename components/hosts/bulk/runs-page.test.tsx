// @vitest-environment happy-dom
// The list of runs shows the results of each.
import { screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { RunsPage } from "@/components/hosts/bulk/runs-page";
import { show } from "@/components/testing/rendered";
import type { BulkHead, BulkProgress } from "@/server/surfaces/trpc/types";

const run: BulkHead = {
  id: "00000000-0000-4000-8000-0000000000d1",
  intent: "provide",
  words: "Provide",
  runbookName: null,
  reason: null,
  steps: [],
  filter: null,
  total: 13,
  createdAt: new Date("2026-11-20T10:00:00Z"),
  createdByName: "Ada Admin",
  startedAt: new Date("2026-11-20T10:00:00Z"),
  askedAllAt: new Date("2026-11-20T10:01:00Z"),
};
const progress: BulkProgress = {
  ...run,
  counts: {
    can: 0,
    cannot: 0,
    asked: 0,
    refused: 0,
    refusedLater: 0,
    running: 0,
    failed: 1,
    ended: 12,
    accepted: 0,
  },
  over: true,
  hosts: [],
  nextCursor: null,
};

it("how many hosts are done and how many failed, each with its hosts behind it", async () => {
  show(
    <Suspense>
      <RunsPage />
    </Suspense>,
    { answers: { "bulk.list": () => ({ runs: [run], unreadable: [] }), "bulk.progress": () => progress } },
  );
  expect(await screen.findByRole("link", { name: "1 failed" })).toHaveAttribute(
    "href",
    `/cleaning/runs/${run.id}?show=failed`,
  );
  expect(screen.getByRole("link", { name: "12 done" })).toBeVisible();
});
