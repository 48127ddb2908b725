// What a Ready host is compared in, of the two captured machines.
import { expect, it } from "vitest";
import { message, send, TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";
import { clientForTests, discoveredTarget, typeOf, within } from "@/server/hardware/redfish/testing/setup";

async function watched(tree: "dell" | "lenovo", prepare: (bmc: TreeBmc) => void = () => undefined) {
  const bmc = await TreeBmc.start(tree);
  const { client } = clientForTests();
  try {
    const target = await discoveredTarget(bmc, client);
    prepare(bmc);
    return await typeOf(client, tree === "dell" ? "idrac" : "xclarity").inventory.watch(target, within);
  } finally {
    await client.close();
    await bmc.stop();
  }
}

it("reads what the Dell machine offers", async () => {
  const read = await watched("dell");
  expect(read).toMatchObject({
    ok: true,
    value: { watched: { unnamed: [], intrusion: "Normal", resetMark: expect.any(String) } },
  });
  if (!read.ok) return;
  const { drives, firmware, bmcTime } = read.value.watched;
  expect(drives).toContainEqual({ serial: "61P0A06CTCD8", model: "Dell Ent NVMe CM6 RI 1.92TB" });
  expect(drives).toHaveLength(3);
  expect(firmware).toContainEqual({ component: "BIOS", version: "1.8.2" });
  expect(firmware).toHaveLength(21);
  expect(bmcTime).not.toBeNull();
});

it("says what the Lenovo machine does not offer, and reads the rest", async () => {
  expect(await watched("lenovo")).toMatchObject({
    ok: true,
    value: {
      watched: { resetMark: null, intrusion: null, drives: expect.any(Array), firmware: expect.any(Array) },
    },
  });
});

it("is no reading if the BMC fails in the middle of it", async () => {
  const fails = await watched("dell", (bmc) => {
    bmc.fault = ({ path }, response) =>
      path.includes("/Chassis/") && (send(response, 500, message("Base.1.8.GeneralError", "busy")), true);
  });
  expect(fails).toMatchObject({ ok: false });
});
