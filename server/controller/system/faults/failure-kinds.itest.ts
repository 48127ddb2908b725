// Every kind of failure that the simulated fleet can cause, end to end: the message that people read, and what they are told to check next
// (docs/adr/0063-causes.md).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFailed, isState } from "@/server/domain/lifecycle/states";
import { assign, onboard, release } from "@/server/testing/acts";
import { kinds } from "@/server/testing/failure-kinds";
import { FreeHosts } from "@/server/testing/free-hosts";
import type { FreeHost } from "@/server/testing/free-hosts";
import { hostRow, requireBaseline } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { getHost } from "@/server/usecases/hosts/one/get-host";

/** Short, so that the test need not wait long; a BMC here answers at once. */
const times = {
  bmcTries: 3,
  stateMs: 20_000,
  maxBoots: 2,
  eraseStepMs: 60_000,
  agentSilenceMs: 15_000,
  otherStepMs: 60_000,
  jobPollMs: 200,
};
const limitMs = 480_000;

const onFleet = Object.entries(kinds).filter(([, { onDecision }]) => onDecision !== true);

let stack: Stack;
const subjects = new Map<string, FreeHost>();

beforeAll(async () => {
  stack = await startStack({ hosts: 40, speed: 1_000, leaseMs: 8_000 });
  const ids = await onboard(stack, stack.machines);
  // All machines at once work for longer than the limits of the tests allow on a slow machine, so these apply from here on.
  await stack.setPolicy({ times });
  const made = await assign(stack, ids);
  const instances = new Map(ids.map((hostId, index) => [hostId, made[index] ?? ""]));
  const free = new FreeHosts(stack.machines, ids);
  for (const [name, { vendor, faults, baseline }] of onFleet) {
    const subject = free.take((machine) => machine.vendor === vendor);
    subjects.set(name, subject);
    if (baseline !== undefined) await requireBaseline(stack, subject.hostId, baseline);
    await stack.fleet.fault(subject.machine.serial, faults(subject.machine));
  }
  await release(
    stack,
    [...subjects.values()].map(({ hostId }) => instances.get(hostId) ?? ""),
  );
});
afterAll(() => stack?.stop());

describe.concurrent("a failure of the kind", { timeout: limitMs + 20_000 }, () => {
  it.each(onFleet)("%s", async (name, { says, check }) => {
    const { hostId, machine } = subjects.get(name) ?? {};
    await until(`${name} to end`, limitMs, async () => {
      const { state, wait_reason } = await hostRow(stack, hostId ?? "");
      return state === "Ready" || (isState(state) && isFailed(state)) || `${state}: ${wait_reason ?? ""}`;
    });
    const page = await getHost(stack.world.backend, stack.world.actor("operator"), {
      host: machine?.name ?? "",
    });
    if (!page.ok) throw new Error(page.problem.detail);
    const { state, failure } = page.value;
    expect(state === "Ready").toBe(says === null);
    if (says === null || check === undefined) return;
    expect(failure?.says[0]).toMatch(says);
    expect(failure?.checkNext).toMatch(check);
  });
});
