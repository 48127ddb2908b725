// Every way in which a release can go wrong, on the simulated fleet: a host that is not proven clean never becomes Ready
// (docs/design/sanitization.md#fail-closed; docs/lifecycle.md#failed).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { State } from "@/server/domain/lifecycle/states";
import { assign, enroll, manage, onboard, perform, provide, release } from "@/server/testing/acts";
import type { Faults, Machine, MachineState } from "@/server/testing/fleet-control";
import { hostRow, untilFound, waitForState } from "@/server/testing/hosts";
import { FreeHosts, type FreeHost } from "@/server/testing/free-hosts";
import { historyProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";

const hosts = 40;
/**
 * If an agent dies during an erase without an estimate, nothing is restarted until this has passed; its silence is known earlier
 * (docs/adr/0022-durations-travel.md).
 */
const times = { eraseStepMs: 45_000 };
let stack: Stack;
/** Every host has a tenant when the tests begin. */
const instances = new Map<string, string>();
let free: FreeHosts;
/** Machines that somebody restarted without the controller. */
const disturbed = new Set<string>();

beforeAll(async () => {
  stack = await startStack({ hosts, speed: 1_000, leaseMs: 20_000 });
  const ids = await onboard(stack, stack.machines);
  // All machines at once work for longer than the limits of the tests allow on a slow machine, so these apply from here on.
  await stack.setPolicy({ times });
  const made = await assign(stack, ids);
  ids.forEach((hostId, index) => instances.set(hostId, made[index] ?? ""));
  free = new FreeHosts(stack.machines, ids);
});
afterAll(() => stack?.stop());

interface Case extends FreeHost {
  readonly instanceId: string;
}

/** Takes a machine for one test alone. */
function take(vendor: Machine["vendor"]): Case {
  const taken = free.take((machine) => machine.vendor === vendor);
  return { ...taken, instanceId: instances.get(taken.hostId) ?? "" };
}

async function releasedWith(vendor: Machine["vendor"], faults: (machine: Machine) => Faults): Promise<Case> {
  const subject = take(vendor);
  await stack.fleet.fault(subject.machine.serial, faults(subject.machine));
  await release(stack, [subject.instanceId]);
  return subject;
}

async function openDebts(machine: Machine): Promise<number> {
  return stack.world.backend.database.debt.count({
    where: { chassisSerial: machine.serial, clearedAt: null },
  });
}

const countOf = (rows: readonly object[]): number => rows.length;

/** How often the host became Ready since the release. */
async function timesReady(hostId: string): Promise<number> {
  return countOf(
    (
      await stack.pool.query(
        "SELECT 1 FROM state_history h JOIN instance n ON n.host_id = h.host_id AND h.at > n.release_requested_at WHERE h.host_id = $1 AND h.state = 'Ready'",
        [hostId],
      )
    ).rows,
  );
}

async function retry(hostId: string): Promise<void> {
  await perform(stack, "operator", retryReclamation, { hostId });
}

/** Checks what holds for every host whose cleaning failed: out of allocation, in maintenance by the failure, with its debt, and powered on. */
async function isHeldBack({ hostId, machine }: Case): Promise<MachineState> {
  expect(await hostRow(stack, hostId)).toMatchObject({
    allocatable: false,
    maintenance: true,
    maintenance_by: "failure",
  });
  expect(await openDebts(machine)).toBe(1);
  expect(await timesReady(hostId)).toBe(0);
  const now = await stack.fleet.machine(machine.serial);
  expect(now.power).toBe("On");
  return now;
}

async function becomesReady({ hostId, machine }: Case): Promise<void> {
  await waitForState(stack, hostId, "Ready");
  expect(await hostRow(stack, hostId)).toMatchObject({ allocatable: true, maintenance: false });
  expect(await openDebts(machine)).toBe(0);
  expect((await stack.fleet.machine(machine.serial)).holdsTenantData).toBe(false);
  expect(await historyProblems(stack, [hostId])).toEqual([]);
}

const serialOf = (machine: Machine, media: "nvme" | "ssd" | "hdd"): string =>
  machine.drives.find((drive) => drive.media === media)?.serial ?? "";
const nvmeOf = (machine: Machine) => machine.drives.filter(({ media }) => media === "nvme");
const drive = (serial: string, fault: object): Faults => ({ drives: { [serial]: fault } });

describe.concurrent("a drive", { timeout: 480_000 }, () => {
  it("that fails its erase fails the host, by name, and a retry after the repair makes it Ready", async () => {
    const subject = await releasedWith("dell", (machine) =>
      drive(serialOf(machine, "nvme"), { failErase: true }),
    );
    const serial = serialOf(subject.machine, "nvme");
    const failed = await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    expect(failed.last_error).toContain(serial);
    await isHeldBack(subject);
    const claimed = await claimHost(
      stack.world.backend,
      stack.world.actor("repair-tenant-admin"),
      stack.world.request(),
      { name: "too-early", wanted: { hostId: subject.hostId } },
    );
    expect(claimed).toMatchObject({ ok: false, problem: { code: "conflict" } });
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });

  it("that failed is not washed by manage and provide", async () => {
    const subject = await releasedWith("lenovo", (machine) =>
      drive(serialOf(machine, "nvme"), { failErase: true }),
    );
    await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    await perform(stack, "operator", manageHost, { hostId: subject.hostId });
    await waitForState(stack, subject.hostId, "Manageable");
    expect(await openDebts(subject.machine)).toBe(1);
    await provide(stack, [subject.hostId]);
    await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    await isHeldBack(subject);
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", restartReclamation, { hostId: subject.hostId });
    await becomesReady(subject);
  });

  it("that failed is not washed by deleting its host and enrolling it again", async () => {
    const subject = await releasedWith("lenovo", (machine) =>
      drive(serialOf(machine, "nvme"), { failErase: true }),
    );
    await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    await perform(stack, "provider-admin", deleteHost, { hostId: subject.hostId });
    await until(
      "the host to be gone",
      30_000,
      async () => (await stack.world.backend.database.host.count({ where: { id: subject.hostId } })) === 0,
    );
    expect(await openDebts(subject.machine)).toBe(1);
    const [again = ""] = await enroll(stack, [subject.machine]);
    await manage(stack, [again]);
    await provide(stack, [again]);
    await waitForState(stack, again, "Failed/NVMECleanFailed");
    await isHeldBack({ ...subject, hostId: again });
    await stack.fleet.heal(subject.machine.serial);
    await retry(again);
    await becomesReady({ ...subject, hostId: again });
  });

  it("that keeps its bytes and reports success is found out", async () => {
    const subject = await releasedWith("dell", (machine) =>
      drive(serialOf(machine, "nvme"), { lieErase: true }),
    );
    const failed = await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed");
    expect(failed.last_error).toContain(serialOf(subject.machine, "nvme"));
    expect(failed.last_error).toMatch(/still there/);
    expect((await isHeldBack(subject)).holdsTenantData).toBe(true);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });

  it.each(["ssd", "hdd"] as const)("of media %s that fails is HDDCleanFailed", async (media) => {
    const subject = await releasedWith("generic", (machine) =>
      drive(serialOf(machine, media), { failErase: true }),
    );
    const failed = await waitForState(stack, subject.hostId, "Failed/HDDCleanFailed");
    expect(failed.last_error).toContain(serialOf(subject.machine, media));
    await isHeldBack(subject);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });

  it("that hangs is given up by its lack of progress", async () => {
    const subject = await releasedWith("lenovo", (machine) =>
      drive(serialOf(machine, "nvme"), { hangErase: true }),
    );
    const failed = await waitForState(stack, subject.hostId, "Failed/NVMECleanFailed", 90_000);
    expect(failed.last_error).toMatch(/no progress/);
    await isHeldBack(subject);
  });

  it("that is not seen any more is missing, and counts again when it is back", async () => {
    const subject = await releasedWith("dell", (machine) =>
      drive(serialOf(machine, "nvme"), { vanish: true }),
    );
    const failed = await waitForState(stack, subject.hostId, "Failed/DeviceMissing");
    expect(failed.last_error).toContain(serialOf(subject.machine, "nvme"));
    expect(await timesReady(subject.hostId)).toBe(0);
    expect(await openDebts(subject.machine)).toBe(1);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });

  it("that was swapped for another does not go unnoticed", async () => {
    const subject = await releasedWith("dell", (machine) =>
      drive(serialOf(machine, "nvme"), { replace: true }),
    );
    const failed = await waitForState(stack, subject.hostId, "Failed/DeviceMissing");
    expect(failed.last_error).toContain(serialOf(subject.machine, "nvme"));
    expect(await timesReady(subject.hostId)).toBe(0);
  });
});

describe.concurrent("an agent", { timeout: 480_000 }, () => {
  it.each([
    ["fewerDevices", "lenovo"],
    ["okWithoutDevices", "lenovo"],
  ] as const)("that reports OK with %s does not prove anything", async (fault, vendor) => {
    const subject = await releasedWith(vendor, () => ({ agent: { [fault]: true } }));
    const failed = await waitForState(stack, subject.hostId, "Failed/DeviceMissing");
    expect(failed.last_error).toContain(subject.machine.drives.at(-1)?.serial ?? "none");
    await isHeldBack(subject);
    await stack.fleet.heal(subject.machine.serial);
    await perform(stack, "operator", restartReclamation, { hostId: subject.hostId });
    await becomesReady(subject);
  });

  it("that dies in an erase has a successor that reads the status before it sends anything", async () => {
    const subject = await releasedWith("lenovo", () => ({ agent: { crashDuring: "erase_nvme" } }));
    await becomesReady(subject);
    const now = await stack.fleet.machine(subject.machine.serial);
    expect(now.counters.agentCrashes).toBe(1);
    expect(now.counters.resetsDuringErase).toBe(0);
    const { rows } = await stack.pool.query<{
      attempt: number;
      verdict: string;
      events: { serial: string; event: string }[];
    }>(
      `SELECT a.attempt, a.verdict, a.journal AS events FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id JOIN reclamation c ON c.id = t.reclamation_id
       WHERE c.instance_id = $1 AND t.step = 'erase_nvme' ORDER BY a.attempt`,
      [subject.instanceId],
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual(["lost", "succeeded"]);
    for (const { serial } of subject.machine.drives) {
      const events = rows.flatMap((row) =>
        row.events.filter((event) => event.serial === serial).map(({ event }) => event),
      );
      // Between two commands the status is always read.
      expect(events.join(" ")).not.toMatch(
        /\b(about-to-send|sent) (?:about-to-send )?sent\b.*\babout-to-send sent\b/,
      );
      expect(events.join(" ").replace(/about-to-send (sent )?/g, "S ")).not.toMatch(/S S/);
    }
    const erased = now.drives.map(({ acceptedErases }) => acceptedErases);
    // Once when it was provided and once now: the erase sent before the crash was joined.
    expect(erased).toEqual(erased.map(() => 2));
  });
});

describe.concurrent("an agent that dies in a sanitize", { timeout: 480_000 }, () => {
  it("has a successor while the drives still sanitize: the host is reset for it, and never switched off", async () => {
    const subject = await releasedWith("dell", (machine) => ({
      drives: Object.fromEntries(nvmeOf(machine).map(({ serial }) => [serial, { hangErase: true }])),
    }));
    const { hostId, machine } = subject;
    await untilFound(
      stack,
      "a command to every drive",
      hostId,
      `SELECT 1 FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id, jsonb_array_elements(a.journal) e
        WHERE t.host_id = $1 AND t.step = 'erase_nvme' AND t.status = 'running' AND e ->> 'event' = 'sent'
        HAVING count(DISTINCT e ->> 'serial') = ${nvmeOf(machine).length}`,
    );
    expect(await stack.fleet.crashAgent(machine.serial)).toBe(true);
    // As if the drives had said that they need two hours: nothing but a reset into the sanitize goes on before that.
    await stack.pool.query(
      `WITH t AS (UPDATE step_run SET deadline_at = now() + interval '2 h' WHERE host_id = $1 AND step = 'erase_nvme' AND status = 'running' RETURNING id)
       UPDATE step_attempt a SET progress_at = now() + interval '2 h', erase_ends =
         (SELECT jsonb_object_agg(d, extract(epoch FROM now() + interval '2 h') * 1000) FROM jsonb_object_keys(a.erase_ends) d)
       FROM t WHERE a.step_run_id = t.id`,
      [hostId],
    );
    await until("a reset during the sanitize", 120_000, async () => {
      const { powerActions } = (await stack.fleet.machine(machine.serial)).counters;
      return powerActions.some(({ duringSanitize }) => duringSanitize) || `${powerActions.length} actions`;
    });
    await stack.fleet.heal(machine.serial);
    await becomesReady(subject);
    const { counters, drives } = await stack.fleet.machine(machine.serial);
    expect(counters).toMatchObject({ agentCrashes: 1, resetsDuringErase: 0 });
    // Once when it was provided and once now: the successor joined what it found.
    expect(drives.filter(({ media }) => media === "nvme").map((each) => each.acceptedErases)).toEqual(
      nvmeOf(machine).map(() => 2),
    );
  });
});

describe.concurrent("a step that proves something else", { timeout: 480_000 }, () => {
  it.each([
    ["memory overwrite", "Failed/MemOverwriteFailed", { memoryOverwrite: { fails: true } }],
    ["InfiniBand", "Failed/IbCleanFailed", { infiniband: { stuck: true } }],
  ] as const)("%s fails as %s", async (_name, state, faults) => {
    const subject = await releasedWith("lenovo", () => faults);
    await waitForState(stack, subject.hostId, state satisfies State);
    await isHeldBack(subject);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });

  it("validation fails as MachineValidation, with the host's debt", async () => {
    const subject = await releasedWith("dell", () => ({ validation: { fails: true } }));
    const failed = await waitForState(stack, subject.hostId, "Failed/MachineValidation");
    expect(failed.allocatable).toBe(false);
    expect(failed.last_error).toMatch(/memory-pattern/);
    expect(await timesReady(subject.hostId)).toBe(0);
    expect(await openDebts(subject.machine)).toBe(1);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });
});

describe.concurrent("a BMC", { timeout: 480_000 }, () => {
  it.each(["error5xx", "garbage", "close"] as const)(
    "that answers with %s during a release is tried again, and the host goes on by itself",
    async (mode) => {
      const subject = await releasedWith("dell", () => ({ bmc: { mode } }));
      await until("the BMC to be tried again", 60_000, async () => {
        const { wait_reason, last_error, state } = await hostRow(stack, subject.hostId);
        return (
          /failed \d+ times/.test(wait_reason ?? "") ||
          state === "Failed/BmcUnreachable" ||
          `${state}: ${wait_reason}; ${last_error}`
        );
      });
      await stack.fleet.heal(subject.machine.serial);
      await becomesReady(subject);
    },
  );

  it("that is unreachable for long fails the host, which goes on by itself when it answers", async () => {
    const subject = await releasedWith("lenovo", () => ({ bmc: { mode: "close" } }));
    const failed = await waitForState(stack, subject.hostId, "Failed/BmcUnreachable");
    expect(failed.last_error).toMatch(/^The BMC does not respond; \d+ tries in a row failed\.$/);
    const asked = async () => (await stack.fleet.machine(subject.machine.serial)).counters.redfishRequests;
    const before = await asked();
    await until("the BMC to be asked twice more", 60_000, async () => {
      const more = (await asked()) - before;
      return more >= 2 || `${more} requests`;
    });
    expect((await hostRow(stack, subject.hostId)).state).toBe("Failed/BmcUnreachable");
    await stack.fleet.heal(subject.machine.serial);
    await becomesReady(subject);
  });

  it("that is silent during a release holds up no one else, and the host goes on by itself", async () => {
    const subject = await releasedWith("dell", () => ({ bmc: { mode: "silent" } }));
    const other = await releasedWith("dell", () => ({}));
    await becomesReady(other);
    expect(await timesReady(subject.hostId)).toBe(0);
    await stack.fleet.heal(subject.machine.serial);
    await becomesReady(subject);
  });

  it("that says yes and does nothing is found out", async () => {
    const subject = await releasedWith("dell", () => ({ bmc: { mode: "acceptAndIgnore" } }));
    await until("the boot source to be read back", 60_000, async () =>
      /but after|boot override reads/.test((await hostRow(stack, subject.hostId)).last_error ?? ""),
    );
    await stack.fleet.heal(subject.machine.serial);
    await becomesReady(subject);
  });

  it("that forgets sessions is signed in to again", async () => {
    await becomesReady(await releasedWith("lenovo", () => ({ bmc: { mode: "loseSession", requests: 1 } })));
  });

  it("by which somebody restarts the host in the middle of cleaning costs one attempt", async () => {
    const subject = await releasedWith("generic", () => ({}));
    const { rows } = await stack.pool.query<{ action: string }>(
      "SELECT bmc_links ->> 'resetAction' AS action FROM host WHERE id = $1",
      [subject.hostId],
    );
    await waitForState(stack, subject.hostId, "WaitingForCleanup/HostCleanup");
    await stack.fleet.pastTheController(subject.machine, stack.bmcPassword, rows[0]?.action ?? "", {
      ResetType: "ForceRestart",
    });
    await becomesReady(subject);
    const attempts = await stack.pool.query(
      "SELECT 1 FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id JOIN reclamation c ON c.id = t.reclamation_id WHERE c.instance_id = $1 AND a.verdict = 'lost'",
      [subject.instanceId],
    );
    expect(attempts.rowCount).toBe(1);
    disturbed.add(subject.machine.serial);
  });
});

// These two change the site's policy for every release that begins meanwhile, so they do not run beside others.
describe("an agent that never registers", () => {
  it("is restarted by the rule, and gives up to a person", async () => {
    await stack.setPolicy({ times: { ...times, failureRetryMs: 1_000, maxBoots: 5 } });
    const subject = await releasedWith("dell", () => ({ agent: { neverRegister: true } }));
    await waitForState(stack, subject.hostId, "Assigned/BootingWithDiscoveryImage");
    await stack.setPolicy({ times });
    const before = (await stack.fleet.machine(subject.machine.serial)).counters.powerActions.length;
    const failed = await waitForState(stack, subject.hostId, "Failed/ManualInterventionRequired");
    expect(failed.last_error).toMatch(/^The BMC restarted the host 5 times, and no agent registered/);
    const { counters } = await stack.fleet.machine(subject.machine.serial);
    const boots = counters.powerActions.slice(before - 1).map(({ action }) => action);
    expect(boots.filter((action) => action === "ForceRestart").length).toBeGreaterThanOrEqual(3);
    expect(boots.some((action) => action === "PowerCycle" || action === "ForceOff")).toBe(true);
    await stack.fleet.heal(subject.machine.serial);
    await retry(subject.hostId);
    await becomesReady(subject);
  });
});

describe("a DPU that never acknowledges", () => {
  it("holds the release up until the ports are quarantined: the tenant's instance ends, the host's debt stays", async () => {
    await stack.setPolicy({ times: { ...times, instanceEndTimeoutMs: 4_000 } });
    const subject = await releasedWith("lenovo", () => ({ network: { neverAck: true } }));
    await waitForState(stack, subject.hostId, "Assigned/WaitingForNetworkReconfig");
    await stack.setPolicy({ times });
    const failed = await waitForState(stack, subject.hostId, "Failed/NetworkReconfigTimeout");
    expect(failed).toMatchObject({ allocatable: false });
    expect((await stack.fleet.machine(subject.machine.serial)).network).toBe("quarantine");
    const instance = await stack.world.backend.database.instance.findUniqueOrThrow({
      where: { id: subject.instanceId },
      include: { resources: true },
    });
    expect(instance.endedAt).not.toBeNull();
    expect(instance.resources.filter(({ releasedAt }) => releasedAt === null)).toEqual([]);
    expect(await openDebts(subject.machine)).toBe(1);
    expect(await timesReady(subject.hostId)).toBe(0);
    await retry(subject.hostId);
    await waitForState(stack, subject.hostId, "Assigned/WaitingForNetworkReconfig");
    await stack.fleet.heal(subject.machine.serial);
    await becomesReady(subject);
  });
});

it("no machine was reset by us while it erased", async () => {
  const machines = await Promise.all(
    stack.machines
      .filter(({ serial }) => !disturbed.has(serial))
      .map(({ serial }) => stack.fleet.machine(serial)),
  );
  const resets = machines.flatMap(({ serial, counters }) =>
    counters.powerActions.filter(({ duringErase }) => duringErase).map(({ action }) => `${serial} ${action}`),
  );
  expect(resets).toEqual([]);
});
