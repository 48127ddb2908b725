// What people do with many hosts in a test: by the use cases, never past them.
import { skuPartClasses } from "@/server/domain/hosts/parts/sku-parts";
import type { ManualStep } from "@/server/domain/cleaning/plan/manual";
import type { Role } from "@/server/domain/access/roles";
import type { Machine } from "@/server/testing/fleet-control";
import { hostRows, describeStates, untilRead, waitForStates } from "@/server/testing/hosts";
import type { Stack } from "@/server/testing/stack";
import { until } from "@/server/testing/until";
import type { Outcome } from "@/server/usecases/problem";
import { startCleaning } from "@/server/usecases/cleaning/start-cleaning";
import { enrollHosts } from "@/server/usecases/hosts/acts/enroll-hosts";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { provideHost } from "@/server/usecases/hosts/acts/provide-host";
import { claimHost } from "@/server/usecases/instances/claim-host";
import { releaseInstance } from "@/server/usecases/instances/release-instance";
import type { Act } from "@/server/usecases/define-act";

const hardwareTypeOf = { dell: "idrac", lenovo: "xclarity", generic: "redfish" } as const;

/** Acts as `role` and gives the value; a refusal is an error of the test. */
export async function perform<Input, Value>(
  { world }: Stack,
  role: Role,
  act: Act<Input, Value>,
  input: Input,
): Promise<Value> {
  return granted(await act(world.backend, world.actor(role), world.request(), input));
}

/** As many at once as a world has connections: on a busy machine the last of 40 would wait longer for one than a transaction may. */
async function each<Item, Value>(
  items: readonly Item[],
  act: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  for (let from = 0; from < items.length; from += 6)
    values.push(...(await Promise.all(items.slice(from, from + 6).map(act))));
  return values;
}

export function granted<Value>(outcome: Outcome<Value>): Value {
  if (!outcome.ok) throw new Error(`${outcome.problem.code}: ${outcome.problem.detail}`);
  return outcome.value;
}

export async function skuOf({ world, previous }: Stack, machine: Machine): Promise<string> {
  const storage = new Map<string, { media: string; count: number; capacityBytes: string }>();
  for (const { media, capacityBytes } of machine.drives) {
    const key = `${media} ${capacityBytes}`;
    storage.set(key, { media, capacityBytes, count: (storage.get(key)?.count ?? 0) + 1 });
  }
  const components = {
    manufacturer: machine.manufacturer,
    product: machine.model,
    cpus: { count: machine.cpus.length, model: machine.cpus[0]?.model ?? "" },
    memoryBytes: machine.memoryBytes,
    storage: [...storage.values()],
    infiniband: machine.infiniband.filter(({ dpu }) => !dpu).length,
    // The previous release compares no parts, so the database lets it make no host Ready whose SKU names some.
    ...(previous === null ? { parts: skuPartClasses.parse(machine.parts) } : {}),
  };
  const sku = await world.backend.database.sku.upsert({
    where: { name: machine.sku },
    update: {},
    create: { name: machine.sku, components },
  });
  return sku.id;
}

/** Makes machines known; gives their host ids, in order. */
export async function enroll(stack: Stack, machines: readonly Machine[]): Promise<string[]> {
  const hosts = [];
  for (const machine of machines) {
    const { name, serial, uuid, macs, bmc, networkInterfaces } = machine;
    hosts.push({
      name,
      serial,
      systemUuid: uuid,
      macs: [...macs],
      skuId: await skuOf(stack, machine),
      rack: machine.rack,
      slot: String(machine.slot),
      hardwareType: hardwareTypeOf[machine.vendor],
      manufacturer: machine.manufacturer,
      model: machine.model,
      bmcAddress: bmc.address,
      bmcSystem: bmc.system,
      bmcUsername: bmc.username,
      bmcPassword: stack.bmcPassword,
      networkInterfaces: [...networkInterfaces],
    });
  }
  const enrolled = await perform(stack, "provider-admin", enrollHosts, { siteId: stack.world.siteId, hosts });
  return enrolled.map(({ hostId }) => hostId);
}

export async function manage(stack: Stack, hostIds: readonly string[]): Promise<void> {
  const { world } = stack;
  await each(hostIds, (hostId) => perform(stack, "operator", manageHost, { hostId }));
  await until(`${hostIds.length} hosts in Manageable`, 200_000, async () => {
    const rows = await hostRows(stack, hostIds);
    const open = rows.filter(({ state }) => state !== "Manageable");
    // On a busy machine a BMC may have been too slow: whoever asked asks again, unless the host has moved on meanwhile.
    const back = open.filter(({ state, last_error }) => state === "Enroll" && last_error !== null);
    await Promise.all(
      back.map(({ host_id: hostId }) =>
        manageHost(world.backend, world.actor("operator"), world.request(), { hostId }),
      ),
    );
    return open.length === 0 || describeStates(open);
  });
}

export async function provide(stack: Stack, hostIds: readonly string[]): Promise<void> {
  await each(hostIds, (hostId) => perform(stack, "operator", provideHost, { hostId }));
}

/** Asks for a manual cleaning, and waits until the controller has read that. */
export async function clean(stack: Stack, hostId: string, steps: readonly ManualStep[]): Promise<void> {
  await perform(stack, "operator", startCleaning, { hostId, steps: [...steps] });
  await untilRead(stack, hostId, "clean");
}

/** From unknown to Ready. */
export async function onboard(
  stack: Stack,
  machines: readonly Machine[],
  limitMs = 300_000,
): Promise<string[]> {
  const hostIds = await enroll(stack, machines);
  await manage(stack, hostIds);
  await provide(stack, hostIds);
  await waitForStates(stack, hostIds, ["Ready"], limitMs);
  return hostIds;
}

/** Claims exactly these hosts, which a repair tenant may; gives the instances, in order. */
export async function claim(stack: Stack, hostIds: readonly string[]): Promise<string[]> {
  const instances = await each(hostIds, (hostId) =>
    perform(stack, "repair-tenant-admin", claimHost, { name: `i-${hostId}`, wanted: { hostId } }),
  );
  return instances.map(({ id }) => id);
}

/** Claims these hosts and waits until the tenant's system runs on them and has filled their drives. */
export async function assign(stack: Stack, hostIds: readonly string[], limitMs = 300_000): Promise<string[]> {
  const instances = await claim(stack, hostIds);
  await waitForStates(stack, hostIds, ["Assigned/Ready"], limitMs);
  const rows = await stack.world.backend.database.host.findMany({
    where: { id: { in: [...hostIds] } },
    select: { serial: true },
  });
  for (const { serial } of rows) {
    if (serial === null) throw new Error("an assigned host has a serial");
    await until(`the tenant's system on ${serial}`, limitMs, async () => {
      const { running, holdsTenantData } = await stack.fleet.machine(serial);
      return (running === "tenant" && holdsTenantData) || running;
    });
  }
  return instances;
}

export async function release(stack: Stack, instanceIds: readonly string[]): Promise<void> {
  await Promise.all(
    instanceIds.map((instanceId) => perform(stack, "repair-tenant-admin", releaseInstance, { instanceId })),
  );
}
