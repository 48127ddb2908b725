// A controller of the previous release beside this one's, on this one's schema: as in an upgrade of one process after the other, and as in a
// rollback (docs/adr/0024-rolling-upgrade.md).
import { afterAll, beforeAll, expect, it } from "vitest";
import { assign, onboard, release } from "@/server/testing/acts";
import { hostRows, describeStates, waitForStates } from "@/server/testing/hosts";
import { historyProblems } from "@/server/testing/records";
import { startStack, type Stack, type TestController } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

const hosts = 8;
let stack: Stack;
let previous: TestController;
let hostIds: string[];
let instances: string[];
beforeAll(async () => {
  stack = await startStack({ hosts, speed: 300, controllers: 1, leaseMs: 10_000, previousRelease: true });
  if (stack.previous === null) throw new Error("the stack has no controller of the previous release");
  previous = stack.previous;
  hostIds = await onboard(stack, stack.machines);
  instances = await assign(stack, hostIds);
});
afterAll(() => stack?.stop());

/** Hosts that a tenant could get while the drives hold another tenant's data. */
async function wronglyReady(): Promise<readonly string[]> {
  const rows = (await hostRows(stack, hostIds)).filter(
    ({ state, allocatable }) => state === "Ready" || allocatable,
  );
  const serials = await stack.pool.query<{ id: string; serial: string }>(
    "SELECT id::text, serial FROM host WHERE id = ANY($1::uuid[])",
    [rows.map(({ host_id }) => host_id)],
  );
  const machines = await Promise.all(serials.rows.map(({ serial }) => stack.fleet.machine(serial)));
  return machines.filter(({ holdsTenantData }) => holdsTenantData).map(({ serial }) => serial);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks for wrongly Ready hosts throughout this time. */
async function watched(ms: number): Promise<void> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    expect(await wronglyReady()).toEqual([]);
    await pause(200);
  }
}

async function claimedByPrevious(): Promise<boolean> {
  const { rows } = await stack.pool.query(
    "SELECT 1 FROM host_run r JOIN controller c ON c.id = r.lease_owner WHERE c.pid = $1 UNION ALL SELECT 1 FROM state_history h JOIN controller c ON c.id = h.controller_id WHERE c.pid = $1",
    [previous.process.pid],
  );
  return rows.length > 0;
}

it("brings every host to Ready, whichever version works on it, and never one that holds a tenant's data", async () => {
  previous.process.start();
  await stack.ready(previous);
  const [present] = stack.controllers;
  if (present === undefined) throw new Error("the stack has no controller");
  // Alone at first, so that it certainly claims hosts which this version wrote; then side by side.
  await present.process.stop();
  await release(stack, instances);
  await until("the previous release to work on a host", 60_000, claimedByPrevious);
  present.process.start();
  await stack.ready(present);
  await watched(8_000);
  // Rollback: the previous release is alone again, with what this one wrote meanwhile.
  await present.process.stop();
  await watched(5_000);
  previous.process.check();
  present.process.start();
  await stack.ready(present);
  await watched(5_000);
  // The upgrade is over.
  await previous.process.stop();
  await waitForStates(stack, hostIds, ["Ready"], 200_000, "mayFail");
  expect(await wronglyReady()).toEqual([]);
  expect(await historyProblems(stack, hostIds)).toEqual([]);
  expect((await stack.fleet.sums()).resetsDuringErase).toBe(0);
  const rows = await hostRows(stack, hostIds);
  expect(
    rows.every(({ allocatable }) => allocatable),
    describeStates(rows),
  ).toBe(true);
  // It leaves alone what it cannot read or prove; the schema accepts what it writes, except a Ready host that is not proven clean.
  const refused = previous.process
    .said()
    .split("\n")
    .filter(
      (line) => /violates|does not exist|null value in column/.test(line) && !/cannot be Ready/.test(line),
    );
  expect(refused).toEqual([]);
});
