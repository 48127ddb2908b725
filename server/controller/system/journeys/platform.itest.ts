// A real site under the default policy, but for measured boot: no host returns without a baseline, all do with one, and what somebody left on a BMC holds
// exactly that host (docs/adr/0143-platform-at-baseline.md).
import { afterAll, beforeAll, expect, it } from "vitest";
import { enroll, granted, manage, perform, provide } from "@/server/testing/acts";
import type { Machine } from "@/server/testing/fleet-control";
import { hostRow, untilRead, waitForState, waitForStates } from "@/server/testing/hosts";
import { startStack, type Stack } from "@/server/testing/stack";
import { allRequired } from "@/server/domain/cleaning/policy/policy";
import { baselines } from "@/server/controller/system/testing/baselines";
import { listPlatform } from "@/server/usecases/hosts/list/list-platform";
import { manageHost } from "@/server/usecases/hosts/acts/manage-host";
import { retryReclamation } from "@/server/usecases/hosts/acts/retry-reclamation";
import { restartReclamation } from "@/server/usecases/hosts/acts/restart-reclamation";

let stack: Stack;
let hostIds: string[];

beforeAll(async () => {
  // Two Dell, two Lenovo, one without `$expand`.
  stack = await startStack({
    ...{ hosts: 5, speed: 100_000 },
    policy: { requires: { ...allRequired, attestationPassed: false }, validationTests: [] },
  });
  await stack.pool.query("UPDATE site SET demo = false");
  hostIds = await enroll(stack, stack.machines);
  await manage(stack, hostIds);
  await provide(stack, hostIds);
});
afterAll(() => stack?.stop());

const hostOf = (machine: Machine): string => hostIds[stack.machines.indexOf(machine)] ?? "";
const machineOf = (vendor: Machine["vendor"]): Machine => {
  const found = stack.machines.find((machine) => machine.vendor === vendor);
  if (found === undefined) throw new Error(`no ${vendor} machine`);
  return found;
};

async function gateOf(
  hostId: string,
): Promise<{ readonly status: string; readonly reason: string } | undefined> {
  const { rows } = await stack.pool.query<{ status: string; reason: string }>(
    "SELECT g.status, g.reason FROM gate g JOIN reclamation c ON c.id = g.reclamation_id WHERE c.host_id = $1 AND g.gate = 'platformAtBaseline' ORDER BY c.number DESC LIMIT 1",
    [hostId],
  );
  return rows[0];
}

const erases = async (hostId: string): Promise<number> =>
  (await stack.pool.query("SELECT 1 FROM device_result WHERE host_id = $1", [hostId])).rowCount ?? 0;

it("no host returns while its SKU has no baseline, and each says so", async () => {
  await waitForStates(stack, hostIds, ["Failed/GateUnsatisfied"], 300_000);
  for (const hostId of hostIds)
    expect((await hostRow(stack, hostId)).last_error).toMatch(
      /platformAtBaseline: the SKU \S+ has no platform baseline: take one from a reference host/,
    );
});

it("with a baseline every host does, satisfied on each", async () => {
  const { database } = stack.world.backend;
  for (const { id, components } of await database.sku.findMany()) {
    const host = await database.host.findFirstOrThrow({ where: { skuId: id }, select: { serial: true } });
    const vendor = stack.machines.find(({ serial }) => serial === host.serial)?.vendor ?? "generic";
    await database.sku.update({
      where: { id },
      data: { components: { ...Object(components), baseline: baselines[vendor] } },
    });
  }
  for (const hostId of hostIds) {
    await perform(stack, "operator", restartReclamation, { hostId });
    await untilRead(stack, hostId, "restart");
  }
  await waitForStates(stack, hostIds, ["Ready"], 300_000);
  for (const hostId of hostIds) expect(await gateOf(hostId)).toMatchObject({ status: "satisfied" });
});

