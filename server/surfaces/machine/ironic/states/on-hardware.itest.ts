// The Ironic API with a running controller and the simulated fleet: real power changes, a list with a fault, a list that runs, a retired node.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { granted } from "@/server/testing/acts";
import { manageAll, type FreeHosts } from "@/server/testing/free-hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { createToken } from "@/server/usecases/access/create-token";

const limitMs = 300_000;

let stack: Stack;
let token: string;
let free: FreeHosts;

beforeAll(async () => {
  stack = await startStack({ hosts: 10, speed: 1_000, leaseMs: 20_000, powerReadMs: 4_000 });
  const { backend, actor, request } = stack.world;
  const operator = actor("operator");
  ({ token } = granted(
    await createToken(backend, operator, request(), {
      personId: operator.personId,
      name: "ironic",
    }),
  ));
  free = await manageAll(stack);
}, 480_000);
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

/** Like the client with `--wait`: fails if the target is gone before the state is reached. */
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

describe.concurrent("a node of the fleet", { timeout: 480_000 }, () => {
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

    // A running step that can be stopped is stopped, and the message says by whom and where.
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

  it("is asked to shut down and to restart by itself, and says when it does not in time", async () => {
    const { hostId, machine } = free.take();
    expect(await power(hostId, "soft power off")).toMatchObject({
      power_state: "power off",
      last_error: null,
    });
    expect((await stack.fleet.machine(machine.serial)).power).toBe("Off");
    expect(await power(hostId, "soft rebooting")).toMatchObject({
      power_state: "power on",
      last_error: null,
    });
    expect(await power(hostId, "soft rebooting")).toMatchObject({
      power_state: "power on",
      last_error: null,
    });
    await stack.fleet.fault(machine.serial, { bmc: { mode: "acceptAndIgnore" } });
    const put = { target: "soft power off", timeout: 1 };
    expect((await call("PUT", `${hostId}/states/power`, put)).status).toBe(202);
    await until("the time to be over", limitMs, async () => {
      const now = await node(hostId);
      return now.last_error !== null && now.target_power_state === null;
    });
    expect(await node(hostId)).toMatchObject({
      power_state: "power on",
      last_error: expect.stringMatching(/^power off failed: the system did not shut down in time/),
    });
    await stack.fleet.heal(machine.serial);
  });

  it("starts as it is told, and takes an NMI, where its BMC offers that", async () => {
    const { hostId, machine } = free.take();
    const put = (path: string, body: unknown) => call("PUT", `${hostId}/${path}`, body);
    const shown = async (path: string) => (await call("GET", `${hostId}/${path}`)).body;
    expect((await shown("management/boot_device/supported")).supported_boot_devices).toContain("disk");
    expect(await node(hostId)).toMatchObject({ boot_mode: "uefi", secure_boot: false });
    expect(await put("management/boot_device", { boot_device: "disk", persistent: true })).toMatchObject({
      status: 204,
    });
    await until("the boot device to be set", limitMs, async () => {
      const now = await shown("management/boot_device");
      return now.boot_device === "disk" && now.persistent === true;
    });
    expect((await put("states/secure_boot", { target: true })).status).toBe(202);
    await until("secure boot to be on", limitMs, async () => (await node(hostId)).secure_boot === true);
    expect((await put("states/boot_mode", { target: "bios" })).status).toBe(202);
    await until("the boot mode to be set", limitMs, async () => (await node(hostId)).boot_mode === "bios");
    expect((await put("management/inject_nmi", {})).status).toBe(204);
    await until(
      "the NMI to be sent",
      limitMs,
      async () =>
        (await stack.fleet.machine(machine.serial)).counters.powerActions.filter(
          ({ action }) => action === "Nmi",
        ).length === 1,
    );
    expect((await node(hostId)).last_error).toBeNull();
    expect((await put("management/boot_device", { boot_device: "floppy" })).status).toBe(400);

    // A boot that Reclaim orders starts the agent, not the person's device, and no device can be set meanwhile.
    const burnsIn = [{ interface: "deploy", step: "burnin_cpu", args: { time: 86_400 } }];
    await ask(hostId, { target: "clean", clean_steps: burnsIn }, "clean wait");
    await until(
      "the agent to run the step",
      limitMs,
      async () => z.looseObject({ step: z.string() }).safeParse((await node(hostId)).clean_step).success,
    );
    expect((await stack.fleet.machine(machine.serial)).counters.tenantBoots).toBe(0);
    expect(await shown("management/boot_device")).toEqual({ boot_device: null, persistent: null });
    const power = await put("states/power", { target: "power off" });
    expect(power.status).toBe(400);
    expect(power.body.error_message).toContain("deploy.burnin_cpu runs");
    for (const [path, body] of [
      ["management/boot_device", { boot_device: "disk" }],
      ["states/secure_boot", { target: false }],
      ["management/inject_nmi", {}],
    ] as const)
      expect((await put(path, body)).status).toBe(400);
    await ask(hostId, { target: "abort" }, "clean failed");
  });

  it("shows the power that its BMC reads, also where nobody asks for anything", async () => {
    const { hostId } = free.take();
    const signals = async () =>
      (await stack.pool.query("SELECT state_version, generation FROM host_run WHERE host_id = $1", [hostId]))
        .rows;
    const before = await signals();
    // As if somebody had switched it on by hand since it was last read.
    await stack.pool.query(
      "UPDATE host SET power_state = 'off', power_read_at = now() - interval '1 hour' WHERE id = $1",
      [hostId],
    );
    expect((await node(hostId)).power_state).toBe("power off");
    await until("the power to be read again", limitMs, async () => {
      const now = await node(hostId);
      return now.power_state === "power on" || String(now.power_state);
    });
    expect(await signals()).toEqual(before);
  });

  it("is inspected by its BMC, and says when that fails", async () => {
    const { hostId, machine } = free.take();
    const done = await ask(hostId, { target: "inspect" }, "manageable");
    expect(done).toMatchObject({ last_error: null, inspection_finished_at: expect.stringMatching(/^20/) });
    await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
    const failed = await ask(hostId, { target: "inspect" }, "inspect failed");
    expect(failed).toMatchObject({ target_provision_state: "manageable", maintenance: false });
    expect(failed.last_error).not.toBeNull();
    expect((await call("PUT", `${hostId}/states/provision`, { target: "provide" })).status).toBe(400);
    await stack.fleet.heal(machine.serial);
    await ask(hostId, { target: "inspect" }, "manageable");
    await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
    await ask(hostId, { target: "inspect" }, "inspect failed");
    await ask(hostId, { target: "manage" }, "manageable");
    await stack.fleet.heal(machine.serial);
    await until("the failure to be over", limitMs, async () => (await node(hostId)).last_error === null);
  });

  it("is inspected by its agent, and a step that waits can be aborted", async () => {
    const { hostId } = free.take();
    const before = (await stack.pool.query("SELECT boot_epoch FROM host_run WHERE host_id = $1", [hostId]))
      .rows;
    const agent = [{ op: "add", path: "/inspect_interface", value: "agent" }];
    expect((await call("PATCH", hostId, agent)).status).toBe(200);
    const seen = new Set<string>();
    expect(await call("PUT", `${hostId}/states/provision`, { target: "inspect" })).toMatchObject({
      status: 202,
    });
    await until("the inspection to end", limitMs, async () => {
      const word = String((await node(hostId)).provision_state);
      seen.add(word);
      return word === "manageable" || word;
    });
    expect([...seen].filter((word) => !["inspecting", "inspect wait", "manageable"].includes(word))).toEqual(
      [],
    );
    expect(seen.size).toBeGreaterThan(1);
    expect((await call("GET", `${hostId}/inventory`)).status).toBe(200);
    const after = (await stack.pool.query("SELECT boot_epoch FROM host_run WHERE host_id = $1", [hostId]))
      .rows;
    expect(after).not.toEqual(before);

    const waits = [{ interface: "power", step: "wait", args: { seconds: 86_400 } }];
    await ask(hostId, { target: "clean", clean_steps: waits }, "clean wait");
    const aborted = await ask(hostId, { target: "abort" }, "clean failed");
    expect(aborted.last_error).toMatch(/aborted/);
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
