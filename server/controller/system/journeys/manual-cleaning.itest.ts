// Cleaning by hand on the simulated fleet: a list with a hold and a restart, a change of hardware managers, an agent that dies in an erase (docs/cleaning.md#manual-cleaning).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signalHosts } from "@/server/db/hot/signal";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import { clean as cleanByHand, perform, provide } from "@/server/testing/acts";
import type { Faults } from "@/server/testing/fleet-control";
import { manageAll, type FreeHost, type FreeHosts } from "@/server/testing/free-hosts";
import { hostRow, untilFound, waitForState } from "@/server/testing/hosts";
import { historyProblems, leftovers } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";

const limitMs = 120_000;
/** After the death of an agent in an erase that gave no estimate, nothing is restarted before its time limit has passed; its silence is known before (docs/adr/0030-signs-of-life.md). */
const times = { agentFreshMs: 13_000, agentSilenceMs: 15_000, eraseStepMs: 40_000 };
const by = { personId: null, name: "ann", requestId: "by-hand" };

let stack: Stack;
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts: 6, speed: 1_000, leaseMs: 20_000, policy: { times } });
  free = await manageAll(stack);
}, 240_000);
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

describe.concurrent("a list made by hand", { timeout: 240_000 }, () => {
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
    // One boot for the first step, and one of its own for the restart.
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
  { timeout: 240_000 },
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

    /** In the hold the agent is lost, and another version registers. */
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
      expect(failed.last_error).toMatch(/cannot tell what is on a drive/);
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
