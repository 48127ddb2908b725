// After a restart a BMC may number its tasks from 1 again: the completed task at the path of an erase may be another one.
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

const path = "/redfish/v1/TaskService/Tasks/1";
const first = "2026-11-30T08:00:00+01:00";

it.each([
  ["another restart time", first, "2026-11-30T09:30:00+01:00", "restarted since the erase began"],
  ["a restart time for the first time", null, first, "restarted since the erase began"],
  // The same instant, a little rounded, in another zone.
  ["the same restart time", first, "2026-11-30T07:00:03Z", "drive A is no longer there"],
  ["no restart time any more", first, null, "drive A is no longer there"],
  ["nothing to a server of 0.2.0, which kept none", undefined, first, "drive A is no longer there"],
])("a completed task is looked at when the BMC tells %s", async (_what, lastReset, now, words) => {
  bmc = await TreeBmc.start("dell");
  client = clientForTests().client;
  const target = await discoveredTarget(bmc, client);
  bmc.fault = ({ path: asked }, response) =>
    (asked === path &&
      (send(response, 200, { "@odata.id": path, Name: "Erase", TaskState: "Completed" }), true)) ||
    (/\/Managers\/[^/]+$/.test(asked) && (send(response, 200, { LastResetTime: now }), true));
  const code = typeOf(client, "idrac").steps.get("raid.secure_erase_drives");
  const handle = {
    drives: [{ serial: "A", task: path, sentAt: Date.now() }],
    ...(lastReset === undefined ? {} : { lastReset }),
  };
  const call = { target, args: {}, known: { platform: noPlatformFacts, baseline: null } };
  expect(JSON.stringify(await code?.check(call, handle, within))).toContain(words);
});
