// A BMC that hangs keeps no other host waiting: signals meet their handlers at once, with the sweep switched off (design: datapath.md, Effects; lifecycle.md, Rule 5).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { notifyWake, signalHosts } from "@/server/db/hot/signal";
import { assign, onboard, release } from "@/server/testing/acts";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

const hosts = 10;
const rechecks = 1_000;
const rounds = 10;
/** What a test may ask of a busy machine; the figure of the design, 100 ms, is the bench's to check. */
const promptMs = 1_000;

let stack: Stack;
let hanging: string;
let others: string[];

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, sweepMs: 0, leaseMs: 12_000 });
  const { pool, world } = stack;
  const hostIds = await onboard(stack, stack.machines);
  const instances = await assign(stack, hostIds);
  const later = Array.from({ length: rechecks }, () => randomUUID());
  await pool.query(
    `INSERT INTO host (id, name, site_id, hardware_type, serial, system_uuid, bmc_address, bmc_username, bmc_password, network_interfaces)
     SELECT id, id::text, $2, 'redfish', id::text, id, id::text, 'u', '\\x00', '{dpu0}' FROM unnest($1::uuid[]) id`, [later, world.siteId]);
  await pool.query("INSERT INTO host_run (host_id, site_id, name, state, due_at) SELECT id, $2, id::text, 'Enroll', now() + interval '10 min' FROM unnest($1::uuid[]) id", [later, world.siteId]);
  hanging = hostIds[0] ?? "";
  others = hostIds.slice(1);
  await stack.fleet.fault(stack.machines[0]?.serial ?? "", { bmc: { mode: "silent" } });
  await release(stack, [instances[0] ?? ""]);
  await waitForState(stack, hanging, "Assigned/BootingWithDiscoveryImage");
}, 120_000);
afterAll(() => stack?.stop());

/** A signal that changes nothing: an acknowledgement of a network that nobody wants any more. */
const nudge = (hostId: string) => ({ hostId, kind: "networkAck" as const, payload: { interface: "none", version: 0 } });

const unread = async (hostIds: readonly string[]): Promise<number> => (await stack.pool.query("SELECT 1 FROM signal WHERE host_id = ANY($1::uuid[])", [hostIds])).rowCount ?? 0;

it("a signal on any other host is handled promptly while one BMC hangs with a wake-up pending", { timeout: 60_000 }, async () => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const hostId of others) {
      await signalHosts(stack.pool, [nudge(hanging), nudge(hostId)]);
      const began = performance.now();
      await notifyWake(stack.pool);
      while ((await unread([hostId])) > 0) {
        if (performance.now() - began > promptMs) throw new Error(`the signal of ${hostId} was not handled within ${promptMs} ms`);
      }
      times.push(performance.now() - began);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => `${Math.round(times[Math.floor((times.length - 1) * share)] ?? 0)} ms`;
  console.log(`${times.length} signals, from their notification to the commit of their handler as another process sees it: median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
  expect((await hostRow(stack, hanging)).state).toBe("Assigned/BootingWithDiscoveryImage");
});

it("signals that arrive while their host's handler runs are handled right after it", { timeout: 60_000 }, async () => {
  // Without a pause between them most meet a handler at work; each is due again at once.
  for (let round = 0; round < 50; round += 1) {
    await signalHosts(stack.pool, others.map(nudge));
    if (round % 5 === 0) await notifyWake(stack.pool);
  }
  const began = performance.now();
  await notifyWake(stack.pool);
  await until("all signals to be handled", promptMs, async () => (await unread(others)) === 0);
  console.log(`${50 * others.length} signals were handled ${Math.round(performance.now() - began)} ms after the last of them`);
});

it("the wake-ups of the host that hung are followed when its BMC answers", { timeout: 90_000 }, async () => {
  await stack.fleet.heal(stack.machines[0]?.serial ?? "");
  await waitForState(stack, hanging, "Ready", 80_000);
  expect(await unread([hanging])).toBe(0);
});
