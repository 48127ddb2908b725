// Health by the BMC on the simulated fleet: faults become alerts that keep a host out, nothing that cannot be read ends one, and logs are read by page.
import { afterAll, beforeAll, expect, it } from "vitest";
import { bmcLogSource, bmcSource } from "@/server/domain/repair/health/templates";
import { onboard } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

let stack: Stack;
const ids = new Map<string, string>();
beforeAll(async () => {
  stack = await startStack({ hosts: 5, speed: 150, bmcHealthMs: 2_000 });
  const hostIds = await onboard(stack, stack.machines);
  stack.machines.forEach(({ serial }, index) => ids.set(serial, hostIds[index] ?? ""));
});
afterAll(() => stack?.stop());

function of(vendor: Machine["vendor"]): { readonly machine: Machine; readonly hostId: string } {
  const machine = stack.machines.find((each) => each.vendor === vendor);
  const hostId = ids.get(machine?.serial ?? "");
  if (machine === undefined || hostId === undefined) throw new Error(`no ${vendor} machine`);
  return { machine, hostId };
}

interface Report {
  readonly alerts: readonly {
    readonly id: string;
    readonly target: string | null;
    readonly message: string;
  }[];
  readonly successes: readonly { readonly id: string; readonly target: string | null }[];
}

async function reportOf(hostId: string, source = bmcSource): Promise<Report | null> {
  const { rows } = await stack.pool.query<{ body: Report }>(
    "SELECT body FROM health_report WHERE host_id = $1 AND source = $2",
    [hostId, source],
  );
  return rows[0]?.body ?? null;
}

const alertsOf = async (hostId: string, source = bmcSource): Promise<readonly string[]> =>
  ((await reportOf(hostId, source))?.alerts ?? []).map(({ id, target }) => `${id} ${target ?? ""}`.trim());

const untilAlerts = (hostId: string, wanted: (alerts: readonly string[]) => boolean, what: string) =>
  until(what, 60_000, async () => {
    const alerts = await alertsOf(hostId);
    return wanted(alerts) ? alerts : alerts.join(", ");
  });

const allocatable = async (hostId: string): Promise<boolean | undefined> =>
  (
    await stack.pool.query<{ allocatable: boolean }>("SELECT allocatable FROM host_run WHERE host_id = $1", [
      hostId,
    ])
  ).rows[0]?.allocatable;

it("reads every host, and says what each BMC does not have", async () => {
  for (const vendor of ["dell", "lenovo", "generic"] as const) {
    const { hostId } = of(vendor);
    const report = await until(
      `the health of the ${vendor} host`,
      60_000,
      async () => (await reportOf(hostId)) ?? false,
    );
    expect(report.alerts).toEqual([]);
    expect(report.successes.length).toBeGreaterThan(10);
  }
  const { rows } = await stack.pool.query<{ not_offered: string[]; read: boolean }>(
    "SELECT not_offered, read_at IS NOT NULL AS read FROM bmc_health WHERE host_id = $1",
    [of("lenovo").hostId],
  );
  expect(rows).toEqual([{ not_offered: ["leak detectors", "chassis intrusion"], read: true }]);
});

it("a fan and a power supply that fail are alerts; a leak keeps the host out until it is dry", async () => {
  const { machine, hostId } = of("generic");
  await stack.fleet.fault(machine.serial, { health: { fan: 1, supply: 0, leak: "Critical" } });
  await untilAlerts(hostId, (alerts) => alerts.length === 3, "three alerts");
  expect([...(await alertsOf(hostId))].sort()).toEqual([
    "BmcLeakDetection leak detector Cold plates",
    "BmcSensor fan 2",
    "BmcSensor power supply PSU 1",
  ]);
  expect(await allocatable(hostId)).toBe(false);
  await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
  const silent = await untilAlerts(
    hostId,
    (alerts) => alerts.some((alert) => alert.startsWith("BmcExploration")),
    "an unread BMC",
  );
  expect(silent).toContain("BmcLeakDetection leak detector Cold plates");
  expect(await allocatable(hostId)).toBe(false);
  await stack.fleet.fault(machine.serial, { bmc: null, health: null });
  await untilAlerts(hostId, (alerts) => alerts.length === 0, "no alerts");
  await until("the host to be allocatable", 30_000, async () => (await allocatable(hostId)) === true);
});

it("a drive that will fail and an open cover are named", async () => {
  const { machine, hostId } = of("dell");
  const serial = machine.drives[0]?.serial ?? "";
  await stack.fleet.fault(machine.serial, { health: { drives: [serial] } });
  await untilAlerts(hostId, (alerts) => alerts.length > 0, "a failing drive");
  expect((await reportOf(hostId))?.alerts[0]?.message).toMatch(
    /^Drive .*: its BMC predicts a failure; its BMC reports health Critical$/,
  );
});

it("warnings of a long log are a few alerts and a count, and a log that was cleared is read anew", async () => {
  const { machine, hostId } = of("lenovo");
  const since = new Date(Date.now() - 50_000_000).toISOString();
  await stack.fleet.fault(machine.serial, { health: { log: { entries: 50_000, since } } });
  const has = (wanted: string) =>
    until(wanted, 60_000, async () => {
      const alerts = await alertsOf(hostId, bmcLogSource);
      return alerts.includes(wanted) ? alerts : alerts.join(", ");
    });
  expect((await has("BmcEventLog PlatformLog 50000")).length).toBeLessThanOrEqual(17);
  await stack.fleet.fault(machine.serial, { health: { log: { first: 50_100, entries: 1, since } } });
  await has("BmcEventLog PlatformLog 50100");
  expect(await alertsOf(hostId, bmcLogSource)).toContain("BmcEventLog PlatformLog 50000");
  expect(await allocatable(hostId)).toBe(true);
});
