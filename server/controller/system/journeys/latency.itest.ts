// A BMC that hangs for 60 s delays no other host: signals reach their handlers even with the sweep switched off (docs/design/datapath.md#effects;
// docs/design/lifecycle.md#rules).
import { afterAll, beforeAll, expect, it } from "vitest";
import { notifyWake, signalHosts } from "@/server/db/hot/signal";
import { addLaterHosts } from "@/server/controller/system/testing/later-hosts";
import { assign, onboard, release } from "@/server/testing/acts";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

const hosts = 10;
const rechecks = 1_000;
const rounds = 10;
/** Delay of each answer of the BMC. */
const hangMs = 60_000;
/** Less than the BMC hangs, and enough for a busy machine; `npm run bench -- --latency` measures the actual latency. */
const patienceMs = 30_000;

let stack: Stack;
let hanging: string;
let others: string[];

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, sweepMs: 0 });
  const { pool, world } = stack;
  const hostIds = await onboard(stack, stack.machines);
  const instances = await assign(stack, hostIds);
  await addLaterHosts(pool, world.siteId, rechecks);
  hanging = hostIds[0] ?? "";
  others = hostIds.slice(1);
  await stack.fleet.fault(stack.machines[0]?.serial ?? "", { bmc: { mode: "slow", delayMs: hangMs } });
  await release(stack, [instances[0] ?? ""]);
  await waitForState(stack, hanging, "Assigned/BootingWithDiscoveryImage");
});
afterAll(() => stack?.stop());

/** A signal that changes nothing: an acknowledgement of a network that is no longer wanted. */
const nudge = (hostId: string) => ({
  hostId,
  kind: "networkAck" as const,
  payload: { interface: "none", version: 0 },
});

const unread = async (hostIds: readonly string[]): Promise<number> =>
  (await stack.pool.query("SELECT 1 FROM signal WHERE host_id = ANY($1::uuid[])", [hostIds])).rowCount ?? 0;

it("a signal on any other host is handled while one BMC hangs with a wake-up pending", async () => {
  for (let round = 0; round < rounds; round += 1) {
    for (const hostId of others) {
      await signalHosts(stack.pool, [nudge(hanging), nudge(hostId)]);
      await notifyWake(stack.pool);
      await until(
        "the signal of another host to be handled",
        patienceMs,
        async () => (await unread([hostId])) === 0,
      );
    }
  }
  // The hanging BMC was not waited for: its host is where it was.
  expect((await hostRow(stack, hanging)).state).toBe("Assigned/BootingWithDiscoveryImage");
});

it("signals that arrive while their host's handler runs are handled after it", async () => {
  // Without a pause between them, most arrive while a handler is running; each host is due again at once.
  for (let round = 0; round < 50; round += 1) {
    await signalHosts(stack.pool, others.map(nudge));
    if (round % 5 === 0) await notifyWake(stack.pool);
  }
  await notifyWake(stack.pool);
  await until("all signals to be handled", patienceMs, async () => (await unread(others)) === 0);
});

it("the wake-ups of the host that hung are followed when its BMC answers", async () => {
  await stack.fleet.heal(stack.machines[0]?.serial ?? "");
  await waitForState(stack, hanging, "Ready", 200_000);
  await until("its wake-ups to be followed", patienceMs, async () => (await unread([hanging])) === 0);
});
