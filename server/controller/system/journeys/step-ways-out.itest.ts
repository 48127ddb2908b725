// Ways out of a step that cannot succeed on a machine: an exception for its gate, or a drain of its power, without disabling the step for later plans.
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "@/server/db/secrets/passwords";
import { testProcedure, testWhen } from "@/server/domain/assurance/procedures/testing/procedures";
import type { GateName } from "@/server/domain/reclamations/gates/gate-names";
import { assign, granted, onboard, perform, release } from "@/server/testing/acts";
import type { Faults } from "@/server/testing/fleet-control";
import { requireBaseline, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { askException } from "@/server/usecases/assurance/exceptions/exception-acts";
import { recordProcedure } from "@/server/usecases/assurance/record-procedure";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";

const password = "fourteen gates";
let stack: Stack;
let hostId = "";
let serial = "";

beforeAll(async () => {
  stack = await startStack({
    ...{ hosts: 5, speed: 100_000 },
    policy: {
      validationTests: [],
      procedures: [
        testProcedure({ when: testWhen() }),
        testProcedure({ name: "manual-tpm-clear", when: testWhen() }),
      ],
    },
  });
  await stack.world.backend.database.person.updateMany({
    data: { passwordHash: await hashPassword(password) },
  });
  const machine = stack.machines.find(({ vendor }) => vendor === "lenovo");
  if (machine === undefined) throw new Error("the fleet has no Lenovo host");
  serial = machine.serial;
  [hostId = ""] = await onboard(stack, [machine]);
});
afterAll(() => stack?.stop());

async function returned(faults: Faults): Promise<void> {
  const [instance = ""] = await assign(stack, [hostId]);
  await stack.fleet.heal(serial);
  await stack.fleet.fault(serial, faults);
  await release(stack, [instance]);
}

/** The newest request is approved by another person. */
async function sign(): Promise<void> {
  const { backend } = stack.world;
  const { id, evidence } = await backend.database.approval.findFirstOrThrow({
    where: { hostId, decision: null, voidedAt: null },
  });
  granted(
    await decideApprovals(backend, stack.world.actor("provider-admin"), stack.world.request(), {
      ...{ approvals: [{ id, evidence }], decision: "approved", password },
    }),
  );
}

async function gates(): Promise<ReadonlyMap<string, string>> {
  const { rows } = await stack.pool.query<{ gate: string; status: string }>(
    "SELECT g.gate, g.status FROM gate g JOIN reclamation c ON c.id = g.reclamation_id WHERE c.id = (SELECT id FROM reclamation WHERE host_id = $1 ORDER BY number DESC LIMIT 1)",
    [hostId],
  );
  return new Map(rows.map(({ gate, status }) => [gate, status]));
}

it.each([
  ["memoryOverwritten", "Failed/MemOverwriteFailed", { memoryOverwrite: { fails: true } }],
  ["infinibandClean", "Failed/IbCleanFailed", { infiniband: { stuck: true } }],
] as const)("an exception for %s lets its failed step be left out", async (gate, state, faults) => {
  await returned(faults);
  await waitForState(stack, hostId, state, 300_000);
  await perform(stack, "operator", askException, {
    ...{ hostId, gate: gate satisfies GateName, reason: "needed today" },
    ...{ measure: "replaced next week", risk: "low", validUntil: new Date(Date.now() + 86_400_000) },
  });
  await sign();
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
  const found = await gates();
  expect([found.get(gate), found.get("cleanupCompleted")]).toEqual(["excepted", "excepted"]);
});

it("a signed drain of its power proves the memory where the step failed", async () => {
  await returned({ memoryOverwrite: { fails: true } });
  await waitForState(stack, hostId, "Failed/MemOverwriteFailed", 300_000);
  const now = new Date();
  await perform(stack, "operator", recordProcedure, {
    hosts: [{ hostId, serial }],
    ...{ procedure: "full-ac-drain", version: 1, doneFrom: now, doneUntil: now, answers: [true, "14"] },
  });
  await sign();
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
  const found = await gates();
  expect([found.get("memoryOverwritten"), found.get("cleanupCompleted")]).toEqual(["satisfied", "satisfied"]);
});

it("a TPM that was cleared by hand lets the step that could not clear it be left out", async () => {
  const machine = stack.machines.find(({ vendor }) => vendor === "generic");
  if (machine === undefined) throw new Error("the fleet has no host whose BMC clears no TPM");
  [hostId = ""] = await onboard(stack, [machine]);
  serial = machine.serial;
  await requireBaseline(stack, hostId, { bios: { BootMode: "UEFI" } });
  await returned({ tpm: { state: "lockoutSet" } });
  await waitForState(stack, hostId, "Failed/PlatformCleanFailed", 300_000);
  const now = new Date();
  await perform(stack, "operator", recordProcedure, {
    hosts: [{ hostId, serial }],
    ...{ procedure: "manual-tpm-clear", version: 1, doneFrom: now, doneUntil: now, answers: [true, "14"] },
  });
  await sign();
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
  expect((await gates()).get("cleanupCompleted")).toBe("satisfied");
});
