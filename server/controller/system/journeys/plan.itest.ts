// The automated plan on the real system: overrides, settings, steps of the BMC, and everything that must not let a host with a debt pass
// (docs/cleaning.md#automated-cleaning).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assign, onboard, perform, provide, release } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { hostRow, requireBaseline, waitForState } from "@/server/testing/hosts";
import { FreeHosts, type FreeHost } from "@/server/testing/free-hosts";
import { historyProblems, stepProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { removeOverride } from "@/server/usecases/cleaning/overrides/remove-override";
import { saveOverride } from "@/server/usecases/cleaning/overrides/save-override";
import { setHostAutomatedClean } from "@/server/usecases/cleaning/policy/set-host-automated-clean";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";

const hosts = 24;
let stack: Stack;
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, policy: { times: { jobPollMs: 200 } } });
  free = new FreeHosts(stack.machines, await onboard(stack, stack.machines));
});
afterAll(() => stack?.stop());

const take = (vendor: Machine["vendor"]) => free.take((machine) => machine.vendor === vendor);

interface Run {
  readonly step: string;
  readonly priority: number;
  readonly source: string;
  readonly status: string;
  readonly message: string | null;
  readonly attempt: number;
}

/** The newest plan of the host's newest reclamation. */
async function planOf({ hostId }: FreeHost): Promise<readonly Run[]> {
  const { rows } = await stack.pool.query<Run>(
    `SELECT t.interface || '.' || t.step AS step, t.priority, t.priority_source AS source, t.status, t.message, t.attempt FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch
     WHERE c.id = (SELECT r.id FROM reclamation r WHERE r.host_id = $1 ORDER BY r.started_at DESC LIMIT 1) ORDER BY t.position`,
    [hostId],
  );
  return rows;
}

async function gatesOf({
  hostId,
}: FreeHost): Promise<ReadonlyMap<string, { readonly status: string; readonly reason: string }>> {
  const { rows } = await stack.pool.query<{ gate: string; status: string; reason: string }>(
    "SELECT g.gate, g.status, g.reason FROM gate g WHERE g.reclamation_id = (SELECT r.id FROM reclamation r WHERE r.host_id = $1 ORDER BY r.started_at DESC LIMIT 1)",
    [hostId],
  );
  return new Map(rows.map(({ gate, ...row }) => [gate, row]));
}

const debts = ({ machine }: FreeHost): Promise<number> =>
  stack.world.backend.database.debt.count({ where: { chassisSerial: machine.serial, clearedAt: null } });
const holdsTenantData = async ({ machine }: FreeHost): Promise<boolean> =>
  (await stack.fleet.machine(machine.serial)).holdsTenantData;
const onHost = ({ hostId }: FreeHost, step: string) => ({
  scope: "host" as const,
  scopeId: hostId,
  interface: "deploy",
  step,
});
const disable = (subject: FreeHost, step: string) =>
  perform(stack, "provider-admin", saveOverride, { ...onHost(subject, step), priority: 0 });

async function used(subject: FreeHost): Promise<string> {
  const [instanceId = ""] = await assign(stack, [subject.hostId]);
  return instanceId;
}

async function becomesReady(subject: FreeHost): Promise<void> {
  await waitForState(stack, subject.hostId, "Ready");
  expect(await debts(subject)).toBe(0);
  expect(await holdsTenantData(subject)).toBe(false);
  expect(await historyProblems(stack, [subject.hostId])).toEqual([]);
  expect(await stepProblems(stack, [subject.hostId])).toEqual([]);
}

