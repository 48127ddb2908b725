// @vitest-environment happy-dom
// The tab Health of a host: its alerts, what Reclaim read from the BMC, and what that BMC does not say.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { HealthTab } from "@/components/repair/health/health-tab";
import { failedHost } from "@/components/testing/host";
import { show } from "@/components/testing/rendered";
import type { HostHealth } from "@/server/surfaces/trpc/types";

const at = new Date("2026-11-20T11:00:00Z");
const alert = {
  ...{ id: "BmcSensor", target: "fan 2", inAlertSince: at, tenantMessage: null },
  ...{ message: "Fan 2: reads 0 RPM", classifications: ["Hardware", "SensorCritical"] },
};
const health: HostHealth = {
  ...{ level: "alerts", mark: { words: "BmcSensor", tone: "attention" }, replacedBy: null },
  ...{ alerts: [{ ...alert, sources: ["reclaim.bmc"] }], successes: [], hidden: [], effects: [] },
  ...{ reports: [], changes: [], before: null, mayChange: false },
  bmc: {
    readAt: at,
    notOffered: ["leak detectors", "event logs"],
    failing: { since: at, why: "GET /redfish/v1/Systems/1 was answered 500" },
    wantedAt: null,
  },
};
const tab = (found: HostHealth) =>
  show(<HealthTab host={failedHost} onDone={() => undefined} />, { answers: { "health.get": () => found } });

it("shows what was read from the BMC, since when it cannot be, and what it does not offer", async () => {
  tab(health);
  expect(await screen.findByText("Fan 2: reads 0 RPM")).toBeVisible();
  expect(screen.getByText("leak detectors, event logs")).toBeVisible();
  expect(screen.getByText(/was answered 500/)).toBeVisible();
});

it("offers to read the BMC now, to those who may and unless somebody waits for it", async () => {
  const { unmount } = tab({ ...health, mayChange: true });
  expect(await screen.findByRole("button", { name: "Read now…" })).toBeVisible();
  unmount();
  const bmc = health.bmc == null ? null : { ...health.bmc, wantedAt: at };
  tab({ ...health, mayChange: true, bmc });
  expect(await screen.findByText("Requested")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Read now…" })).toBeNull();
});

it("says nothing of a BMC that was not asked", async () => {
  tab({ ...health, bmc: null });
  expect(await screen.findByText("Fan 2: reads 0 RPM")).toBeVisible();
  expect(screen.queryByText("Not offered by the BMC")).toBeNull();
});
