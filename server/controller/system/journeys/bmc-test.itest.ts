// Tests of BMCs on the simulated fleet: of a host in Enroll, of one that is Ready, and of one whose BMC refuses. Nothing on them changes.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { BmcTest } from "@/server/contract/hosts/bmc";
import type { BmcCheckName } from "@/server/domain/hardware/bmc-report";
import { enroll, manage, perform } from "@/server/testing/acts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { getBmcTest } from "@/server/usecases/hosts/bmc/get-bmc-test";
import { resetBmc } from "@/server/usecases/hosts/bmc/reset-bmc";
import { testBmc } from "@/server/usecases/hosts/bmc/test-bmc";

let stack: Stack;
let ids: readonly string[] = [];
beforeAll(async () => {
  stack = await startStack({ hosts: 3, speed: 150 });
  ids = await enroll(stack, stack.machines);
});
afterAll(() => stack?.stop());

type Report = NonNullable<BmcTest["report"]>;

async function tested(hostId: string): Promise<Report> {
  const { world } = stack;
  await perform(stack, "operator", testBmc, { hostId });
  return until("the report of a BMC", 60_000, async () => {
    const found = await getBmcTest(world.backend, world.actor("operator"), { hostId });
    return found.ok && found.value.wantedAt === null ? (found.value.report ?? false) : false;
  });
}

const statusOf = ({ checks }: Report, name: BmcCheckName) =>
  checks.find(({ check }) => check === name)?.status;
const stateOf = async (hostId: string) =>
  (await stack.pool.query("SELECT state, state_version FROM host_run WHERE host_id = $1", [hostId])).rows;

it("works before a host was verified, and leaves it as it is", async () => {
  for (const hostId of ids) {
    const before = await stateOf(hostId);
    const report = await tested(hostId);
    expect({ checks: report.checks, verdict: report.verdict }).toMatchObject({ verdict: "works" });
    expect(report.checks.every(({ status }) => status !== "notMade")).toBe(true);
    expect(await stateOf(hostId)).toEqual(before);
  }
});

it("names what a BMC refuses, and goes on after it was repaired", async () => {
  const [machine, hostId] = [stack.machines[0], ids[0] ?? ""];
  await stack.fleet.fault(machine?.serial ?? "", { bmc: { mode: "error5xx" } });
  await stack.pool.query("UPDATE bmc_test SET tested_at = tested_at - interval '1 minute'");
  const report = await tested(hostId);
  expect(report.verdict).toBe("notKnown");
  expect(statusOf(report, "port")).toBe("passed");
  expect(statusOf(report, "power")).toBe("notMade");
  await stack.fleet.fault(machine?.serial ?? "", { bmc: null });
  await manage(stack, [hostId]);
});

it("are restarted, and are back as the same machines", async () => {
  const { world } = stack;
  for (const hostId of ids) await perform(stack, "operator", resetBmc, { hostId, reason: "console hangs" });
  for (const hostId of ids) {
    const reset = await until("the end of a reset", 60_000, async () => {
      const found = await getBmcTest(world.backend, world.actor("operator"), { hostId });
      return found.ok && found.value.reset?.endedAt != null ? found.value.reset : false;
    });
    expect(reset).toMatchObject({ phase: "done", type: expect.stringMatching(/Restart$/) });
  }
});
