// From an empty site to Ready hosts with the command alone: a site document, a list of unknown BMCs, and a wait (docs/enrolment.md).
// The command, the servers and the simulated machines are separate processes that speak HTTP.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Role } from "@/server/domain/access/roles";
import { exitCodes } from "@/cli/exit-codes";
import { buildCommand } from "@/cli/testing/command";
import type { BuiltCommand, Ended } from "@/cli/testing/command";
import { startConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { ConsoleServer } from "@/server/surfaces/web/testing/console-server";
import type { Machine } from "@/server/testing/fleet-control";
import { startStack } from "@/server/testing/stack";
import type { Stack } from "@/server/testing/stack";
import { testPolicy } from "@/server/testing/test-policy";

const hosts = 10;
const limitMs = 300_000;

let stack: Stack;
let server: ConsoleServer;
let command: BuiltCommand;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [stack, command] = await Promise.all([
    startStack({ hosts, speed: 2_000, emptySite: true }),
    buildCommand(),
  ]);
  server = await startConsoleServer(stack.world);
  // A real site, where gates that Reclaim cannot check block its hosts unless the site document turns them off.
  await stack.world.backend.database.site.updateMany({ data: { demo: false } });
  env = { NETWORK_TOKEN: stack.network.token, BMC_PASSWORD: stack.bmcPassword };
}, limitMs);
afterAll(async () => {
  command.remove();
  await server.stop();
  await stack.stop();
});

const as = async (role: Role, ...args: string[]): Promise<Ended> =>
  command.run(args, { url: server.url, token: await server.token(role), env });
const reclaim = (...args: string[]): Promise<Ended> => as("provider-admin", ...args);

function file(name: string, text: string): string {
  const path = join(command.folder, name);
  writeFileSync(path, text);
  return path;
}

/** A machine's components, as its buyer would write them down. */
function componentsOf({ manufacturer, model, cpus, memoryBytes, drives, infiniband }: Machine) {
  const kinds = new Map<string, Machine["drives"]>();
  for (const drive of drives) {
    const key = `${drive.media} ${drive.capacityBytes}`;
    kinds.set(key, [...(kinds.get(key) ?? []), drive]);
  }
  return {
    manufacturer,
    product: model,
    cpus: { count: cpus.length, model: cpus[0]?.model ?? "" },
    memoryBytes,
    storage: [...kinds.values()].flatMap((same) => {
      const [first] = same;
      return first === undefined
        ? []
        : [{ media: first.media, count: same.length, capacityBytes: first.capacityBytes }];
    }),
    infiniband: infiniband.filter(({ dpu }) => !dpu).length,
  };
}

/** The number of hosts in a state, according to the command. */
async function countIn(state: string): Promise<number> {
  const listed = await reclaim("hosts", "list", `state:${state}`, "-o", "json");
  const rows: unknown[] = JSON.parse(listed.stdout);
  return rows.length;
}

const withoutUnbuilt = {
  platformAtBaseline: false,
  deviceMemoryCleared: false,
  attestationPassed: false,
  healthy: false,
  assuranceSigned: false,
};

it(
  "a document and a list bring unknown machines to Ready",
  async () => {
    const models = [...new Map(stack.machines.map((machine) => [machine.sku, machine])).values()];
    const site = file(
      "site.yaml",
      stringify({
        format: 1,
        site: "a",
        networkController: {
          url: stack.network.url,
          token: { fromEnv: "NETWORK_TOKEN" },
          acknowledgementToken: { fromEnv: "NETWORK_TOKEN" },
        },
        policy: testPolicy({ requires: withoutUnbuilt }),
        skus: models.map((machine) => ({ name: machine.sku, components: componentsOf(machine) })),
      }),
    );
    expect(await reclaim("site", "apply", "-f", site, "--yes")).toMatchObject({ code: 0 });

    const lines = stack.machines.map(({ name, bmc, rack, slot }) =>
      [name, bmc.address, bmc.username, "env:BMC_PASSWORD", rack, slot].join(","),
    );
    const list = file(
      "hosts.csv",
      ["name,bmc_address,bmc_username,bmc_password_from,rack,slot", ...lines].join("\n"),
    );
    const enrolled = await reclaim("hosts", "enroll", "--file", list, "--accept-first-contact", "--wait");
    // Lenovo BMCs list no network cards: their hosts stop with that reason, and continue once somebody says which cards are cabled.
    const silent = stack.machines.filter(({ vendor }) => vendor === "lenovo");
    expect(enrolled.code).toBe(exitCodes.otherwise.code);
    expect(enrolled.stderr).toContain(`${silent.length} of ${hosts} hosts need`);
    for (const { name, macs } of silent)
      expect(await reclaim("hosts", "set-bmc", name, "--macs", macs.join(","))).toMatchObject({ code: 0 });
    const shown = await reclaim("enrolments", "list", "-o", "json");
    const [{ id }]: [{ id: string }] = JSON.parse(shown.stdout);
    const waited = await reclaim("enrolments", "wait", id);
    const table = await reclaim("enrolments", "show", id);
    expect(waited.code, `${waited.stderr}\n${table.stdout}`).toBe(0);

    const ready: { name: string; sku: string; state: string }[] = JSON.parse(
      (await reclaim("hosts", "list", "-o", "json")).stdout,
    );
    // Everything that was not entered was discovered: SKU, hardware type, serial number, network cards.
    expect(ready.map(({ name, sku, state }) => [name, sku, state]).sort()).toEqual(
      stack.machines.map(({ name, sku }) => [name, sku, "Ready"]).sort(),
    );
    const learned = await stack.world.backend.database.host.findMany({
      select: { serial: true, hardwareType: true },
    });
    const types = { dell: "idrac", lenovo: "xclarity", generic: "redfish" };
    expect(learned.map(({ serial, hardwareType }) => [serial, hardwareType]).sort()).toEqual(
      stack.machines.map(({ serial, vendor }) => [serial, types[vendor]]).sort(),
    );
  },
  limitMs,
);

it(
  "two of them are handed out, and come back",
  async () => {
    const [first, other] = [...new Set(stack.machines.map(({ sku }) => sku))];
    const taken = [
      ["train-1", first ?? ""],
      ["train-2", other ?? ""],
    ] as const;
    for (const [name, sku] of taken)
      expect(await as("tenant-admin", "instances", "create", name, "--sku", sku)).toMatchObject({ code: 0 });
    const ended = { timeout: limitMs, interval: 500 };
    await expect.poll(() => countIn("Assigned/Ready"), ended).toBe(taken.length);
    expect(await countIn("Ready")).toBe(hosts - taken.length);
    for (const [name] of taken)
      expect(await as("tenant-admin", "release", name, "--yes")).toMatchObject({ code: 0 });
    await expect.poll(() => countIn("Ready"), ended).toBe(hosts);
    const [debts, gates] = await Promise.all([
      stack.world.backend.database.debt.findMany({ select: { clearedAt: true } }),
      stack.world.backend.database.gate.findMany({ select: { status: true, reason: true } }),
    ]);
    expect(debts).toHaveLength(taken.length);
    expect(debts.every(({ clearedAt }) => clearedAt !== null)).toBe(true);
    // Whatever was waived was left out by the site's policy, which says so.
    expect([...new Set(gates.map(({ status }) => status))].sort()).toEqual([
      "not required",
      "satisfied",
      "waived",
    ]);
    for (const { reason } of gates.filter(({ status }) => status === "waived"))
      expect(reason).toMatch(/^the site's policy does not require .* \(policy version \d+, /);
  },
  limitMs,
);
