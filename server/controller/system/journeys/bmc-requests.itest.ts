// How many requests a released host costs its BMC, on the real system: docs/benchmarks.md, What safety costs.
import { afterAll, beforeAll, expect, it } from "vitest";
import { claim, onboard, release } from "@/server/testing/acts";
import { waitForStates } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ hosts: 5, speed: 100_000 });
});
afterAll(() => stack?.stop());

/** Includes a read of the identity in each of the two boots (left out if the last one is less than 10 s old) and one more read of the power. */
const most = { dell: 15, lenovo: 19, generic: 25 } as const;

it("a returned host costs its BMC few requests, whichever it is", async () => {
  const hostIds = await onboard(stack, stack.machines);
  const counts = async () =>
    Promise.all(
      stack.machines.map(async ({ serial }) => (await stack.fleet.machine(serial)).counters.redfishRequests),
    );
  const instances = await claim(stack, hostIds);
  await waitForStates(stack, hostIds, ["Assigned/Ready"], 120_000);
  const before = await counts();
  await release(stack, instances);
  await waitForStates(stack, hostIds, ["Ready"], 120_000);
  const after = await counts();
  for (const [index, { vendor }] of stack.machines.entries()) {
    const requests = (after[index] ?? 0) - (before[index] ?? 0);
    expect(requests, vendor).toBeGreaterThan(0);
    expect(requests, vendor).toBeLessThanOrEqual(most[vendor]);
    console.log(`${vendor}: ${requests}`);
  }
});
