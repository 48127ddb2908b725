// A hundred fake hosts on real processes: through a kill -9 of the controller, to a tenant and back, and switched off (docs/adr/0015-fake-hardware.md).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claim, clean, manage, perform, provide, release } from "@/server/testing/acts";
import { hostRow, hostRows, waitForState, waitForStates } from "@/server/testing/hosts";
import { historyProblems, leftovers, stepProblems } from "@/server/testing/records";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { fakeIsOff } from "@/server/domain/hosts/fake/fake-type";

const hosts = 100;
/** Hosts in one claim. */
const batch = 64;
const limitMs = 300_000;

let stack: Stack;
let hostIds: string[];

beforeAll(async () => {
  stack = await startStack({ hosts: 0, speed: 1, leaseMs: 600_000, sweepMs: 0, fakeHardware: true });
  hostIds = await Promise.all(Array.from({ length: hosts }, () => stack.world.fakeHost()));
  await manage(stack, hostIds);
}, 480_000);
afterAll(() => stack?.stop());

const running = async (): Promise<number> =>
  Number((await stack.pool.query("SELECT count(*) AS n FROM step_run WHERE status = 'running'")).rows[0].n);

/** Until the returned function is called, whoever stores the outcome of an effect waits. What settles those of ended processes stores none, and goes on. */
async function outcomesHeldBack(): Promise<() => Promise<void>> {
  const key = 20_261_121;
  await stack.pool.query(
    `CREATE FUNCTION test_wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${key}); RETURN NULL; END $$`,
  );
  await stack.pool.query(
    "CREATE TRIGGER test_wait AFTER UPDATE OF settled_at ON effect FOR EACH ROW WHEN (NEW.status <> 'unknown') EXECUTE FUNCTION test_wait()",
  );
  const holder = await stack.pool.connect();
  holder.on("error", () => undefined);
  await holder.query("SELECT pg_advisory_lock($1)", [key]);
  return async () => {
    await holder.query("SELECT pg_advisory_unlock($1)", [key]);
    holder.release();
    await stack.pool.query("DROP TRIGGER test_wait ON effect");
  };
}

describe("a hundred fake hosts", () => {
  it("all go on by themselves when their controller is killed while they are cleaned", async () => {
    const [controller] = stack.controllers;
    if (controller === undefined) throw new Error("no controller");
    const { process } = controller;
    // Nothing takes time here. So all requests are made while the controller is paused, and no step's outcome is stored before it has died.
    const barrier = await outcomesHeldBack();
    process.signal("SIGSTOP");
    await provide(stack, hostIds);
    process.signal("SIGCONT");
    const held = await until("steps to run", limitMs, async () => {
      const many = await running();
      return many >= batch ? many : `${many} run`;
    });
    await process.kill();
    await barrier();
    console.log(`killed with a step running on ${held} of ${hosts} hosts`);
    process.start();
    await stack.ready(controller);
    await waitForStates(stack, hostIds, ["Ready"], limitMs);
    expect(await stepProblems(stack, hostIds)).toEqual([]);
    expect(await historyProblems(stack, hostIds)).toEqual([]);
    expect(await leftovers(stack, hostIds)).toEqual([]);
  }, 480_000);

  it("record two steps each, gates that all say that there is no machine, and no result of any device", async () => {
    const count = async (sql: string) => (await stack.pool.query(sql)).rows;
    expect(
      await count(
        'SELECT step, status, "where", proves, count(*)::int AS n FROM step_run GROUP BY 1, 2, 3, 4 ORDER BY step',
      ),
    ).toEqual(
      ["erase_devices", "erase_devices_metadata"].map((step) => ({
        step,
        status: "succeeded",
        where: "controller",
        proves: [],
        n: hosts,
      })),
    );
    expect(await count("SELECT status, count(*)::int AS n FROM gate GROUP BY 1")).toEqual([
      { status: "not required: fake hardware", n: 14 * hosts },
    ]);
    for (const table of ["device_result", "debt", "boot_window", "agent_session"])
      expect(await count(`SELECT * FROM ${table}`)).toEqual([]);
    expect(await count("SELECT DISTINCT kind FROM effect ORDER BY 1")).toEqual([
      { kind: "step" },
      { kind: "verify" },
    ]);
  });

  it("clean by hand and hold between two steps", async () => {
    const [hostId = ""] = hostIds;
    await perform(stack, "operator", manageHost, { hostId });
    await waitForState(stack, hostId, "Manageable", limitMs);
    await clean(stack, hostId, [
      { interface: "management", step: "power_on", args: {} },
      { interface: "power", step: "hold", args: { seconds: 1 } },
      { interface: "deploy", step: "reboot", args: {} },
      { interface: "deploy", step: "erase_devices", args: { devices: ["A"] } },
      { interface: "power", step: "wait", args: { seconds: 1 } },
    ]);
    await waitForState(stack, hostId, "Manageable", limitMs);
    const { rows } = await stack.pool.query(
      "SELECT t.step, t.status FROM step_run t JOIN reclamation c ON c.id = t.reclamation_id WHERE c.host_id = $1 AND c.kind = 'manualCleaning' ORDER BY position",
      [hostId],
    );
    expect(rows).toEqual(
      ["power_on", "hold", "reboot", "erase_devices", "wait"].map((step) => ({ step, status: "succeeded" })),
    );
    await provide(stack, [hostId]);
    await waitForState(stack, hostId, "Ready", limitMs);
  }, 480_000);

  it("are given to tenants and taken back, and owe nothing", async () => {
    const some = hostIds.slice(0, 5);
    const instances = await claim(stack, some);
    await waitForStates(stack, some, ["Assigned/Ready"], limitMs);
    await release(stack, instances);
    await waitForStates(stack, some, ["Ready"], limitMs);
    const { rows } = await stack.pool.query(
      "SELECT count(*) FILTER (WHERE ended_at IS NOT NULL)::int AS ended, (SELECT count(*)::int FROM debt) AS debts FROM instance",
    );
    expect(rows).toEqual([{ ended: 5, debts: 0 }]);
    expect(await historyProblems(stack, some)).toEqual([]);
  }, 480_000);

  it("leave allocation and say why when the type is switched off, and go on when it is on again", async () => {
    const [controller] = stack.controllers;
    if (controller === undefined) throw new Error("no controller");
    const restart = async (on: boolean) => {
      await controller.process.stop();
      controller.process.start({ RECLAIM_ENABLE_FAKE: on ? "1" : "0" });
      await stack.ready(controller);
    };
    await restart(false);
    const rows = await waitForStates(stack, hostIds, ["Manageable"], limitMs);
    expect(new Set(rows.map(({ wait_reason, allocatable }) => `${wait_reason} ${allocatable}`))).toEqual(
      new Set([`${fakeIsOff} false`]),
    );
    await perform(stack, "operator", provideHost, { hostId: hostIds[0] ?? "" });
    await until(
      "the refusal",
      limitMs,
      async () =>
        (
          await stack.pool.query("SELECT 1 FROM intent_refusal WHERE host_id = $1 AND reason = $2", [
            hostIds[0],
            fakeIsOff,
          ])
        ).rowCount === 1,
    );
    expect((await hostRow(stack, hostIds[0] ?? "")).state).toBe("Manageable");
    await restart(true);
    await until("the reason to go", limitMs, async () =>
      (await hostRows(stack, hostIds)).every(({ wait_reason }) => wait_reason !== fakeIsOff),
    );
    await provide(stack, hostIds.slice(0, 3));
    await waitForStates(stack, hostIds.slice(0, 3), ["Ready"], limitMs);
  }, 480_000);
});
