// Races for one host on the real system: one request wins, the other is told, and no gate is bypassed (docs/design/lifecycle.md).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assign, claim, onboard, perform, provide, release } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { FreeHosts } from "@/server/testing/free-hosts";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { historyProblems, releaseProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { clearMaintenance } from "@/server/usecases/hosts/maintenance/clear-maintenance";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { setMaintenance } from "@/server/usecases/hosts/maintenance/set-maintenance";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { releaseInstance } from "@/server/usecases/instances/release-instance";

const hosts = 8;
let stack: Stack;
let hostIds: string[];
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, controllers: 2 });
  hostIds = await onboard(stack, stack.machines);
  free = new FreeHosts(stack.machines, hostIds);
});
afterAll(() => stack?.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const openInstances = (hostId: string): Promise<number> =>
  stack.world.backend.database.instance.count({ where: { hostId, endedAt: null } });
const debts = ({ serial }: Machine): Promise<number> =>
  stack.world.backend.database.debt.count({ where: { chassisSerial: serial, clearedAt: null } });

describe("claims", () => {
  it("of the last Ready host by two tenants at once: one gets it, the other a clean conflict", async () => {
    const { hostId } = free.take();
    const { world } = stack;
    // Every other host is out of allocation, so this one is the last.
    await Promise.all(
      hostIds
        .filter((id) => id !== hostId)
        .map((id) =>
          perform(stack, "operator", setMaintenance, { hostId: id, reason: "only one is to be claimed" }),
        ),
    );
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.all(
        (["acme", "vela"] as const).flatMap((tenant) =>
          [1, 2].map((which) =>
            claimHost(world.backend, world.actor("tenant-admin", tenant), world.request(), {
              name: `race-${round}-${which}`,
              wanted: { siteId: world.siteId },
            }),
          ),
        ),
      );
      const won = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
      expect(won.map((value) => value.hostId)).toEqual([hostId]);
      expect(outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.problem.code]))).toEqual([
        "conflict",
        "conflict",
        "conflict",
      ]);
      expect(await openInstances(hostId)).toBe(1);
      await waitForState(stack, hostId, "Assigned/Ready");
      const instanceId = won[0]?.id ?? "";
      const { org } = await world.backend.database.tenant.findFirstOrThrow({
        where: {
          id: (await world.backend.database.instance.findUniqueOrThrow({ where: { id: instanceId } }))
            .tenantId,
        },
      });
      const [owner, other] = org === "acme" ? (["acme", "vela"] as const) : (["vela", "acme"] as const);
      const foreign = await releaseInstance(
        world.backend,
        world.actor("tenant-admin", other),
        world.request(),
        { instanceId },
      );
      expect(foreign).toMatchObject({ ok: false, problem: { code: "notFound" } });
      expect(
        (
          await releaseInstance(world.backend, world.actor("tenant-admin", owner), world.request(), {
            instanceId,
          })
        ).ok,
      ).toBe(true);
      await waitForState(stack, hostId, "Ready");
      expect(await releaseProblems(stack, [instanceId])).toEqual([]);
    }
    await Promise.all(
      hostIds
        .filter((id) => id !== hostId)
        .map((id) => perform(stack, "operator", clearMaintenance, { hostId: id })),
    );
    // Each is rechecked first (docs/adr/0028-recheck-after-maintenance.md) and accepts nothing meanwhile.
    await until("every host to be allocatable again", 120_000, async () => {
      const { rows } = await stack.pool.query("SELECT 1 FROM host_run WHERE NOT allocatable");
      return rows.length === 0 || `${rows.length} are not`;
    });
    expect(await historyProblems(stack, [hostId])).toEqual([]);
  });

  it("against an operator's manage at the same moment: never an instance on a Manageable host", async () => {
    const { hostId } = free.take();
    const { world } = stack;
    let claimed = 0;
    for (let round = 0; round < 8; round += 1) {
      // The later the claim, the more likely the controller has already followed the operator.
      const [claimOutcome, manageOutcome] = await Promise.all([
        pause(round * 6).then(() =>
          claimHost(world.backend, world.actor("repair-tenant-admin"), world.request(), {
            name: `manage-${round}`,
            wanted: { hostId },
          }),
        ),
        manageHost(world.backend, world.actor("operator"), world.request(), { hostId }),
      ]);
      if (claimOutcome.ok) {
        claimed += 1;
        await waitForState(stack, hostId, "Assigned/Ready");
        await release(stack, [claimOutcome.value.id]);
      } else {
        expect(claimOutcome.problem.code).toBe("conflict");
        expect(manageOutcome, `the claim was refused: ${claimOutcome.problem.detail}`).toMatchObject({
          ok: true,
        });
        await waitForState(stack, hostId, "Manageable");
        expect(await openInstances(hostId)).toBe(0);
        await provide(stack, [hostId]);
      }
      await waitForState(stack, hostId, "Ready");
    }
    console.log(`the claim won ${claimed} of 8 times`);
    const { rows } = await stack.pool.query(
      "SELECT 1 FROM state_history h JOIN instance n ON n.host_id = h.host_id AND h.at > n.created_at AND h.at < coalesce(n.ended_at, 'infinity') WHERE h.host_id = $1 AND h.state = 'Manageable'",
      [hostId],
    );
    expect(rows).toEqual([]);
    expect(await historyProblems(stack, [hostId])).toEqual([]);
  });

  it("and a release before the controller has read the claim: both are followed", async () => {
    const { hostId } = free.take();
    const [instanceId = ""] = await claim(stack, [hostId]);
    await release(stack, [instanceId]);
    await until("the instance to end", 60_000, async () => (await openInstances(hostId)) === 0);
    await waitForState(stack, hostId, "Ready");
    expect(await releaseProblems(stack, [instanceId])).toEqual([]);
  });
});

