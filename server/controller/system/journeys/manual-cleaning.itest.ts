// Manual cleaning on the simulated fleet: a list with a hold and a restart, a change of hardware managers, an agent that dies during an erase, and
// Ironic's agent (docs/cleaning.md#manual-cleaning).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signalHosts } from "@/server/db/hot/signal";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { clean as cleanByHand, perform, provide, skuOf } from "@/server/testing/acts";
import type { Faults } from "@/server/testing/fleet-control";
import { manageAll, type FreeHost, type FreeHosts } from "@/server/testing/free-hosts";
import { hostRow, untilFound, waitForState } from "@/server/testing/hosts";
import { runGuest } from "@/server/controller/system/testing/ironic-guest";
import { historyProblems, leftovers } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";

const limitMs = 300_000;
/**
 * If an agent dies during an erase without an estimate, nothing is restarted until its time limit has passed; its silence is known earlier
 * (docs/adr/0022-durations-travel.md).
 */
const times = { agentFreshMs: 13_000, agentSilenceMs: 15_000, eraseStepMs: 40_000 };
const by = { personId: null, name: "ann", requestId: "by-hand" };

let stack: Stack;
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts: 7, speed: 1_000, leaseMs: 20_000, policy: { times } });
  free = await manageAll(stack);
}, 480_000);
afterAll(() => stack?.stop());

const take = () => free.take(({ drives }) => drives.some(({ media }) => media === "nvme"));

const step = (name: string, args: ManualStep["args"] = {}, of = "power"): ManualStep => ({
  interface: of,
  step: name,
  args,
});
const memory = step("verify_mem_overwrite", {}, "deploy");
const erase = step("erase_nvme", {}, "deploy");
const clean = (hostId: string, ...steps: readonly ManualStep[]): Promise<void> =>
  cleanByHand(stack, hostId, steps);

async function isCleaned(hostId: string): Promise<void> {
  await waitForState(stack, hostId, "Manageable", limitMs);
  const { rows } = await stack.pool.query(
    "SELECT kind, outcome FROM reclamation WHERE host_id = $1 ORDER BY started_at DESC LIMIT 1",
    [hostId],
  );
  expect(rows).toEqual([{ kind: "manualCleaning", outcome: "cleaned" }]);
  expect(await historyProblems(stack, [hostId])).toEqual([]);
  expect(await leftovers(stack, [hostId])).toEqual([]);
}

