// @vitest-environment happy-dom
// The fleet page: what it says can be allocated.
import { screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { FleetPage } from "@/components/fleet/fleet-page";
import { admin, show } from "@/components/testing/rendered";
import type { FleetSummary } from "@/server/surfaces/trpc/types";

const counts = { ready: 7, provider: 0, working: 0, waiting: 0, overLimit: 0, failed: 0, inUse: 3 };
const fleet: FleetSummary = {
  at: new Date(),
  hosts: 10,
  counts,
  sites: [],
  ready: { count: 7, allocatable: 6, filter: "is:ready" },
  comingBack: { count: 0, filter: "is:comingBack" },
  needPerson: { count: 0, failed: 0, overLimit: 0, filter: "is:needPerson" },
  overdue: { count: 2, filter: "overdue:true" },
  timeToReady: { p50Ms: null, p95Ms: null, returns: 0, weekAgo: null, p50ByHourMs: [] },
  causes: [],
  returnsPerHour: [],
  stepDurations: [],
  waitingLongest: [],
  waitingTotal: 0,
  waitingFilter: "",
  capacity: { buckets: [], unknown: 0 },
};

async function figure(words: string, allocationStopped: string | null) {
  const me = { ...admin, allocationStopped };
  show(
    <Suspense>
      <FleetPage />
    </Suspense>,
    {
      me,
      answers: {
        "fleet.summary": () => fleet,
        "queue.get": () => ({ sites: [], unreadable: [], brakes: [] }),
        "session.me": () => me,
      },
    },
  );
  return (await screen.findByText(words)).parentElement;
}

it("counts the hosts that can be allocated", async () => {
  expect(await figure("Ready to allocate", null)).toHaveTextContent(
    "Ready to allocate670.0 % of 10 hosts; 1 more is Ready but not allocatable",
  );
});

it("counts none while allocation is stopped, and says how many hosts are Ready", async () => {
  expect(await figure("Ready to allocate", "The database was restored.")).toHaveTextContent(
    "Ready to allocate0allocation is stopped; 7 hosts are Ready",
  );
});

it("leads to the hosts over their total time limit", async () => {
  await figure("Need attention", null);
  expect(screen.getByRole("link", { name: "2 overdue" })).toHaveAttribute("href", "/hosts?q=overdue%3Atrue");
});
