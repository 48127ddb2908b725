// A tenant's running system that tries to be the agent, against the real server and the simulated fleet over HTTP: at every stage of a release it is
// refused and audited, and nothing that it does leads to Ready (docs/adr/0020-a-boot-is-proven.md).
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assign, onboard, release } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { hostRow, waitForState } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";

let stack: Stack;
let machine: Machine;
let hostId: string;
beforeAll(async () => {
  // Slow enough to catch a host while its restart is in progress.
  stack = await startStack({ hosts: 1, speed: 150 });
  const [first] = stack.machines;
  if (first === undefined) throw new Error("no machine");
  machine = first;
  [hostId = ""] = await onboard(stack, [machine]);
});
afterAll(() => stack?.stop());

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Plain HTTP, with whatever any system on the machine could read. */
async function ask(path: string, body?: object, token?: string): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${stack.controllers[0]?.port ?? 0}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const place = () => `uuid=${machine.uuid}&mac=${encodeURIComponent(machine.macs[0] ?? "")}`;
const script = () => ask(`/boot/ipxe?${place()}`);
const askToken = () => ask(`/boot/token?${place()}`);
const register = (token: string | undefined) =>
  ask(
    "/agent/v1/register",
    {
      protocol: 1,
      identity: { systemUuid: machine.uuid, serial: machine.serial, macs: machine.macs },
      run: "ffffffffffffffffffffffffffffffff",
      agentVersion: "1.0.0",
      hardwareManagers: [{ name: "reclaim", version: "4", steps: [] }],
      inventory: {
        system: {
          manufacturer: machine.manufacturer,
          product: machine.model,
          serial: machine.serial,
          uuid: machine.uuid,
          biosVersion: "1",
        },
        cpus: [{ model: "c", cores: 1 }],
        memoryBytes: "1",
        storage: [],
        nics: machine.macs.map((mac, index) => ({ name: `n${index}`, mac })),
        infiniband: [],
      },
    },
    token,
  );

const epochOf = async () =>
  (
    await stack.pool.query<{ boot_epoch: number }>("SELECT boot_epoch FROM host_run WHERE host_id = $1", [
      hostId,
    ])
  ).rows[0]?.boot_epoch ?? 0;
const windowOf = async (epoch: number) =>
  (
    await stack.pool.query<{ contested: boolean; done: boolean; consumed: boolean }>(
      "SELECT contested_at IS NOT NULL AS contested, reset_done_at IS NOT NULL AS done, consumed_at IS NOT NULL AS consumed FROM boot_window WHERE host_id = $1 AND boot_epoch = $2",
      [hostId, epoch],
    )
  ).rows[0];
const sessionsOf = async (epoch: number) =>
  (
    await stack.pool.query("SELECT 1 FROM agent_session WHERE host_id = $1 AND boot_epoch = $2", [
      hostId,
      epoch,
    ])
  ).rowCount;
/** Number of rows of `from`, the text after `FROM`; `$1` is the host. */
const countOf = async (from: string): Promise<number> =>
  (await stack.pool.query<{ count: number }>(`SELECT count(*)::int FROM ${from}`, [hostId])).rows[0]?.count ??
  0;
const refusals = () =>
  countOf("audit_event WHERE outcome <> 'done' AND (target_id = $1 OR action LIKE 'agent.%')");
const readies = () => countOf("state_history WHERE host_id = $1 AND state = 'Ready'");
/** Waits for a window of a boot after `epoch` whose restart is not done. */
const beforeRestart = (epoch: number) =>
  until("a boot whose restart is not done", 60_000, async () => {
    const now = await epochOf();
    const window = now > epoch ? await windowOf(now) : undefined;
    return window !== undefined && !window.done ? now : `boot ${now}, ${JSON.stringify(window)}`;
  });

describe("a tenant's running system that asks as this host", () => {
  it("is refused before and after the reset is sent, beside the true agent, and with a token that was used", async () => {
    const [instance = ""] = await assign(stack, [hostId]);
    const [before, was] = [await epochOf(), await readies()];
    // No boot is waited for: nothing of ours is served here, and no token makes a session.
    expect((await script()).text).toContain("boot from disk");
    const none = await askToken();
    expect([404, 409]).toContain(none.status);
    expect(none.text).not.toContain('bootToken"');
    expect((await register("A".repeat(43))).status).toBe(401);

    // The BMC accepts no request that changes something: the boot is ordered, but its reset was not sent.
    await stack.fleet.fault(machine.serial, { bmc: { mode: "error5xx" } });
    await release(stack, [instance]);
    const unsent = await beforeRestart(before);
    await refusedEarly(unsent);

    // The BMC accepts the reset and does not carry it out.
    await stack.fleet.fault(machine.serial, { bmc: { mode: "ignoreResets" } });
    const undone = await beforeRestart(unsent - 1);
    await until("the reset to be sent", 60_000, async () => {
      const { rows } = await stack.pool.query<{ phase: string | null }>(
        "SELECT result ->> 'phase' AS phase FROM effect WHERE host_id = $1 AND kind = 'bootAgent' ORDER BY created_at DESC LIMIT 1",
        [hostId],
      );
      return rows[0]?.phase === "reset" || `phase ${String(rows[0]?.phase)}`;
    });
    await refusedEarly(await epochOf());
    expect(undone).toBeGreaterThan(before);
    expect(await sessionsOf(await epochOf())).toBe(0);
    expect((await stack.fleet.machine(machine.serial)).running).toBe("tenant");

    // A real agent comes up in a later boot; the tenant's system replays every token that it saw.
    await stack.fleet.heal(machine.serial);
    const seen = await until("the true agent", 120_000, async () => {
      const { rows } = await stack.pool.query<{ boot_epoch: number }>(
        "SELECT g.boot_epoch FROM agent_session g JOIN host_run r ON r.host_id = g.host_id AND r.boot_epoch = g.boot_epoch WHERE g.host_id = $1 AND g.boot_epoch > $2",
        [hostId, undone],
      );
      return rows[0]?.boot_epoch ?? "no agent yet";
    });
    const beside = await askToken();
    expect([404, 409]).toContain(beside.status);
    expect(beside.text).not.toContain('bootToken"');
    expect((await register("B".repeat(43))).status).toBe(401);
    expect(await sessionsOf(seen)).toBe(1);

    await waitForState(stack, hostId, "Ready", 240_000);
    expect(await readies()).toBe(was + 1);
    expect(await refusals()).toBeGreaterThan(0);
    expect((await stack.fleet.machine(machine.serial)).holdsTenantData).toBe(false);
    expect((await hostRow(stack, hostId)).last_error).toBeNull();
  });
});

/** Script, token and registration all fail, the boot stays contested, and nobody is registered in it. */
async function refusedEarly(epoch: number): Promise<void> {
  const early = await script();
  expect(early.text).toContain("# wait");
  expect(early.text).not.toContain("reclaim.server");
  const token = await askToken();
  expect(token.status).toBe(409);
  expect(token.text).not.toContain('bootToken"');
  expect((await register("C".repeat(43))).status).toBe(401);
  expect(await windowOf(epoch)).toMatchObject({ contested: true, done: false, consumed: false });
  expect(await sessionsOf(epoch)).toBe(0);
}