describe.concurrent("a list made by hand", { timeout: 480_000 }, () => {
  it("holds until its own expiry, restarts into the agent, and ends in Manageable with the debt still owed", async () => {
    const { hostId, machine } = take();
    const debt = {
      id: randomUUID(),
      chassisSerial: machine.serial,
      driveSerials: machine.drives.map(({ serial }) => serial),
    };
    await stack.world.backend.database.debt.create({ data: debt });
    await clean(
      hostId,
      memory,
      step("hold", { seconds: 2, reason: "look at the fans" }),
      step("reboot"),
      erase,
      step("wait", { seconds: 1 }),
    );
    await isCleaned(hostId);
    const { rows } = await stack.pool.query<{ state: string; reason: string }>(
      "SELECT state, reason FROM state_history WHERE host_id = $1 AND (state = 'ManualCleaning/OnHold' OR reason LIKE 'the hold of%') ORDER BY version",
      [hostId],
    );
    expect(rows.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^held by the step power\.hold until .*: look at the fans$/),
      "the hold of the step power.hold expired",
    ]);
    // One boot for the first step, and another one for the restart.
    expect((await hostRow(stack, hostId)).boot_epoch).toBe(2);
    const steps = await stack.pool.query(
      "SELECT step, status FROM step_run WHERE host_id = $1 ORDER BY position",
      [hostId],
    );
    expect(steps.rows).toEqual(
      ["verify_mem_overwrite", "hold", "reboot", "erase_nvme", "wait"].map((name) => ({
        step: name,
        status: "succeeded",
      })),
    );
    expect(
      await stack.world.backend.database.debt.findUnique({
        where: { id: debt.id },
        select: { clearedAt: true },
      }),
    ).toEqual({ clearedAt: null });
  });

  it("switches the host off and on, and boots an agent anew for the step after it", async () => {
    const { hostId, machine } = take();
    await clean(
      hostId,
      memory,
      step("power_off"),
      step("hold", { seconds: 3_600 }),
      step("power_on", {}, "management"),
      memory,
    );
    await waitForState(stack, hostId, "ManualCleaning/OnHold", limitMs);
    expect((await stack.fleet.machine(machine.serial)).power).toBe("Off");
    await signalHosts(stack.pool, [{ hostId, kind: "resume", payload: { by } }]);
    await isCleaned(hostId);
    expect((await stack.fleet.machine(machine.serial)).power).toBe("On");
    const { rows } = await stack.pool.query<{ reason: string }>(
      "SELECT reason FROM state_history WHERE host_id = $1 ORDER BY version",
      [hostId],
    );
    const story = rows.map(({ reason }) => reason).join("; ");
    expect((await hostRow(stack, hostId)).boot_epoch, story).toBe(2);
  });

  it("goes on with an agent that has other hardware managers", async () => {
    const { hostId, machine } = take();
    await clean(hostId, memory, step("hold", { seconds: 3_600 }), step("reboot"), memory);
    await waitForState(stack, hostId, "ManualCleaning/OnHold", limitMs);
    await stack.fleet.fault(machine.serial, { agent: { oldVersion: true } });
    await signalHosts(stack.pool, [{ hostId, kind: "resume", payload: { by } }]);
    await isCleaned(hostId);
    const { rows } = await stack.pool.query(
      "SELECT plan -> 'managers' -> 0 ->> 'version' AS version FROM reclamation WHERE host_id = $1",
      [hostId],
    );
    expect(rows).toEqual([{ version: "0" }]);
  });

  it("has a successor of an agent that dies in an erase join it: no command is sent twice without a look at the status", async () => {
    const { hostId, machine } = take();
    await stack.fleet.fault(machine.serial, { agent: { crashDuring: "erase_nvme" } });
    await clean(hostId, erase);
    await isCleaned(hostId);
    const { rows } = await stack.pool.query<{ verdict: string; events: { serial: string; event: string }[] }>(
      "SELECT a.verdict, a.journal AS events FROM step_attempt a JOIN step_run t ON t.id = a.step_run_id WHERE t.host_id = $1 ORDER BY a.attempt",
      [hostId],
    );
    expect(rows.map(({ verdict }) => verdict)).toEqual(["lost", "succeeded"]);
    for (const { serial } of machine.drives) {
      const events = rows
        .flatMap((row) => row.events.filter((event) => event.serial === serial).map(({ event }) => event))
        .join(" ");
      expect(events.replace(/about-to-send (sent )?/g, "S ")).not.toMatch(/S S/);
    }
    expect((await stack.fleet.machine(machine.serial)).counters).toMatchObject({
      agentCrashes: 1,
      resetsDuringErase: 0,
    });
  });
});

describe.concurrent(
  "an automated plan whose agent comes back with other hardware managers",
  { timeout: 480_000 },
  () => {
    /** Begins a plan that stops in a hold after the erases. */
    async function begin(hostId: string): Promise<void> {
      await stack.world.backend.database.stepOverride.create({
        data: { scope: "host", scopeId: hostId, interface: "power", step: "hold", priority: 87 },
      });
      await provide(stack, [hostId]);
    }

    const reaches = (hostId: string, planEpoch: number) =>
      until(`the hold of plan ${planEpoch}`, limitMs, async () => {
        const { rows } = await stack.pool.query<{ state: string; plan: number | null }>(
          "SELECT r.state, c.plan_epoch AS plan FROM host_run r LEFT JOIN reclamation c ON c.id = r.reclamation_id WHERE r.host_id = $1",
          [hostId],
        );
        const [row] = rows;
        return (
          (row?.plan === planEpoch && row.state === "WaitingForCleanup/OnHold") || JSON.stringify(row ?? null)
        );
      });

    /** During the hold the agent is lost, and another version registers. */
    async function changes({ hostId, machine }: FreeHost, agent: Faults["agent"] & object) {
      await stack.fleet.fault(machine.serial, { agent });
      await stack.fleet.crashAgent(machine.serial);
      await untilFound(
        stack,
        "the agent to be silent",
        hostId,
        "SELECT 1 FROM agent_session g JOIN host_run r ON r.host_id = g.host_id AND r.boot_epoch = g.boot_epoch WHERE g.host_id = $1 AND g.last_seen_at < now() - interval '14 s'",
      );
      await signalHosts(stack.pool, [{ hostId, kind: "resume", payload: { by } }]);
    }

    it("stops where that agent is too old to record what the drives hold (docs/adr/0021-content-fingerprints.md)", async () => {
      const subject = take();
      const { hostId } = subject;
      await begin(hostId);
      await reaches(hostId, 1);
      await changes(subject, { oldVersion: true });
      const failed = await waitForState(stack, hostId, "Failed/AgentVersionMismatch", limitMs);
      expect(failed.last_error).toMatch(/cannot record the content of a drive/);
      await perform(stack, "provider-admin", deleteHost, { hostId });
    });

    it("is begun again once by itself, and stops when they change once more", async () => {
      const subject = take();
      const { hostId } = subject;
      await begin(hostId);
      await reaches(hostId, 1);
      await changes(subject, { newVersion: true });
      await reaches(hostId, 2);
      const { rows } = await stack.pool.query(
        "SELECT c.plan -> 'managers' -> 0 ->> 'version' AS version FROM reclamation c JOIN host_run r ON r.reclamation_id = c.id WHERE r.host_id = $1",
        [hostId],
      );
      expect(rows).toEqual([{ version: "99" }]);
      await changes(subject, { newVersion: false });
      const failed = await waitForState(stack, hostId, "Failed/AgentVersionMismatch", limitMs);
      expect(failed.last_error).toMatch(
        /the agent came back with reclaim \d+; the plan was made with reclaim 99, and was already restarted once/,
      );
      expect(await historyProblems(stack, [hostId])).toEqual([]);
      await perform(stack, "provider-admin", deleteHost, { hostId });
    });
  },
);

