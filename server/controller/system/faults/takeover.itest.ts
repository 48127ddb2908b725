// A controller's death is noticed by its lock, not by its leases, which last longer here than the test waits
// (docs/design/datapath.md#takeover-and-sweep).
import { afterAll, beforeAll, expect, it } from "vitest";
import { assign, onboard, release } from "@/server/testing/acts";
import { hostRows, waitForStates } from "@/server/testing/hosts";
import { historyProblems, leftovers, releaseProblems, stepProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

const hosts = 6;
const leaseMs = 600_000;
/** A host with a request in progress is taken over when its permit ends, a minute after it was given (`effectLimits`). */
const permitMs = 60_000;
/** Enough even on a heavily overloaded machine; a lease would last five times as long. */
const patienceMs = permitMs + 60_000;

let stack: Stack;
let hostIds: string[];
let instances: string[];
beforeAll(async () => {
  stack = await startStack({ hosts, speed: 300, controllers: 2, leaseMs, sweepMs: 0 });
  hostIds = await onboard(stack, stack.machines);
  instances = await assign(stack, hostIds);
});
afterAll(() => stack?.stop());

interface Held {
  /** A request to its hardware was in progress. */
  readonly in_flight: boolean;
  readonly host_id: string;
  readonly generation: bigint;
  readonly pid: number;
}

const held = async (): Promise<readonly Held[]> =>
  (
    await stack.pool.query<Held>(
      "SELECT r.host_id, r.generation, c.pid, EXISTS (SELECT 1 FROM effect e WHERE e.host_id = r.host_id AND e.generation = r.generation AND e.status = 'permitted') AS in_flight FROM host_run r JOIN controller c ON c.id = r.lease_owner",
    )
  ).rows;

/** Releases these hosts, kills a controller that holds some, and sees them taken over long before their leases end, and all of them Ready. */
async function killOne(from: number, to: number): Promise<void> {
  const [released, returned] = [hostIds.slice(from, to), instances.slice(from, to)];
  // Slow BMCs: the controllers hold hosts while they wait for an answer.
  await Promise.all(
    stack.machines.map(({ serial }) => stack.fleet.fault(serial, { bmc: { mode: "slow", delayMs: 1_500 } })),
  );
  await release(stack, returned);
  // Either one: one claim takes all due hosts, and whoever ends a request claims its host again, so one controller may do all the work.
  const { process, mine } = await until("a controller to hold hosts", patienceMs, async () => {
    const rows = await held();
    for (const { process } of stack.controllers) {
      const mine = rows.filter(({ pid }) => pid === process.pid);
      if (mine.length > 0) return { process, mine };
    }
    return `held by processes ${JSON.stringify(rows.map(({ pid }) => pid))}`;
  });
  process.signal("SIGKILL");
  const began = performance.now();
  const earliest = new Map<string, number>();
  await until(`${mine.length} hosts to be taken over`, patienceMs, async () => {
    for (const row of await hostRows(
      stack,
      mine.map(({ host_id }) => host_id),
    )) {
      const before = mine.find(({ host_id }) => host_id === row.host_id);
      if (before !== undefined && row.generation > before.generation && !earliest.has(row.host_id))
        earliest.set(row.host_id, performance.now() - began);
    }
    return earliest.size === mine.length;
  });
  const times = (inFlight: boolean) =>
    mine
      .filter(({ in_flight }) => in_flight === inFlight)
      .map(({ host_id }) => Math.round(earliest.get(host_id) ?? 0));
  console.log(
    `taken over after ms: ${times(false).join(", ")}; with a request under way: ${times(true).join(", ")}`,
  );
  await process.kill();
  process.start();
  await Promise.all(stack.controllers.map((controller) => stack.ready(controller)));
  await Promise.all(stack.machines.map(({ serial }) => stack.fleet.heal(serial)));
  await waitForStates(stack, released, ["Ready"], 120_000, "mayFail");
  expect(await releaseProblems(stack, returned)).toEqual([]);
  expect(await stepProblems(stack, hostIds)).toEqual([]);
  expect(await historyProblems(stack, hostIds)).toEqual([]);
  expect(await leftovers(stack, hostIds)).toEqual([]);
  expect((await stack.fleet.sums()).resetsDuringErase).toBe(0);
}

const timeout = 420_000;
it(
  "takes over what a killed controller held long before its leases end, and brings all hosts to Ready",
  { timeout },
  () => killOne(0, hosts / 2),
);
it("does so again when the killed one has come back", { tags: "all", timeout }, () =>
  killOne(hosts / 2, hosts),
);
