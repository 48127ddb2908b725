// The memory of a host's GPUs over a return, on a real site that requires it: cleared, kept, not clearable, and drained (docs/adr/0144-device-memory.md).
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { testProcedure, testWhen } from "@/server/domain/assurance/procedures/testing/procedures";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import { assign, granted, onboard, perform, release } from "@/server/testing/acts";
import type { Faults, Machine } from "@/server/testing/fleet-control";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { recordProcedure } from "@/server/usecases/assurance/record-procedure";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";

const password = "fourteen gates";
const slots = ["0000:4b:00.0", "0000:b1:00.0"] as const;
let stack: Stack;
let hostIds: string[];

beforeAll(async () => {
  stack = await startStack({
    ...{ hosts: 5, speed: 100_000 },
    policy: {
      requires: { ...allRequired, platformAtBaseline: false, attestationPassed: false },
      validationTests: [],
      procedures: [testProcedure({ when: testWhen() })],
    },
  });
  await stack.pool.query("UPDATE site SET demo = false");
  const { database } = stack.world.backend;
  await database.person.updateMany({ data: { passwordHash: await hashPassword(password) } });
  hostIds = await onboard(stack, stack.machines);
});
afterAll(() => stack?.stop());

const machineOf = (vendor: Machine["vendor"]): Machine => {
  const found = stack.machines.find((machine) => machine.vendor === vendor);
  if (found === undefined) throw new Error(`no ${vendor} machine`);
  return found;
};
const hostOf = (machine: Machine): string => hostIds[stack.machines.indexOf(machine)] ?? "";

async function gateOf(hostId: string) {
  const { rows } = await stack.pool.query<{ status: string; reason: string; evidence: unknown }>(
    "SELECT g.status, g.reason, g.evidence FROM gate g JOIN reclamation c ON c.id = g.reclamation_id WHERE c.host_id = $1 AND g.gate = 'deviceMemoryCleared' ORDER BY c.number DESC LIMIT 1",
    [hostId],
  );
  return rows[0];
}

async function count(sql: string, hostId: string): Promise<number> {
  return (await stack.pool.query(sql, [hostId])).rowCount ?? 0;
}
const steps = (hostId: string) =>
  count(
    "SELECT 1 FROM step_run t JOIN reclamation c ON c.id = t.reclamation_id WHERE c.host_id = $1 AND t.step = 'clear_device_memory'",
    hostId,
  );
const erases = (hostId: string) => count("SELECT 1 FROM device_result WHERE host_id = $1", hostId);

/** A tenant has the host, and it comes back with these faults. */
async function returned(machine: Machine, parts: Faults["parts"]): Promise<void> {
  const [instance = ""] = await assign(stack, [hostOf(machine)]);
  await stack.fleet.fault(machine.serial, { parts: parts ?? null });
  await release(stack, [instance]);
}

it("is cleared and looked at on each host that has GPUs; a host without any has no such step", async () => {
  for (const machine of stack.machines) {
    const hostId = hostOf(machine);
    const gate = await gateOf(hostId);
    if (machine.vendor === "generic") {
      expect(gate).toMatchObject({ status: "not required", evidence: { deviceMemory: [] } });
      expect(await steps(hostId)).toBe(0);
      continue;
    }
    expect(gate).toMatchObject({
      status: "satisfied",
      reason: expect.stringMatching(/^cleared: NVIDIA/),
    });
    expect(JSON.stringify(gate?.evidence)).toContain("what was written before is gone");
  }
});

it("that keeps what was written stops the host with slot and serial number, until it is replaced or heals", async () => {
  const machine = machineOf("lenovo");
  const hostId = hostOf(machine);
  await returned(machine, { [slots[1]]: { memory: "kept" } });
  await waitForState(stack, hostId, "Failed/GateUnsatisfied", 300_000);
  expect((await hostRow(stack, hostId)).last_error).toMatch(
    /deviceMemoryCleared: GPU in slot 0000:b1:00\.0 \(NVIDIA RTX A6000, serial \d+\): what was written to its memory is still there/,
  );
  await stack.fleet.heal(machine.serial);
  await perform(stack, "operator", restartReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
});

it("that no program clears stops the host; a signed drain of its power lets it go on, and nothing is erased again", async () => {
  const machine = machineOf("lenovo");
  const hostId = hostOf(machine);
  await returned(machine, { [slots[0]]: { memory: "unsupported" }, [slots[1]]: { memory: "noProgram" } });
  await waitForState(stack, hostId, "Failed/GateUnsatisfied", 300_000);
  const said = (await hostRow(stack, hostId)).last_error ?? "";
  expect(said).toContain("Clearing memory not supported");
  expect(said).toContain("the agent image does not have NVIDIA's gpu-admin-tools");
  const before = await erases(hostId);
  const { backend } = stack.world;
  const now = new Date();
  await perform(stack, "operator", recordProcedure, {
    hosts: [{ hostId, serial: machine.serial }],
    ...{ procedure: "full-ac-drain", version: 1, doneFrom: now, doneUntil: now, answers: [true, "14"] },
  });
  const { id, evidence } = await backend.database.approval.findFirstOrThrow({ where: { hostId } });
  granted(
    await decideApprovals(backend, stack.world.actor("provider-admin"), stack.world.request(), {
      ...{ approvals: [{ id, evidence }], decision: "approved", password },
    }),
  );
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
  expect(await gateOf(hostId)).toMatchObject({
    status: "satisfied",
    reason: expect.stringMatching(/^the host was without power: full-ac-drain, signed off by /),
  });
  expect(await erases(hostId)).toBe(before);
});