// Must be last: from here on the site's hosts boot that image, and no plan is made without its step.
it("Ironic's agent performs a step that the site requires, by hand and in a plan that asks nothing else of it; the gates say what it does not prove", async () => {
  const { hostId, machine } = take();
  await stack.pool.query(
    "INSERT INTO agent_image (id, site_id, version, url, kind, status, stage) SELECT $1, id, '9.1', 'http://images.test/ipa', 'ironic', 'current', 'all' FROM site",
    [randomUUID()],
  );
  await stack.setPolicy({ times, requiredSteps: ["deploy.scrub_nic"], validationTests: [] });
  await stack.fleet.fault(machine.serial, { agent: { neverRegister: true } });
  const guest = await runGuest(`http://127.0.0.1:${stack.controllers[0]?.port}`, machine);
  try {
    const performs = (count: number) =>
      until(`step ${count} of Ironic's agent`, limitMs, async () => {
        const steps = guest.agent.told.filter(({ name }) => name === "clean.execute_clean_step");
        if (steps.length < count)
          return `${steps.length} were begun, in ${(await hostRow(stack, hostId)).state}`;
        guest.agent.end("SUCCEEDED", { clean_result: "scrubbed" });
        return true;
      });
    // Its steps are known after its first boot.
    await clean(hostId, step("reboot"));
    const session = "SELECT 1 FROM agent_session WHERE host_id = $1";
    await untilFound(stack, "Ironic's agent to be registered", hostId, session);
    await waitForState(stack, hostId, "Manageable", limitMs);
    await clean(hostId, step("scrub_nic", {}, "deploy"));
    await performs(1);
    await isCleaned(hostId);

    // A SKU made from that agent's inventory, which reports no InfiniBand.
    const skuId = await skuOf(stack, { ...machine, sku: "guest", infiniband: [] });
    await stack.world.backend.database.host.update({ where: { id: hostId }, data: { skuId } });
    for (const name of ["erase_nvme", "erase_disks", "erase_raid_kit", "verify_mem_overwrite"].concat(
      "reset_infiniband",
      "clear_tpm",
    ))
      await stack.world.backend.database.stepOverride.create({
        data: { scope: "host", scopeId: hostId, interface: "deploy", step: name, priority: 0 },
      });
    await provide(stack, [hostId]);
    await performs(2);
    const failed = await waitForState(stack, hostId, "Failed/GateUnsatisfied", limitMs);
    expect(failed.last_error).toBe(
      "The host is not proven: infinibandClean: Ironic's agent reports no InfiniBand device, also where there is one: boot Reclaim's image.",
    );
    const { rows } = await stack.pool.query<{ gate: string; status: string; reason: string }>(
      "SELECT g.gate, g.status, g.reason FROM gate g JOIN host_run r ON r.reclamation_id = g.reclamation_id WHERE r.host_id = $1",
      [hostId],
    );
    const said = new Map(rows.map(({ gate, status, reason }) => [gate, `${status}: ${reason}`]));
    expect([
      said.get("cleanupCompleted"),
      said.get("storageSanitized"),
      said.get("inventoryMatches"),
    ]).toEqual([
      "satisfied: its step succeeded",
      expect.stringMatching(/^waived: deploy.erase_nvme disabled by host override \(/),
      "satisfied: matches guest",
    ]);
  } finally {
    await guest.stop();
  }
}, 480_000);