it("an account that no baseline allows holds exactly that host; once it is gone, a retry reads the platform again and erases nothing", async () => {
  const [generic, dell] = [machineOf("generic"), machineOf("dell")];
  const both = [hostOf(generic), hostOf(dell)];
  for (const machine of [generic, dell]) await stack.fleet.leaveOnBmc(machine.serial, { account: "tenant" });
  for (const hostId of both) {
    await perform(stack, "operator", manageHost, { hostId });
    await waitForState(stack, hostId, "Manageable");
  }
  await provide(stack, both);
  // The Dell SKU names its accounts: the step removes the other.
  await waitForState(stack, hostOf(dell), "Ready", 300_000);
  await waitForState(stack, hostOf(generic), "Failed/GateUnsatisfied", 300_000);
  expect((await hostRow(stack, hostOf(generic))).last_error).toMatch(
    /platformAtBaseline: accounts: none wanted, not allowed: tenant/,
  );
  const { world } = stack;
  const query = { item: "", found: "tenant", verdict: "different", cursor: null, limit: 200 } as const;
  const listed = granted(await listPlatform(world.backend, world.actor("auditor"), query));
  expect(listed.rows).toMatchObject([{ hostId: hostOf(generic), item: "accounts", named: false }]);
  const before = await erases(hostOf(generic));
  await stack.fleet.pastTheController(
    generic,
    stack.bmcPassword,
    "/redfish/v1/AccountService/Accounts/5",
    {},
    "DELETE",
  );
  await perform(stack, "operator", retryReclamation, { hostId: hostOf(generic) });
  await untilRead(stack, hostOf(generic), "retry");
  await waitForState(stack, hostOf(generic), "Ready", 300_000);
  expect(await erases(hostOf(generic))).toBe(before);
});

it("each other thing that somebody leaves is an item of its own, and holds exactly that host", async () => {
  const generic = machineOf("generic");
  const hostId = hostOf(generic);
  const left = [
    ["event subscriptions", { subscription: "https://evil.example" }],
    ["virtual media", { medium: "http://evil.example/a.iso" }],
    ["account keys", { key: "ssh-ed25519 AAAA evil" }],
    ["secure boot db", { certificate: "EVIL" }],
  ] as const;
  const { world } = stack;
  const query = { item: "", found: "", verdict: "different", cursor: null, limit: 200 } as const;
  const found: string[] = [];
  for (const [item, what] of left) {
    await stack.fleet.leaveOnBmc(generic.serial, what);
    if (found.length === 0) {
      await perform(stack, "operator", manageHost, { hostId });
      await waitForState(stack, hostId, "Manageable");
      await provide(stack, [hostId]);
    } else {
      // The platform alone is open, so a retry reads it again.
      await perform(stack, "operator", retryReclamation, { hostId });
      await untilRead(stack, hostId, "retry");
    }
    await waitForState(stack, hostId, "Failed/GateUnsatisfied", 300_000);
    found.push(item);
    const listed = granted(await listPlatform(world.backend, world.actor("auditor"), query));
    expect(listed.rows.map((row) => [row.hostId, row.item]).toSorted()).toEqual(
      found.map((each) => [hostId, each]).toSorted(),
    );
    for (const other of hostIds.filter((each) => each !== hostId))
      expect((await hostRow(stack, other)).state).toBe("Ready");
  }
});

it("a BMC that forgets our account at its reset to the defaults stops its host; once it lets us in the host returns, and so it does after a reset that keeps the account", async () => {
  const dell = machineOf("dell");
  const hostId = hostOf(dell);
  await stack.pool.query(
    "INSERT INTO step_override (scope, scope_id, interface, step, priority) VALUES ('host', $1, 'management', 'reset_bmc_to_defaults', 48)",
    [hostId],
  );
  const returned = async () => {
    await perform(stack, "operator", manageHost, { hostId });
    await waitForState(stack, hostId, "Manageable");
    await provide(stack, [hostId]);
  };
  const resets = async () =>
    (
      await stack.pool.query<{ attempt: number; status: string; message: string }>(
        "SELECT s.attempt, s.status, s.message FROM step_run s JOIN reclamation c ON c.id = s.reclamation_id WHERE c.host_id = $1 AND s.step = 'reset_bmc_to_defaults' ORDER BY c.number DESC LIMIT 1",
        [hostId],
      )
    ).rows[0];
  await stack.fleet.leaveOnBmc(dell.serial, { subscription: "https://evil.example" });
  await stack.fleet.fault(dell.serial, { quirks: ["forgetsAccounts"] });
  await returned();
  await waitForState(stack, hostId, "Failed/BmcRefused", 300_000);
  expect((await hostRow(stack, hostId)).last_error).toMatch(/does not accept Reclaim/);
  await stack.fleet.fault(dell.serial, { quirks: [] });
  await perform(stack, "operator", retryReclamation, { hostId });
  await waitForState(stack, hostId, "Ready", 300_000);
  expect(await resets()).toMatchObject({ status: "succeeded", attempt: 2 });
  await returned();
  await waitForState(stack, hostId, "Ready", 300_000);
  expect(await resets()).toMatchObject({ status: "succeeded", attempt: 1 });
});