describe.concurrent("priority 0", { timeout: 480_000 }, () => {
  it("for an erase never lets a host with a debt become Ready, and a restart without it does", async () => {
    const subject = take("dell");
    const instanceId = await used(subject);
    await disable(subject, "erase_nvme");
    await release(stack, [instanceId]);
    const stopped = await waitForState(stack, subject.hostId, "Failed/GateUnsatisfied");
    expect(stopped.last_error).toContain("storageSanitized");
    expect((await gatesOf(subject)).get("storageSanitized")).toMatchObject({
      status: "unsatisfied",
      reason: expect.stringMatching(
        /deploy\.erase_nvme disabled by host override \(set by [^)]+\), and the host owes a sanitization/,
      ),
    });
    expect(await debts(subject)).toBe(1);
    expect(await holdsTenantData(subject)).toBe(true);
    await perform(stack, "provider-admin", removeOverride, onHost(subject, "erase_nvme"));
    await perform(stack, "operator", restartReclamation, { hostId: subject.hostId });
    await becomesReady(subject);
  });

  it("for an erase of a host that owes nothing is waived, with its reason", async () => {
    const subject = take("lenovo");
    await disable(subject, "erase_nvme");
    await perform(stack, "operator", manageHost, { hostId: subject.hostId });
    await waitForState(stack, subject.hostId, "Manageable");
    await provide(stack, [subject.hostId]);
    await waitForState(stack, subject.hostId, "Ready");
    expect((await planOf(subject)).map(({ step }) => step)).not.toContain("deploy.erase_nvme");
    expect((await gatesOf(subject)).get("storageSanitized")).toEqual({
      status: "waived",
      reason: expect.stringMatching(/^deploy.erase_nvme disabled by host override \(/),
    });
  });
});

describe.concurrent("an override", { timeout: 480_000 }, () => {
  it("that is saved while a plan runs changes the next plan, and not this one", async () => {
    const subject = take("dell");
    const instanceId = await used(subject);
    // The memory step cannot succeed, so the plan stops in the middle.
    await stack.fleet.fault(subject.machine.serial, { memoryOverwrite: { fails: true } });
    await release(stack, [instanceId]);
    await waitForState(stack, subject.hostId, "Failed/MemOverwriteFailed");
    const before = await planOf(subject);
    expect(before.map(({ source }) => source)).toEqual(before.map(() => "default"));
    await perform(stack, "provider-admin", saveOverride, {
      ...onHost(subject, "reset_infiniband"),
      priority: 99,
    });
    await perform(stack, "provider-admin", saveOverride, {
      ...onHost(subject, "verify_mem_overwrite"),
      priority: 0,
    });
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", retryReclamation, { hostId: subject.hostId });
    await becomesReady(subject);
    expect((await planOf(subject)).map(({ step, priority, source }) => [step, priority, source])).toEqual(
      before.map(({ step, priority, source }) => [step, priority, source]),
    );
    // The next plan follows the overrides.
    await perform(stack, "provider-admin", removeOverride, onHost(subject, "verify_mem_overwrite"));
    await release(stack, [await used(subject)]);
    await becomesReady(subject);
    expect((await planOf(subject))[0]).toMatchObject({
      step: "deploy.reset_infiniband",
      priority: 99,
      source: "host",
      status: "succeeded",
    });
  });
});

describe.concurrent("cleaning that is off for a host", { timeout: 480_000 }, () => {
  it("ends its release in Manageable with the record of what was not done, and provide cleans it all the same", async () => {
    const subject = take("generic");
    const instanceId = await used(subject);
    await perform(stack, "provider-admin", setHostAutomatedClean, {
      hostId: subject.hostId,
      automatedClean: false,
    });
    await release(stack, [instanceId]);
    await waitForState(stack, subject.hostId, "Manageable");
    expect(await debts(subject)).toBe(1);
    expect(await holdsTenantData(subject)).toBe(true);
    const ended = await stack.world.backend.database.reclamation.findFirstOrThrow({ where: { instanceId } });
    expect(ended).toMatchObject({
      outcome: "abandoned",
      message:
        "not conforming: automated cleaning is off for this host; the host was released and not cleaned",
    });
    const gates = await gatesOf(subject);
    for (const gate of ["cleanupCompleted", "storageSanitized", "memoryOverwritten"])
      expect(gates.get(gate)).toMatchObject({
        status: "unsatisfied",
        reason: expect.stringContaining("automated cleaning is off"),
      });
    await provide(stack, [subject.hostId]);
    await becomesReady(subject);
  });
});

