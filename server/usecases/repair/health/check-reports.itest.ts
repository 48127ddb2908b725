// Failed checks as health: raised once for each failure, told anew when the host fails again, ended when it passes, and kept while nothing is known.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { State } from "@/server/domain/lifecycle/states";
import { emptyContext } from "@/server/domain/lifecycle/context";
import { getHealth } from "@/server/usecases/repair/health/get-health";
import { reportChecks } from "@/server/usecases/repair/health/check-reports";
import { valueOf } from "@/server/usecases/testing/outcomes";
import { createWorld } from "@/server/usecases/testing/world";
import type { World } from "@/server/usecases/testing/world";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const quiet = { warn: (facts: object, text?: string) => expect([facts, text]).toEqual([]) };
const round = () => reportChecks(world.backend.database, quiet, new AbortController().signal);

async function put(
  hostId: string,
  state: State,
  lastError: string | null,
  failedTests: string[] = [],
  passedTests: string[] = [],
) {
  await world.put(hostId, state);
  const context = emptyContext();
  await world.backend.database.hostRun.update({
    where: { hostId },
    data: {
      ...{ lastError, stateSince: new Date() },
      context: {
        ...context,
        proven: {
          ...context.proven,
          tests: {
            ...{ epoch: 1, failed: failedTests, skipped: [] },
            ...{ passed: passedTests.length, names: passedTests },
          },
        },
      },
    },
  });
}

const alertsOf = async (hostId: string) => {
  const { alerts } = valueOf(await getHealth(world.backend, world.actor("operator"), { hostId }));
  return alerts.map(({ id, target, message, sources }) => ({ id, target, message, sources }));
};

it("reports a host that differs from its SKU until it passes", async () => {
  const hostId = await world.host();
  await put(hostId, "BomValidating/SkuVerificationFailed", "differs from R750: CPU count");
  expect(await round()).toBe(1);
  const alert = { id: "SkuValidation", target: null, sources: ["reclaim.sku"] };
  expect(await alertsOf(hostId)).toEqual([{ ...alert, message: "differs from R750: CPU count" }]);
  expect(await round()).toBe(0);
  // Neither failed nor passed.
  await put(hostId, "BomValidating/UpdatingInventory", null);
  expect(await round()).toBe(0);
  expect(await alertsOf(hostId)).toHaveLength(1);
  await put(hostId, "BomValidating/SkuVerificationFailed", "differs from R750: memory");
  await round();
  expect(await alertsOf(hostId)).toEqual([{ ...alert, message: "differs from R750: memory" }]);
  await put(hostId, "Validation/MachineValidating", null);
  expect(await round()).toBe(1);
  expect(await alertsOf(hostId)).toEqual([]);
});

it("reports each failed test, and tests that did not run to their end", async () => {
  const hostId = await world.host();
  await put(hostId, "Failed/MachineValidation", "gpu: too slow", ["gpu", "memory"]);
  expect(await round()).toBe(1);
  expect((await alertsOf(hostId)).map(({ id, target }) => [id, target])).toEqual([
    ["FailedValidationTest", "gpu"],
    ["FailedValidationTest", "memory"],
  ]);
  // A retry does not end it.
  await put(hostId, "Validation/MachineValidating", null);
  expect(await round()).toBe(0);
  // Nor does going on without the test, because nobody requires it any more.
  await put(hostId, "HostInit/Discovered", null, [], ["gpu"]);
  expect(await round()).toBe(0);
  await put(hostId, "HostInit/Discovered", null);
  expect(await round()).toBe(0);
  await put(hostId, "Failed/MachineValidation", "the tests exceeded their time limit");
  expect(await round()).toBe(1);
  expect(await alertsOf(hostId)).toMatchObject([
    { id: "FailedValidationTestCompletion", message: "the tests exceeded their time limit" },
  ]);
  await put(hostId, "HostInit/Discovered", null, [], ["gpu"]);
  expect(await round()).toBe(1);
  expect(await alertsOf(hostId)).toEqual([]);
  await put(hostId, "Failed/MachineValidation", "gpu: too slow", ["gpu", "memory", "nic.json"]);
  await round();
  await put(hostId, "HostInit/Discovered", null, [], ["memory", "gpu", "network"]);
  expect(await round()).toBe(1);
  expect(await alertsOf(hostId)).toEqual([]);
  expect((await world.backend.database.hostRun.findUniqueOrThrow({ where: { hostId } })).touched).toBe(false);
});
