// @vitest-environment happy-dom
// What the fleet page says can be allocated.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense } from "react";
import { expect, it } from "vitest";
import { FleetPage } from "@/components/fleet/fleet-page";
import { admin, show } from "@/components/testing/rendered";
import type {
  FleetFailures,
  FleetRacks,
  FleetSummary,
  SelfAuditStanding,
} from "@/server/surfaces/trpc/types";

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
  leasesOverdue: { count: 1, filter: "owner:overdue" },
  timeToReady: { p50Ms: null, p95Ms: null, returns: 0, weekAgo: null, p50ByHourMs: [] },
  causes: [],
  returnsPerHour: [],
  stepDurations: [],
  waitingLongest: [],
  waitingTotal: 0,
  waitingFilter: "",
  capacity: { buckets: [], unknown: 0 },
  choices: { sites: ["a"], skus: ["R750"], tenants: [{ org: "acme", name: "Acme" }] },
  trends: [],
  weekAgo: null,
  forecast: { hosts: 0, unknown: 0, measured: 0, halfAt: null, mostAt: null },
  erases: { total: 0, hosts: [] },
};
const failures: FleetFailures = {
  causes: [{ cause: "NVMECleanFailed", count: 3 }],
  buckets: [{ at: new Date("2026-11-20T11:00:00Z"), counts: [3] }],
  firmware: {
    reclamations: 9,
    rows: [{ model: "PM9A3", firmware: "GDC5602Q", reclamations: 6, failed: 3, cause: "NVMECleanFailed" }],
  },
};
const racks: FleetRacks = {
  racks: [
    {
      site: "a",
      rack: "R 1",
      counts,
      hosts: [{ name: "r1-h01", slot: "1", label: "Ready", group: "ready" }],
    },
  ],
  hosts: 1,
};

const selfAudit: SelfAuditStanding = {
  last: {
    id: "c1",
    at: new Date("2026-11-20T03:00:00Z"),
    seconds: 4,
    askedBy: null,
    ok: false,
    events: 3,
    covered: null,
    faults: 3,
    open: 2,
    kinds: [{ kind: "changedHistory", label: "History changed", count: 3, open: 2 }],
  },
  faults: [],
  overdue: true,
  now: null,
};

async function figure(words: string, allocationStopped: string | null, of = fleet, role = admin.role) {
  const me = { ...admin, role, allocationStopped };
  show(
    <Suspense>
      <FleetPage />
    </Suspense>,
    {
      me,
      answers: {
        "fleet.summary": () => of,
        "fleet.failures": () => failures,
        "fleet.racks": () => racks,
        "queue.get": () => ({ sites: [], unreadable: [], brakes: [] }),
        "rollouts.list": () => ({
          rollouts: [],
          updates: { hosts: { pending: 4, running: 2, failed: 1 }, dpus: null },
        }),
        "audit.selfAudit": () => {
          if (role !== "provider-admin" && role !== "auditor") throw new Error("may not read the audit log");
          return selfAudit;
        },
        "session.me": () => me,
      },
    },
  );
  return (await screen.findByText(words)).parentElement;
}

it("says how many hosts firmware rollouts update, and that DPUs are not reported", async () => {
  await figure("Ready to allocate", null);
  const section = await screen.findByRole("region", { name: "Firmware updates" });
  expect(section).toHaveTextContent("4 pending, 2 running, 1 failed");
  expect(section).toHaveTextContent("DPUsnot reported");
});

it("says where to begin while there is no host, to who may enrol one", async () => {
  const empty = { ...fleet, hosts: 0 };
  await figure("Ready to allocate", null, empty);
  expect(screen.getByRole("link", { name: "Enrol hosts" })).toHaveAttribute(
    "href",
    "/enrolments/new?by=list",
  );
});

it("tells an auditor of no first steps", async () => {
  await figure("Ready to allocate", null, { ...fleet, hosts: 0 }, "auditor");
  expect(screen.queryByRole("region", { name: "First steps" })).toBeNull();
});

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

it("leads to the hosts over their total time limit, and to those that a repair system keeps for too long", async () => {
  await figure("Need attention", null);
  expect(screen.getByRole("link", { name: "2 overdue" })).toHaveAttribute("href", "/hosts?q=overdue%3Atrue");
  expect(screen.getByRole("link", { name: "1 overdue in repair" })).toHaveAttribute(
    "href",
    "/hosts?q=owner%3Aoverdue",
  );
});

it("says what was a week ago, and when half of the hosts will be back, from how many returns", async () => {
  const at = (clock: string) => new Date(`2026-11-20T${clock}:00Z`);
  const shown = await figure("Coming back", null, {
    ...fleet,
    comingBack: { count: 8, filter: "is:comingBack" },
    weekAgo: { ready: 5, comingBack: 4, needPerson: 1 },
    forecast: { hosts: 8, unknown: 0, measured: 306, halfAt: at("15:40"), mostAt: at("17:30") },
  });
  expect(shown).toHaveTextContent("a week ago 4");
  expect(shown).toHaveTextContent("half by 15:40, 90 % by 17:30; from 306 returns");
});

it("lists erases with their expected end, failures by firmware, and racks also as a table", async () => {
  await figure("Ready to allocate", null, {
    ...fleet,
    erases: {
      total: 1,
      hosts: [
        {
          hostId: "h1",
          name: "r1-h09",
          step: "deploy.erase_nvme",
          percent: 40,
          endsAt: new Date("2026-11-20T12:30:00Z"),
        },
      ],
    },
  });
  expect(screen.getByRole("table", { name: "Running erases" })).toHaveTextContent(/r1-h09.*12:30/);
  expect(await screen.findByRole("table", { name: "Failures by firmware" })).toHaveTextContent(
    /PM9A3.*GDC5602Q.*3.*6, 50 %.*NVMECleanFailed/,
  );
  expect(await screen.findByText(/R 1: 7 ready, 3 in use/)).toBeInTheDocument();
  await userEvent.setup().click(screen.getByRole("button", { name: "Racks as a table" }));
  expect(screen.getByRole("link", { name: "R 1" })).toHaveAttribute(
    "href",
    "/hosts?q=site%3Aa+rack%3A%22R+1%22",
  );
});

it("a filter is kept in the address", async () => {
  const { went } = show(
    <Suspense>
      <FleetPage />
    </Suspense>,
    {
      search: "hours=168",
      answers: {
        "fleet.summary": () => fleet,
        "fleet.failures": () => failures,
        "fleet.racks": () => racks,
        "queue.get": () => ({ sites: [], unreadable: [], brakes: [] }),
        "rollouts.list": () => ({
          rollouts: [],
          updates: { hosts: { pending: 4, running: 2, failed: 1 }, dpus: null },
        }),
        "session.me": () => admin,
      },
    },
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Tenant: All tenants" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "Acme" }));
  expect(went).toEqual(["/?tenant=acme&hours=168"]);
});

it("tells who may read the audit log of open faults of the self-audit, and that it is overdue", async () => {
  await figure("Need attention", null, fleet, "auditor");
  expect(await screen.findByText(/found 2 faults that nobody has acknowledged/)).toBeVisible();
  expect(screen.getByText(/self-audit is overdue/)).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Open the self-audit" })[0]).toHaveAttribute(
    "href",
    "/audit?tab=checks",
  );
});

it("tells an operator nothing of it", async () => {
  await figure("Need attention", null, fleet, "operator");
  expect(screen.queryByText(/self-audit/)).toBeNull();
});