describe.concurrent("hardware that changes while a plan runs", { timeout: 480_000 }, () => {
  it("so that a drive of a later step is gone stops the host", async () => {
    const subject = take("lenovo");
    const instanceId = await used(subject);
    await stack.fleet.fault(subject.machine.serial, { memoryOverwrite: { fails: true } });
    await perform(stack, "provider-admin", saveOverride, {
      ...onHost(subject, "verify_mem_overwrite"),
      priority: 98,
    });
    await release(stack, [instanceId]);
    await waitForState(stack, subject.hostId, "Failed/MemOverwriteFailed");
    const serial = subject.machine.drives.find((drive) => drive.media === "nvme")?.serial ?? "";
    await stack.fleet.heal(subject.machine.serial);
    await stack.fleet.fault(subject.machine.serial, { drives: { [serial]: { vanish: true } } });
    await perform(stack, "operator", retryReclamation, { hostId: subject.hostId });
    const stopped = await waitForState(stack, subject.hostId, "Failed/DeviceMissing");
    expect(stopped.last_error).toContain(serial);
    expect(await debts(subject)).toBe(1);
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", retryReclamation, { hostId: subject.hostId });
    await becomesReady(subject);
  });
});

describe("the BMC's own steps", () => {
  /** Gives one host its own SKU with this baseline. */
  const wants = ({ hostId }: FreeHost, baseline: object) => requireBaseline(stack, hostId, baseline);

  it(
    "run between and after the agent's, restart the host where they must, and bring it to Ready",
    { timeout: 480_000 },
    async () => {
      const subject = take("dell");
      const instanceId = await used(subject);
      await wants(subject, { bios: { LogicalProc: "Disabled" }, lockdown: true });
      await release(stack, [instanceId]);
      await becomesReady(subject);
      const runs = await planOf(subject);
      expect(runs.map(({ status }) => status)).toEqual(runs.map(() => "succeeded"));
      expect(runs.map(({ step }) => step)).toEqual(
        expect.arrayContaining(["bios.recommit", "management.lock_bmc"]),
      );
      expect(runs.find(({ step }) => step === "bios.recommit")?.message).toContain("LogicalProc");
      const { rows } = await stack.pool.query<{ state: string }>(
        "SELECT state FROM state_history WHERE reclamation_id = (SELECT reclamation_id FROM host_run WHERE host_id = $1) ORDER BY version",
        [subject.hostId],
      );
      const states = rows.map(({ state }) => state);
      // The settings take effect at a restart ordered for them.
      expect(states.slice(states.indexOf("WaitingForCleanup/PlatformCleanup"))).toEqual(
        expect.arrayContaining(["WaitingForCleanup/PlatformCleanup", "WaitingForCleanup/BootingAgent"]),
      );
      expect((await stack.fleet.sums()).resetsDuringErase).toBe(0);
    },
  );

  it(
    "that hang end with their time limit, and the host stays on, held back, with its debt",
    { timeout: 480_000 },
    async () => {
      const subject = take("dell");
      const instanceId = await used(subject);
      await wants(subject, { bios: { LogicalProc: "Disabled" } });
      await stack.setPolicy({ times: { jobPollMs: 200, otherStepMs: 5_000 } });
      await stack.fleet.fault(subject.machine.serial, { jobs: { hangs: true } });
      await release(stack, [instanceId]);
      const stopped = await waitForState(stack, subject.hostId, "Failed/StepTimeout");
      expect(stopped.last_error).toMatch(/^[a-z]+\.[a-z_]+ did not finish within/);
      expect((await stack.fleet.machine(subject.machine.serial)).power).toBe("On");
      expect(await hostRow(stack, subject.hostId)).toMatchObject({
        maintenance: true,
        maintenance_by: "failure",
        allocatable: false,
      });
      expect(await debts(subject)).toBe(1);
      expect((await planOf(subject)).filter(({ status }) => status === "failed")).toHaveLength(1);
      await stack.setPolicy({ times: { jobPollMs: 200 } });
    },
  );

  it(
    "that find what they cannot mend stop the host after the last attempt, with the BMC's own finding",
    { timeout: 480_000 },
    async () => {
      const subject = take("generic");
      const instanceId = await used(subject);
      await wants(subject, { firmware: [{ component: "no such component", version: "1" }] });
      await release(stack, [instanceId]);
      const stopped = await waitForState(stack, subject.hostId, "Failed/PlatformCleanFailed");
      expect(stopped.last_error).toMatch(/no such component/);
      expect((await planOf(subject)).find(({ step }) => step === "firmware.verify_baseline")).toMatchObject({
        status: "failed",
        attempt: 5,
      });
      expect(await debts(subject)).toBe(1);
    },
  );
});
