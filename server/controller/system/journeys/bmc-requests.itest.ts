// How many requests a released host costs its BMC, on the real system: docs/benchmarks.md, What safety costs.
import { afterAll, beforeAll, expect, it } from "vitest";
import { claim, onboard, release } from "@/server/testing/acts";
import { waitForStates } from "@/server/testing/hosts";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import { capturedPlatforms } from "@/prisma/seed/platforms";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { startStack, type Stack } from "@/server/testing/stack";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ hosts: 5, speed: 100_000 });
});
afterAll(() => stack?.stop());

/** Includes a read of the identity in each of the two boots (left out if the last one is less than 10 s old) and one more read of the power. */
const most = { dell: 15, lenovo: 19, generic: 25 } as const;

/** With what its SKU names of the platform restored by steps, and everything read and compared after the last of them. */
const mostWithPlatform = { dell: 133, lenovo: 81, generic: 72 } as const;

/** Of what the captured BMCs show, what an earlier release could name, too. */
function baselineOf(vendor: keyof typeof capturedPlatforms): PlatformBaseline {
  const { bios, firmware, bmc }: PlatformBaseline = capturedPlatforms[vendor];
  if (bmc === undefined) return { bios, firmware };
  const {
    protocols: _protocols,
    bootOrder: _order,
    uefiPassword: _password,
    dpuMode: _mode,
    ...earlier
  } = bmc;
  return { bios, firmware, bmc: earlier };
}

async function nameAll(): Promise<void> {
  const { database } = stack.world.backend;
  for (const { id, components } of await database.sku.findMany()) {
    const host = await database.host.findFirstOrThrow({ where: { skuId: id }, select: { serial: true } });
    const vendor = stack.machines.find(({ serial }) => serial === host.serial)?.vendor ?? "generic";
    const baseline = JSON.parse(JSON.stringify(baselineOf(vendor)));
    await database.sku.update({ where: { id }, data: { components: { ...Object(components), baseline } } });
  }
  await stack.setPolicy({ requires: { ...allRequired, attestationPassed: false } });
}

it("a returned host costs its BMC few requests, whichever it is, and more where its platform is compared", async () => {
  const hostIds = await onboard(stack, stack.machines);
  await returnsWithin(hostIds, most);
  await nameAll();
  await returnsWithin(hostIds, mostWithPlatform);
});

async function returnsWithin(
  hostIds: readonly string[],
  limits: Readonly<Record<"dell" | "lenovo" | "generic", number>>,
): Promise<void> {
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
    expect(requests, vendor).toBeLessThanOrEqual(limits[vendor]);
    console.log(`${vendor}: ${requests}`);
  }
}
