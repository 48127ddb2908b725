// A system that cannot be read is treated as another host's, so what belongs to the service is left alone.
import { expect, it } from "vitest";
import { beginWithLinks } from "@/server/hardware/redfish/power";
import { otherSystem } from "@/server/hardware/redfish/resources/other-systems";
import { clientForTests, discoveredTarget, within } from "@/server/hardware/redfish/testing/setup";
import { TreeBmc } from "@/server/hardware/redfish/testing/tree-bmc";

const other = "/redfish/v1/Systems/other";
const restarts = {
  Actions: { "#ComputerSystem.Reset": { target: `${other}/Actions/ComputerSystem.Reset` } },
};
/** `Boot` of HGX_Baseboard_0 of the public tree of a GH200 (libredfish, tests/mockups/nvidia_gh200): what may be set, and nothing that is. */
const gh200Boot = {
  BootOrderPropertySelection: "BootOrder",
  "BootSourceOverrideEnabled@Redfish.AllowableValues": ["Once", "Continuous", "Disabled"],
  "BootSourceOverrideTarget@Redfish.AllowableValues": [
    "None",
    "Pxe",
    "Hdd",
    "Cd",
    "Diags",
    "BiosSetup",
    "Usb",
  ],
};

it.each([
  ["no other", null, null],
  ["one that cannot be read", 503, other],
  ["a GPU board", { SystemType: "Physical" }, null],
  ["the GPU board of a GH200", { SystemType: "Physical", Boot: gh200Boot }, null],
  ["a DPU", { SystemType: "DPU", Boot: {}, ...restarts }, null],
  ["a machine", { SystemType: "Physical", Boot: {}, ...restarts }, other],
  [
    "a machine that tells no action",
    { SystemType: "Physical", Boot: { BootSourceOverrideEnabled: "Disabled" } },
    other,
  ],
  ["a partition of a machine", { SystemType: "PhysicallyPartitioned", Boot: {}, ...restarts }, other],
  ["a machine of a type that is not known here", { SystemType: "Rack", Boot: {}, ...restarts }, other],
] as const)("a service with %s", async (_, told, path) => {
  const bmc = await TreeBmc.start("lenovo");
  const { client } = clientForTests({ limits: { retryWaitsMs: [] } });
  try {
    const target = await discoveredTarget(bmc, client);
    const own = target.links?.system ?? "";
    bmc.fault = (request, response) => {
      if (told === null) return false;
      if (request.path === other && typeof told === "number") response.writeHead(told).end();
      else if (request.path === other)
        response
          .writeHead(200, { "Content-Type": "application/json" })
          .end(JSON.stringify({ "@odata.id": other, ...(told as object) }));
      else if (/\/Systems\/?$/.test(request.path))
        response.writeHead(200, { "Content-Type": "application/json" }).end(
          JSON.stringify({
            Members: [own, other].map((id) => ({ "@odata.id": id })),
            "Members@odata.count": 2,
          }),
        );
      else return false;
      return true;
    };
    const begun = await beginWithLinks(client, target, within);
    if (!begun.ok) throw new Error(begun.error.message);
    expect(await otherSystem(client, begun.call, begun.links.system)).toEqual({ ok: true, path });
  } finally {
    await client.close();
    await bmc.stop();
  }
});
