// The whole life of a host as baremetal-operator drives it (pkg/provisioner/ironic of metal3-io/baremetal-operator, 2026-08), against machines of the
// simulated fleet: its own calls, bodies and polls, from register to delete.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { granted, skuOf } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { startStack, type Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import { createToken } from "@/server/usecases/access/create-token";

const limitMs = 300_000;
/** `clients/features.go`: the newest version that it chooses. */
const microversion = "1.110";

let stack: Stack;
let token: string;
const machineOf = (vendor: Machine["vendor"]): Machine => {
  const found = stack.machines.find((machine) => machine.vendor === vendor);
  if (found === undefined) throw new Error(`the fleet has no machine of ${vendor}`);
  return found;
};

beforeAll(async () => {
  stack = await startStack({ hosts: 9, speed: 1_000, leaseMs: 20_000 });
  const { backend, actor, request } = stack.world;
  const admin = actor("provider-admin");
  ({ token } = granted(
    await createToken(backend, admin, request(), { personId: admin.personId, name: "metal3" }),
  ));
}, 480_000);
afterAll(() => stack?.stop());

const body = z.record(z.string(), z.unknown());
type Body = z.infer<typeof body>;

async function call(
  method: string,
  path: string,
  sent?: unknown,
): Promise<{ readonly status: number; readonly body: Body }> {
  const answer = await fetch(`http://127.0.0.1:${stack.controllers[0]?.port}/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      // gophercloud sends both.
      "X-OpenStack-Ironic-API-Version": microversion,
      "OpenStack-API-Version": `baremetal ${microversion}`,
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? {} : body.parse(JSON.parse(text)) };
}

const node = async (id: string): Promise<Body> => (await call("GET", `nodes/${id}`)).body;

/** Calls `getNode` repeatedly, as each reconcile does. Every state on the way must be one that it waits in. */
async function waitFor(id: string, wanted: string, waits: readonly string[]): Promise<Body> {
  return until(`${id} in ${wanted}`, limitMs, async () => {
    const now = await node(id);
    const state = String(now.provision_state);
    if (state === wanted) return now;
    if (!waits.includes(state)) throw new Error(`${state}: ${String(now.last_error)}`);
    return `${state}: ${String(now.last_error)}`;
  });
}

/** `tryChangeNodeProvisionState`: not in maintenance, and no fault; a 409 is retried. */
async function change(id: string, target: string, more: object = {}): Promise<void> {
  await until(`${id} to take ${target}`, limitMs, async () => {
    const { maintenance, fault } = await node(id);
    expect({ maintenance, fault }).toEqual({ maintenance: false, fault: null });
    const { status } = await call("PUT", `nodes/${id}/states/provision`, { target, ...more });
    expect([202, 409]).toContain(status);
    return status === 202;
  });
}

/** `Register`: looks the host up by name and MAC, creates it, adds its port, and takes it to manageable. */
async function register(machine: Machine, inspect: "agent" | "redfish"): Promise<string> {
  const name = `metal3~${machine.name}`;
  const [mac = ""] = machine.macs;
  expect((await call("GET", `nodes/${name}`)).status).toBe(404);
  const byMac = `ports?address=${encodeURIComponent(mac)}&fields=node_uuid%2Cuuid%2Caddress`;
  expect((await call("GET", byMac)).body).toMatchObject({ ports: [] });
  const { status, body: created } = await call("POST", "nodes", {
    boot_interface: "ipxe",
    driver: "redfish",
    driver_info: {
      redfish_address: machine.bmc.address,
      redfish_password: stack.bmcPassword,
      redfish_username: machine.bmc.username,
    },
    firmware_interface: "redfish",
    inspect_interface: inspect,
    name,
    raid_interface: "redfish",
    properties: { capabilities: "boot_mode:uefi", cpu_arch: "x86_64" },
    disable_power_off: false,
  });
  expect([status, created.provision_state, created.last_error]).toEqual([201, "enroll", null]);
  const id = String(created.uuid);
  expect((await call("GET", `ports?node_uuid=${id}&fields=node_uuid%2Cuuid%2Caddress`)).body).toMatchObject({
    ports: [],
  });
  expect((await call("POST", "ports", { node_uuid: id, address: mac, pxe_enabled: true })).status).toBe(201);
  await change(id, "manage");
  const managed = await waitFor(id, "manageable", ["verifying"]);
  expect(managed).toMatchObject({ target_provision_state: null, last_error: null });
  return id;
}

/** `configureNode`, which each reconcile sends if something differs. */
async function configure(id: string): Promise<void> {
  const answer = await call("PATCH", `nodes/${id}`, [
    { op: "add", path: "/driver_info/deploy_kernel", value: "http://172.22.0.1/ipa.kernel" },
    { op: "add", path: "/driver_info/deploy_ramdisk", value: "http://172.22.0.1/ipa.initramfs" },
    { op: "add", path: "/automated_clean", value: true },
  ]);
  expect([answer.status, answer.body.automated_clean]).toEqual([200, true]);
}

/** `InspectHardware`: requests it, waits for it, and reads the result. */
async function inspect(id: string, mode: "agent" | "redfish"): Promise<void> {
  await call("PATCH", `nodes/${id}`, [{ op: "add", path: "/inspect_interface", value: mode }]);
  await change(id, "inspect");
  await waitFor(id, "manageable", ["inspecting", "inspect wait"]);
}

describe.concurrent("baremetal-operator", { timeout: 400_000 }, () => {
  it("registers, inspects, prepares, provides, powers off and deletes a host", async () => {
    const machine = machineOf("dell");
    // Hosts are matched with the site's SKUs, which an operator creates once.
    await skuOf(stack, machine);
    const id = await register(machine, "redfish");
    await configure(id);
    await inspect(id, "redfish");
    await inspect(id, "agent");
    const inventory = await call("GET", `nodes/${id}/inventory`);
    expect(inventory).toMatchObject({
      status: 200,
      body: { inventory: { interfaces: expect.any(Array), disks: expect.any(Array) } },
    });

    // `GetFirmwareSettings` and `GetFirmwareComponents`, before it prepares.
    expect((await call("GET", `nodes/${id}/bios?detail=true`)).body).toEqual({ bios: [] });
    expect((await call("GET", `nodes/${id}/firmware`)).body).toMatchObject({
      firmware: expect.arrayContaining([
        expect.objectContaining({
          component: expect.stringMatching(/^BIOS/),
          current_version: expect.any(String),
        }),
      ]),
    });

    // `Prepare`: what Reclaim cannot do fails with its reason, and `manage` leads back.
    await change(id, "clean", {
      clean_steps: [
        {
          interface: "firmware",
          step: "update",
          args: { settings: [{ component: "bmc", url: "http://172.22.0.1/bmc.bin" }] },
        },
      ],
    });
    const failed = await waitFor(id, "clean failed", ["cleaning", "clean wait"]);
    expect(failed).toMatchObject({
      maintenance: false,
      last_error: expect.stringContaining("firmware.update"),
    });
    await change(id, "manage");
    await waitFor(id, "manageable", ["clean failed"]);
    // A list that it may send and that this host can run.
    await change(id, "clean", { clean_steps: [{ interface: "deploy", step: "erase_devices_metadata" }] });
    await waitFor(id, "manageable", ["cleaning", "clean wait"]);

    // `Provision` of a host without an image stops at `available`; its `Deprovision` is done at once.
    await change(id, "provide");
    const available = await waitFor(id, "available", ["cleaning", "clean wait"]);
    expect(available).toMatchObject({
      target_provision_state: null,
      instance_uuid: null,
      maintenance: false,
    });
    expect((await call("GET", `nodes/${id}/validate`)).body).toMatchObject({
      boot: { result: true },
      deploy: { result: true },
    });
    expect(
      (await call("GET", "nodes?fields=uuid%2Cname%2Cprovision_state%2Cboot_interface")).body.nodes,
    ).toContainEqual({
      uuid: id,
      name: `metal3~${machine.name}`,
      provision_state: "available",
      boot_interface: "ipxe",
    });

    // `PowerOff`, first soft with its timeout, and `PowerOn`.
    for (const [sent, wanted] of [
      [{ target: "soft power off", timeout: 180 }, "power off"],
      [{ target: "power on" }, "power on"],
      [{ target: "power off" }, "power off"],
    ] as const) {
      expect((await call("PUT", `nodes/${id}/states/power`, sent)).status).toBe(202);
      await until(`${sent.target}`, limitMs, async () => {
        const now = await node(id);
        return (now.power_state === wanted && now.target_power_state === null) || String(now.last_error);
      });
    }

    // `Delete` of an available host needs no maintenance.
    expect((await call("DELETE", `nodes/${id}`)).status).toBe(204);
    expect((await call("GET", `nodes/${id}`)).status).toBe(404);
    expect((await call("DELETE", `nodes/${id}`)).status).toBe(404);
  });

  it("is told what is wrong with an account, and deletes a host that never was verified", async () => {
    const machine = machineOf("lenovo");
    const { body: created } = await call("POST", "nodes", {
      driver: "redfish",
      driver_info: {
        redfish_address: machine.bmc.address,
        redfish_password: "wrong",
        redfish_username: machine.bmc.username,
      },
      inspect_interface: "agent",
      name: `metal3~${machine.name}`,
      disable_power_off: false,
    });
    const id = String(created.uuid);
    await change(id, "manage");
    const refused = await until("the refusal", limitMs, async () => {
      const now = await node(id);
      return now.provision_state === "enroll" && now.last_error !== null ? now : String(now.provision_state);
    });
    expect(refused.target_provision_state).toBeNull();
    expect((await call("DELETE", `nodes/${id}`)).status).toBe(204);
  });
});
