// A host leaves the fleet: erased and proven, its leftovers removed, its record kept. It comes back as a new host.
import { afterAll, beforeAll, expect, it } from "vitest";
import { onboard, perform } from "@/server/testing/acts";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { standing } from "@/server/domain/hosts/decommission/leftovers";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { acceptLeftovers } from "@/server/usecases/hosts/decommission/accept-leftovers";
import { decommissionHost } from "@/server/usecases/hosts/decommission/decommission-host";
import { getGone, listGone } from "@/server/usecases/hosts/decommission/gone-hosts";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";
import { getHost } from "@/server/usecases/hosts/one/get-host";
import { getGates } from "@/server/usecases/hosts/one/get-gates";
import { getHistory } from "@/server/usecases/hosts/one/get-history";

let stack: Stack;
let hostIds: readonly string[];
beforeAll(async () => {
  stack = await startStack({ hosts: 4, speed: 400, leaseMs: 8_000 });
  hostIds = await onboard(stack, stack.machines);
});
afterAll(() => stack?.stop());

const reason = "returned to the vendor";
const idOf = (index: number): string => hostIds[index] ?? "";

/** Waits until the controller has removed the host. */
const gone = (hostId: string) =>
  until("the host to be gone", 300_000, async () => {
    const { rows } = await stack.pool.query<{ state: string; last_error: string | null }>(
      "SELECT state, last_error FROM host_run WHERE host_id = $1",
      [hostId],
    );
    return rows[0] === undefined || `in ${rows[0].state}: ${rows[0].last_error ?? ""}`;
  });

it("erases and proves the host, then removes it; its record, history and evidence stay", async () => {
  const hostId = idOf(0);
  const machine = stack.machines[0];
  await stack.fleet.leaveOnBmc(machine?.serial ?? "", { account: "tenant" });
  await perform(stack, "operator", decommissionHost, { hostId, reason, keepAccount: false });
  await gone(hostId);
  const actor = stack.world.actor("auditor");
  const found = await getGone(stack.world.backend, actor, { host: hostId });
  if (!found.ok) throw new Error(found.problem.detail);
  const record = found.value;
  expect(record).toMatchObject({
    hostId,
    serial: machine?.serial,
    how: "decommissioned",
    reason,
    debts: 0,
    returnedAs: null,
  });
  expect(record.byName).not.toBeNull();
  const outcomeOf = (what: string) => record.leftovers.find((line) => line.what === what)?.outcome;
  expect(outcomeOf("account tenant")).toBe("removed");
  expect(outcomeOf("account that Reclaim signs in with")).toBe("removed");
  expect(standing(record.leftovers)).toEqual([]);
  expect(record.reclamations[0]).toMatchObject({ kind: "decommission", outcome: "decommissioned" });
  const reclamationId = record.reclamationId ?? "";
  const gates = await getGates(stack.world.backend, actor, { hostId, reclamationId });
  const statusOf = (name: string) =>
    gates.ok ? gates.value.find(({ gate }) => gate === name)?.status : undefined;
  expect(["cleanupCompleted", "storageSanitized", "memoryOverwritten"].map(statusOf)).toEqual(
    Array.from({ length: 3 }, () => "satisfied"),
  );
  const history = await getHistory(stack.world.backend, actor, { hostId });
  expect(history.ok && history.value.states.slice(0, 2).map(({ state }) => state)).toEqual([
    "Decommissioned",
    "Decommissioning/RemovingLeftovers",
  ]);
  const state = await stack.fleet.machine(machine?.serial ?? "");
  expect(state.power).toBe("Off");
  expect(state.drives.every(({ holdsTenantData }) => !holdsTenantData)).toBe(true);
});

