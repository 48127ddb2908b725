// Firmware that accepts a request only in another form, or not at all: the host comes back all the same (docs/adr/0064-the-next-way.md).
import { afterAll, beforeAll, expect, it } from "vitest";
import { assign, enroll, onboard, perform, release } from "@/server/testing/acts";
import { hostRow, waitForStates } from "@/server/testing/hosts";
import { until } from "@/server/testing/until";
import { deleteHost } from "@/server/usecases/hosts/acts/delete-host";
import { enroll as enrollList } from "@/server/usecases/hosts/enrolment/enroll";
import { setBmc } from "@/server/usecases/hosts/enrolment/set-bmc";
import { startStack, type Stack } from "@/server/testing/stack";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ hosts: 10, speed: 100_000 });
});
afterAll(() => stack?.stop());

async function siteName(): Promise<string> {
  const { rows } = await stack.pool.query<{ name: string }>("SELECT name FROM site WHERE id = $1", [
    stack.world.siteId,
  ]);
  return rows[0]?.name ?? "";
}

it("a BMC that refuses every first way is asked in the next ones, and keeps no boot source of ours", async () => {
  const machines = stack.machines.slice(0, 3);
  for (const { serial, vendor } of machines)
    await stack.fleet.fault(serial, {
      // Lenovo's firmware lists no boot source for every boot, so nothing would be left.
      quirks: [
        ...(vendor === "lenovo" ? [] : ["noOnce"]),
        "noHttp",
        "noRestart",
        "strongVersions",
        "bareSession",
      ],
    });
  const hostIds = await onboard(stack, machines);
  const instances = await assign(stack, hostIds);
  await release(stack, instances);
  await waitForStates(stack, hostIds, ["Ready"], 240_000);
  for (const { serial } of machines)
    expect(await stack.fleet.machine(serial)).toMatchObject({
      holdsTenantData: false,
      override: { enabled: "Disabled" },
    });
  for (const hostId of hostIds) expect((await hostRow(stack, hostId)).last_error).toBeNull();
});

it("a BMC that is busy now and then, and opens its sessions with 200, is waited for", async () => {
  const [machine] = stack.machines.slice(8);
  if (machine === undefined) throw new Error("the fleet has no ninth host");
  await stack.fleet.fault(machine.serial, { quirks: ["sessionOk", "busy"] });
  const hostIds = await onboard(stack, [machine]);
  for (const hostId of hostIds) expect((await hostRow(stack, hostId)).last_error).toBeNull();
});

it("a BMC that tells no serial is of the host whose serial was given by hand, by its system UUID", async () => {
  const machine = stack.machines[3];
  if (machine === undefined) throw new Error("the fleet has no fourth host");
  await stack.fleet.fault(machine.serial, { quirks: ["noSerial"] });
  // Enrols it once for its SKU and the values of its row.
  const [other = ""] = await enroll(stack, [{ ...machine, name: "sku" }]);
  await stack.pool.query("DELETE FROM host WHERE id = $1", [other]);
  const { name, bmc, sku, macs, networkInterfaces } = machine;
  await perform(stack, "provider-admin", enrollList, {
    site: await siteName(),
    secrets: {},
    firstContact: "confirm",
    goal: "ready",
    dryRun: false,
    hosts: [
      {
        name,
        bmcAddress: bmc.address,
        bmcUsername: bmc.username,
        bmcPassword: stack.bmcPassword,
        sku,
        macs: macs.join(" "),
        networkInterfaces: networkInterfaces.join(" "),
      },
    ],
  });
  const { rows } = await stack.pool.query<{ id: string }>("SELECT id FROM host WHERE name = $1", [name]);
  const hostId = rows[0]?.id ?? "";
  await until("the reason", 60_000, async () => {
    const { last_error: said } = await hostRow(stack, hostId);
    return said?.includes("Enter the serial") === true || (said ?? "no error");
  });
  await perform(stack, "provider-admin", setBmc, {
    hostId,
    expectedSerial: machine.serial,
    macs: [],
    retry: true,
  });
  await waitForStates(stack, [hostId], ["Ready"], 200_000);
});

it("two systems behind one BMC are two hosts, and its sessions end with the last of them", async () => {
  const generic = stack.machines.filter(({ vendor }) => vendor === "generic");
  const [one, two] = await stack.fleet.together(generic.map(({ serial }) => serial));
  if (one === undefined || two === undefined) throw new Error("the fleet has two generic hosts");
  const site = await siteName();
  const list = {
    site,
    secrets: {},
    firstContact: "confirm" as const,
    goal: "manageable" as const,
    dryRun: false,
    hosts: [
      {
        name: "unnamed",
        bmcAddress: one.bmc.address,
        bmcUsername: one.bmc.username,
        bmcPassword: stack.bmcPassword,
      },
    ],
  };
  // Without a system it stops and lists the ones there are.
  await perform(stack, "provider-admin", enrollList, list);
  const named = "SELECT id FROM host WHERE name = 'unnamed'";
  const unnamed = (await stack.pool.query<{ id: string }>(named)).rows[0]?.id ?? "";
  await until("the systems of the BMC", 60_000, async () => {
    const { last_error: said } = await hostRow(stack, unnamed);
    return [one, two].every(({ bmc }) => said?.includes(bmc.system ?? "?") === true) || (said ?? "no error");
  });
  await perform(stack, "provider-admin", deleteHost, { hostId: unnamed });
  await until("its deletion", 60_000, async () => (await stack.pool.query(named)).rows.length === 0);

  const hostIds = await onboard(stack, [one, two]);
  for (const [index, machine] of [one, two].entries())
    expect(await hostRow(stack, hostIds[index] ?? "")).toMatchObject({
      name: machine.name,
      last_error: null,
    });
  const sessions = () => stack.fleet.sessionsOf(one, stack.bmcPassword);
  expect(await sessions()).toBeGreaterThan(0);
  const gone = async (hostId = "") => {
    await perform(stack, "provider-admin", deleteHost, { hostId });
    await until(
      "the deletion",
      60_000,
      async () => (await stack.pool.query("SELECT FROM host WHERE id = $1", [hostId])).rows.length === 0,
    );
  };
  await gone(hostIds[0]);
  await gone(hostIds[1]);
  await until("the end of the sessions", 20_000, async () => {
    const left = await sessions();
    return left === 0 || `${left} sessions`;
  });
});