describe("maintenance", () => {
  it("set at any moment of the last steps keeps the host out of allocation, and ends only by a person", async () => {
    const { hostId } = free.take();
    for (const moment of ["BomValidating/BootingAgent", "Validation/MachineValidating", "Ready"] as const) {
      const [instanceId = ""] = await assign(stack, [hostId]);
      await release(stack, [instanceId]);
      await until(`${moment} or later`, 60_000, async () => {
        const { rows } = await stack.pool.query(
          "SELECT 1 FROM state_history h JOIN reclamation c ON c.id = h.reclamation_id WHERE c.instance_id = $1 AND h.state = $2",
          [instanceId, moment],
        );
        return rows.length > 0;
      });
      await perform(stack, "operator", setMaintenance, { hostId, reason: `at ${moment}` });
      const held = await until("the host to hold still", 60_000, async () => {
        const row = await hostRow(stack, hostId);
        return ["Ready", "ReturnToAllocation/AwaitingHealth"].includes(row.state) && row.lease_owner === null
          ? row
          : row.state;
      });
      expect(held).toMatchObject({ maintenance: true, maintenance_by: "person", allocatable: false });
      const refused = await claimHost(
        stack.world.backend,
        stack.world.actor("repair-tenant-admin"),
        stack.world.request(),
        { name: "held", wanted: { hostId } },
      );
      expect(refused).toMatchObject({ ok: false, problem: { code: "conflict" } });
      await perform(stack, "operator", clearMaintenance, { hostId });
      // A host that was Ready is rechecked first (docs/adr/0028-recheck-after-maintenance.md).
      const free = await until("the host to be allocatable", 120_000, async () => {
        const row = await hostRow(stack, hostId);
        return row.allocatable ? row : row.state;
      });
      expect(free).toMatchObject({ state: "Ready", maintenance: false });
      expect(await releaseProblems(stack, [instanceId])).toEqual([]);
    }
  });
});

describe("policy", () => {
  it("changed in the middle of a reclamation counts for the next one only", async () => {
    const { hostId } = free.take();
    const [instanceId = ""] = await assign(stack, [hostId]);
    await release(stack, [instanceId]);
    await waitForState(stack, hostId, "Assigned/BootingWithDiscoveryImage").catch(() => undefined);
    await stack.setPolicy({ validationTests: [], automatedClean: false });
    await waitForState(stack, hostId, "Ready");
    const database = stack.world.backend.database;
    const done = await database.reclamation.findFirstOrThrow({
      where: { instanceId },
      include: { gates: true, stepRuns: true },
    });
    expect(done.stepRuns.length).toBeGreaterThan(0);
    expect(done.gates.find(({ gate }) => gate === "validationPassed")).toMatchObject({ status: "satisfied" });
    await stack.setPolicy({});
  });

  it("with automated cleaning off ends a release in Manageable with its debt, which provide does not wash", async () => {
    const { hostId, machine } = free.take();
    const [instanceId = ""] = await assign(stack, [hostId]);
    await stack.setPolicy({ automatedClean: false });
    await release(stack, [instanceId]);
    await waitForState(stack, hostId, "Manageable");
    expect(await openInstances(hostId)).toBe(0);
    expect(await debts(machine)).toBe(1);
    expect((await stack.fleet.machine(machine.serial)).holdsTenantData).toBe(true);
    const database = stack.world.backend.database;
    expect(await database.reclamation.findFirstOrThrow({ where: { instanceId } })).toMatchObject({
      outcome: "abandoned",
    });
    // Cleaning is still off, but the host must be cleaned because of its debt.
    await provide(stack, [hostId]);
    await waitForState(stack, hostId, "Ready");
    expect((await stack.fleet.machine(machine.serial)).holdsTenantData).toBe(false);
    expect(await debts(machine)).toBe(0);
    const gates = await database.gate.findMany({
      where: { reclamation: { hostId, kind: "onboarding", policyVersion: { gt: 2 } } },
    });
    expect(gates.find(({ gate }) => gate === "storageSanitized")).toMatchObject({ status: "satisfied" });
    // A host without debt may skip the plan.
    await perform(stack, "operator", manageHost, { hostId });
    await waitForState(stack, hostId, "Manageable");
    await provide(stack, [hostId]);
    await waitForState(stack, hostId, "Ready");
    const skipped = await database.reclamation.findFirstOrThrow({
      where: { hostId },
      orderBy: { startedAt: "desc" },
      include: { gates: true, stepRuns: true },
    });
    expect(skipped.stepRuns).toEqual([]);
    expect(skipped.gates.find(({ gate }) => gate === "storageSanitized")).toMatchObject({
      status: "waived",
      reason: expect.stringMatching(/automated cleaning is off/),
    });
    await stack.setPolicy({});
  });
});