it("a host that is deleted leaves a record that says that nothing was proven", async () => {
  const hostId = idOf(1);
  await perform(stack, "provider-admin", deleteHost, { hostId });
  await gone(hostId);
  const listed = await listGone(stack.world.backend, stack.world.actor("operator"), {
    text: stack.machines[1]?.serial ?? "",
    cursor: null,
    limit: 10,
  });
  expect(listed.ok && listed.value).toMatchObject({ total: 1, rows: [{ how: "deleted", reason: null }] });
  expect(listed.ok && listed.value.rows[0]?.byName).not.toBeNull();
});

it("a BMC that keeps what it should remove stops the host; what a person accepts is on record, and the machine comes back as a new host", async () => {
  const hostId = idOf(2);
  const machine = stack.machines[2];
  if (machine === undefined) throw new Error("there is no third machine");
  const { serial } = machine;
  await stack.fleet.leaveOnBmc(serial, { account: "tenant" });
  // Slow enough to catch it while its leftovers are listed.
  await stack.fleet.fault(serial, { bmc: { mode: "slow", delayMs: 300 } });
  await perform(stack, "operator", decommissionHost, { hostId, reason, keepAccount: true });
  await waitForState(stack, hostId, "Decommissioning/RemovingLeftovers");
  await stack.fleet.fault(serial, { bmc: { mode: "acceptAndIgnore" } });
  // Reclaim reads back each request to such a BMC until its time is over.
  await waitForState(stack, hostId, "Failed/LeftoversRemain", 240_000);
  const stopped = await hostRow(stack, hostId);
  expect(stopped.last_error).toMatch(/account tenant \(removed, but still there\)/);
  expect(stopped.allocatable).toBe(false);
  const actor = stack.world.actor("operator");
  const shown = await getHost(stack.world.backend, actor, { host: hostId });
  const left = shown.ok ? standing(shown.value.leaving?.leftovers ?? []) : [];
  await perform(stack, "operator", acceptLeftovers, {
    hostId,
    reason: "reset by the vendor",
    keys: left.map(({ key }) => key),
  });
  await gone(hostId);
  await stack.fleet.heal(serial);
  const record = await getGone(stack.world.backend, actor, { host: serial });
  expect(record).toMatchObject({ value: { how: "decommissioned", returnedAs: null } });
  const lines = record.ok ? record.value.leftovers : [];
  expect(lines.find(({ what }) => what === "account tenant")).toMatchObject({
    outcome: "refused",
    accepted: { by: actor.name, reason: "reset by the vendor" },
  });
  expect(lines.find(({ kind }) => kind === "ownAccount")).toMatchObject({ outcome: "kept" });
  const [back = ""] = await onboard(stack, [machine]);
  expect(back).not.toBe(hostId);
  expect(await getHost(stack.world.backend, actor, { host: back })).toMatchObject({
    value: { earlier: [{ how: "decommissioned" }], leaving: null },
  });
}, 600_000);

it("a controller that is killed while it removes leftovers is replaced, and nothing of the record is lost", async () => {
  const hostId = idOf(3);
  const serial = stack.machines[3]?.serial ?? "";
  await stack.fleet.leaveOnBmc(serial, { account: "tenant" });
  await stack.fleet.fault(serial, { bmc: { mode: "slow", delayMs: 300 } });
  await perform(stack, "operator", decommissionHost, { hostId, reason, keepAccount: false });
  await waitForState(stack, hostId, "Decommissioning/RemovingLeftovers");
  for (const controller of stack.controllers) {
    await controller.process.kill();
    controller.process.start();
    await stack.ready(controller);
  }
  await stack.fleet.heal(serial);
  await gone(hostId);
  const record = await getGone(stack.world.backend, stack.world.actor("operator"), { host: hostId });
  const lines = record.ok ? record.value.leftovers : [];
  const outcomeOf = (what: string) => lines.find((line) => line.what === what)?.outcome;
  expect(outcomeOf("account tenant")).toBe("removed");
  expect(outcomeOf("account that Reclaim signs in with")).toBe("removed");
  expect(lines.filter(({ what }) => what === "account tenant")).toHaveLength(1);
});
