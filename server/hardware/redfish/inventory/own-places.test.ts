// Firmware of a service with several systems.
import { expect, it } from "vitest";
import { typeOf, discoveredTarget, clientForTests, within } from "@/server/hardware/redfish/testing/setup";
import { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

const root = "/redfish/v1";
const systems = ["1", "2"].map((id) => `${root}/Systems/${id}`);
const links = (paths: readonly string[]) => paths.map((path) => ({ "@odata.id": path }));

it("is not updated where another host has it too, nor where a chassis of several has it", async () => {
  const bmc = await TreeBmc.start("lenovo");
  const { client } = clientForTests();
  const second = { ...bmc.contentOf(`${root}/Systems/1`), "@odata.id": `${root}/Systems/2` };
  const list = (paths: readonly string[]) => ({ Members: links(paths), "Members@odata.count": paths.length });
  bmc.replaced.set(`${root}/Systems`, list(systems));
  bmc.replaced.set(`${root}/Systems/2`, second);
  const inventory = `${root}/UpdateService/FirmwareInventory`;
  bmc.replaced.set(inventory, list(["both", "frame", "own"].map((id) => `${inventory}/${id}`)));
  const related = { both: systems, frame: [`${root}/Chassis/1`], own: [`${root}/Systems/1/Bios`] };
  for (const [id, paths] of Object.entries(related))
    bmc.replaced.set(`${inventory}/${id}`, { Id: id, Name: id, Version: "1", RelatedItem: links(paths) });
  const chassis = bmc.contentOf(`${root}/Chassis/1`);
  const frame = (paths: readonly string[]) =>
    bmc.replaced.set(`${root}/Chassis/1`, { ...chassis, Links: { ComputerSystems: links(paths) } });
  frame(systems);
  const target = await discoveredTarget(bmc, client, {
    system: { path: systems[0] ?? null, serial: null, systemUuid: null },
  });
  const type = typeOf(client, "redfish");
  const read = await type.inventory.collect(target, within);
  if (!read.ok) throw new Error(read.error.message);
  const { platform, firmware } = read.value.inventory;
  expect(firmware.map(({ component }) => component)).toEqual(["both", "own"]);
  // The captured tree fetches by TFTP and SFTP only, and a file that cannot be compared is not written.
  const service = bmc.contentOf("/redfish/v1/UpdateService");
  const update = { target: "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate" };
  bmc.replaced.set("/redfish/v1/UpdateService", {
    ...service,
    Actions: { "#UpdateService.SimpleUpdate": update },
  });
  const said = async (component: string) => {
    const settings = [{ component, url: "http://images.example/2", checksum: "a".repeat(64) }];
    const call = { target, args: { settings }, known: { platform, baseline: null } };
    const options = { ...within, permit: async () => true };
    const begun = await type.steps.get("firmware.update")?.begin(call, options);
    return begun?.ok === true && begun.value.kind === "failed" ? begun.value.message : JSON.stringify(begun);
  };
  expect(await said("both")).toContain("is not of this system alone");
  expect(await said("frame")).toContain("is not linked to this system");
  // The captured tree supports no update, so the 404 shows that the request was sent.
  expect(await said("own")).toContain("SimpleUpdate was answered 404");
  frame(systems.slice(0, 1));
  expect(await said("frame")).toContain("SimpleUpdate was answered 404");
  // A board beside the host shares no firmware with another host.
  bmc.replaced.set(`${root}/Systems/2`, { ...second, Boot: null });
  expect(await said("both")).toContain("SimpleUpdate was answered 404");
  await client.close();
  await bmc.stop();
});
