// The Ironic API with a running controller and the simulated fleet: power that is really switched, a list with a fault, a list that runs, a retired node.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { granted } from "@/server/testing/acts";
import { manageAll, type FreeHosts } from "@/server/testing/free-hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { createToken } from "@/server/usecases/access/create-token";

const limitMs = 120_000;

let stack: Stack;
let token: string;
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts: 5, speed: 1_000, leaseMs: 20_000 });
  const { backend, actor, request } = stack.world;
  const operator = actor("operator");
  ({ token } = granted(
    await createToken(backend, operator, request(), {
      personId: operator.personId,
      name: "ironic",
    }),
  ));
  free = await manageAll(stack);
}, 240_000);
afterAll(() => stack?.stop());

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`http://127.0.0.1:${stack.controllers[0]?.port}/v1/nodes/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "x-openstack-ironic-api-version": "1.112",
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === "" ? {} : z.record(z.string(), z.unknown()).parse(JSON.parse(text)),
  };
}

const node = async (hostId: string) => (await call("GET", hostId)).body;

/** As the client with `--wait`: it fails where the target is gone before the state is there. */
async function ask(hostId: string, body: unknown, wanted: string): Promise<Record<string, unknown>> {
  expect(await call("PUT", `${hostId}/states/provision`, body)).toEqual({ status: 202, body: {} });
  return until(`${hostId} in ${wanted}`, limitMs, async () => {
    const now = await node(hostId);
    if (now.provision_state === wanted) return now;
    if (now.target_provision_state === null) throw new Error(`no target in ${String(now.provision_state)}`);
    return `${String(now.provision_state)}: ${String(now.last_error)}`;
  });
}

async function power(hostId: string, target: string): Promise<Record<string, unknown>> {
  expect(await call("PUT", `${hostId}/states/power`, { target })).toEqual({ status: 202, body: {} });
  return until(`${hostId}: ${target}`, limitMs, async () => {
    const now = await node(hostId);
    return now.target_power_state === null ? now : String(now.target_power_state);
  });
}

const historyOf = async (hostId: string) =>
  z
    .object({
      history: z.array(
        z.object({ uuid: z.string(), severity: z.string(), event: z.string(), event_type: z.string() }),
      ),
    })
    .parse((await call("GET", `${hostId}/history/detail`)).body).history;

describe.concurrent("a node of the fleet", { timeout: 240_000 }, () => {
  it("is switched off, on and restarted, and shows what was read back", async () => {
    const { hostId, machine } = free.take();
    expect(await power(hostId, "power off")).toMatchObject({
      power_state: "power off",
      provision_state: "manageable",
      last_error: null,
    });
    expect((await stack.fleet.machine(machine.serial)).power).toBe("Off");
    expect(await power(hostId, "power off")).toMatchObject({ power_state: "power off" });
    expect(await power(hostId, "rebooting")).toMatchObject({ power_state: "power on" });
    expect((await stack.fleet.machine(machine.serial)).power).toBe("On");
    const before = (await stack.fleet.machine(machine.serial)).counters.powerActionsTotal;
    expect(await power(hostId, "rebooting")).toMatchObject({ power_state: "power on" });
    expect(await power(hostId, "power on")).toMatchObject({ power_state: "power on" });
    expect((await stack.fleet.machine(machine.serial)).counters.powerActionsTotal).toBe(before + 1);
    expect(
      (
        await stack.pool.query(
          "SELECT count(*)::int AS states FROM state_history WHERE host_id = $1 AND state NOT IN ('Verifying', 'Manageable', 'Enroll')",
          [hostId],
        )
      ).rows,
    ).toEqual([{ states: 0 }]);
  });

  it("whose BMC does not obey says so, in the state that it is in", async () => {
    const { hostId, machine } = free.take();
    await stack.fleet.fault(machine.serial, { bmc: { mode: "acceptAndIgnore" } });
    const now = await power(hostId, "power off");
    expect(now).toMatchObject({
      power_state: "power on",
      provision_state: "manageable",
      last_error: expect.stringMatching(/^power off failed: .*the power state is on/),
    });
    await stack.fleet.heal(machine.serial);
    expect(await power(hostId, "power off")).toMatchObject({ power_state: "power off", last_error: null });
  });

  it("with an unknown step goes to clean failed, with nothing run and no maintenance, and comes back by manage", async () => {
    const { hostId } = free.take();
    const cases: readonly [unknown, RegExp][] = [
      [
        [
          { interface: "deploy", step: "erase_devices_metadata" },
          { interface: "deploy", step: "no_such_step" },
        ],
        /deploy\.no_such_step/,
      ],
      [[{ interface: "power", step: "wait" }], /power\.wait needs the argument seconds/],
      [
        [{ interface: "power", step: "reboot", args: { colour: "red" } }],
        /power\.reboot has no argument colour/,
      ],
    ];
    for (const [cleanSteps, words] of cases) {
      const now = await ask(hostId, { target: "clean", clean_steps: cleanSteps }, "clean failed");
      expect(now).toMatchObject({
        target_provision_state: "manageable",
        maintenance: false,
        fault: null,
        clean_step: {},
        last_error: expect.stringMatching(words),
      });
      expect(now.last_error).toContain(`Cannot clean node ${hostId}: `);
      expect((await historyOf(hostId)).findLast(({ severity }) => severity === "ERROR")).toMatchObject({
        event_type: "cleaning",
        event: expect.stringMatching(words),
      });
      expect((await ask(hostId, { target: "manage" }, "manageable")).target_provision_state).toBeNull();
    }
    const noRamdisk = await ask(
      hostId,
      {
        target: "clean",
        clean_steps: [{ interface: "deploy", step: "erase_devices_metadata" }],
        disable_ramdisk: true,
      },
      "clean failed",
    );
    expect(noRamdisk.last_error).toMatch(/needs the agent/);
    expect(
      (
        await stack.pool.query(
          "SELECT count(*)::int AS steps, (SELECT count(*)::int FROM reclamation c WHERE c.host_id = $1 AND c.kind = 'manualCleaning') AS lists FROM step_run WHERE host_id = $1",
          [hostId],
        )
      ).rows,
    ).toEqual([{ steps: 0, lists: 4 }]);
    await ask(hostId, { target: "manage" }, "manageable");

    // What runs and can be stopped is stopped, and says by whom and where.
    await ask(
      hostId,
      { target: "clean", clean_steps: [{ interface: "deploy", step: "burnin_cpu", args: { time: 86_400 } }] },
      "clean wait",
    );
    await until(
      "the step to run",
      limitMs,
      async () => z.looseObject({ step: z.string() }).safeParse((await node(hostId)).clean_step).success,
    );
    const aborted = await ask(hostId, { target: "abort" }, "clean failed");
    expect(aborted).toMatchObject({
      maintenance: false,
      last_error: expect.stringMatching(/^Clean operation aborted .*"deploy\.burnin_cpu": aborted by /),
    });
  });

  it("runs a list, with a row of history for each step; its power is not to be had meanwhile", async () => {
    const { hostId } = free.take();
    const asked = call("PUT", `${hostId}/states/provision`, {
      target: "clean",
      clean_steps: [
        { interface: "deploy", step: "erase_devices_metadata" },
        { interface: "power", step: "wait", args: { seconds: 2 } },
      ],
    });
    expect((await asked).status).toBe(202);
    expect((await call("PUT", `${hostId}/states/power`, { target: "power off" })).status).toBe(400);
    await until(
      "the list to end",
      limitMs,
      async () => (await node(hostId)).provision_state === "manageable",
    );
    const rows = (await historyOf(hostId)).filter(({ event }) => event.startsWith("Clean step"));
    expect(
      rows.map(({ event, severity, event_type: type }) => [event.replace(/ after .*/, ""), severity, type]),
    ).toEqual([
      ["Clean step deploy.erase_devices_metadata succeeded", "INFO", "cleaning"],
      ["Clean step power.wait succeeded", "INFO", "cleaning"],
    ]);
    expect(rows[1]?.event).toMatch(/after \d+\.\d s: waited 2 s/);
    expect((await node(hostId)).power_state).toBe("power on");
  });

  it("that is retired while it is cleaned ends clean in manageable, and is not provided again", async () => {
    const { hostId } = free.take();
    expect((await call("PUT", `${hostId}/states/provision`, { target: "provide" })).status).toBe(202);
    await until(
      "the host to be cleaned",
      limitMs,
      async () =>
        (await stack.pool.query("SELECT 1 FROM step_run WHERE host_id = $1 AND status = 'running'", [hostId]))
          .rowCount !== 0,
    );
    await stack.pool.query("UPDATE host SET retired = true WHERE id = $1", [hostId]);
    await until("the host to be manageable", limitMs, async () => {
      const now = await node(hostId);
      return (
        now.provision_state === "manageable" || `${String(now.provision_state)}: ${String(now.last_error)}`
      );
    });
    expect(
      (
        await stack.pool.query(
          "SELECT kind, outcome, (SELECT count(*)::int FROM gate g WHERE g.reclamation_id = c.id AND g.status = 'unsatisfied') AS open FROM reclamation c WHERE host_id = $1",
          [hostId],
        )
      ).rows,
    ).toEqual([{ kind: "onboarding", outcome: "cleaned", open: 0 }]);
    expect(
      (
        await stack.pool.query(
          "SELECT count(*)::int AS ready FROM state_history WHERE host_id = $1 AND state = 'Ready'",
          [hostId],
        )
      ).rows,
    ).toEqual([{ ready: 0 }]);
    expect((await call("PUT", `${hostId}/states/provision`, { target: "provide" })).status).toBe(400);
  });
});
