// After the reset of a BMC the account that we sign in with is looked for once more.
import { afterEach, expect, it } from "vitest";
import { noPlatformFacts } from "@/server/domain/hosts/inventory/platform";
import type { RedfishClient } from "@/server/hardware/redfish/client/client";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";
import { send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

let bmc: TreeBmc;
let client: RedfishClient;

afterEach(async () => {
  await bmc.stop();
  await client.close();
});

it.each([
  ["done", () => false],
  ["failed", (path: string) => /\/Accounts\/\d+$/.test(path)],
])("the step is %s where it is there, or not", async (kind, isHidden) => {
  bmc = await TreeBmc.start("dell");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path }, response) =>
    isHidden(path) && (send(response, 200, { "@odata.id": path, UserName: "another", Enabled: true }), true);
  const code = typeOf(client, "idrac").steps.get("management.reset_bmc_to_defaults");
  const call = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
  expect(await code?.check(call, { booted: true }, within)).toMatchObject({ ok: true, value: { kind } });
});

// A BMC that starts serves some resources before others. Only silence, or a service that says that it is not there, is a sign of a restart.
it.each([
  [404, false],
  [500, false],
  [503, true],
])("a manager that answers %i while it starts is waited for", async (status, wasAway) => {
  bmc = await TreeBmc.start("dell");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path }, response) => /\/Managers\/[^/]+$/.test(path) && (send(response, status, {}), true);
  const code = typeOf(client, "idrac").steps.get("management.reset_bmc_to_defaults");
  const call = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
  const handle = { lastReset: null, session: null, wasAway: false };
  expect(await code?.check(call, handle, within)).toMatchObject({
    ok: true,
    value: { kind: "running", handle: { wasAway } },
  });
});

it("without an answer for the kinds of reset is not ended for good", async () => {
  bmc = await TreeBmc.start("dell");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  const { manager } = target.links;
  const { Actions: _actions, ...rest } = bmc.contentOf(manager);
  const reset = {
    target: `${manager}/Actions/Manager.ResetToDefaults`,
    "@Redfish.ActionInfo": `${manager}/Info`,
  };
  bmc.replaced.set(manager, { ...rest, Actions: { "#Manager.ResetToDefaults": reset } });
  bmc.fault = ({ path }, response) => path === `${manager}/Info` && (send(response, 503, {}), true);
  const code = typeOf(client, "idrac").steps.get("management.reset_bmc_to_defaults");
  const call = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
  expect(await code?.begin(call, within)).toMatchObject({
    ok: false,
    error: { kind: "failed", status: 503 },
  });
  expect(bmc.takeLines().filter((line) => !line.startsWith("GET"))).toEqual([]);
});
