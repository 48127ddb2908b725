// The two captured trees of ../trees, unpacked once at start.
import { z } from "zod";
import { bmcUsername } from "@/server/simulator/bmc/answer";
import { withCard } from "@/server/simulator/bmc/boot-cards";
import { makeTree, type Tree } from "@/server/simulator/bmc/tree";
import { models } from "@/server/simulator/fleet/models";
import { readCapture } from "@/server/simulator/trees/read-capture";

const resource = z.record(z.string(), z.unknown());

const unpacked = new Map<string, Map<string, Record<string, unknown>>>();

/** Unpacked once per process; a tree is made from it for each kind of machine. */
function resources(name: string): ReadonlyMap<string, Record<string, unknown>> {
  const known = unpacked.get(name);
  if (known !== undefined) return known;
  const tree = new Map<string, Record<string, unknown>>();
  for (const [file, content] of readCapture(name)) {
    if (!file.endsWith("/index.json")) continue;
    tree.set(`/${file.slice(0, -"/index.json".length)}`, resource.parse(JSON.parse(content)));
  }
  unpacked.set(name, tree);
  return tree;
}

/** Adds the account that manages the fleet. It belongs to the site and is not in the captures. */
function withAccount(
  tree: ReadonlyMap<string, Record<string, unknown>>,
  path: string,
): Map<string, Record<string, unknown>> {
  return new Map(tree).set(path, {
    ...tree.get(path),
    UserName: bmcUsername,
    Enabled: true,
    RoleId: "Administrator",
  });
}

/** Lists that the captured BMC links to and whose files are not in the capture. */
function withKeyLists(
  tree: ReadonlyMap<string, Record<string, unknown>>,
): Map<string, Record<string, unknown>> {
  const all = new Map(tree);
  const databases = "/redfish/v1/Systems/System.Embedded.1/SecureBoot/SecureBootDatabases";
  for (const name of ["db", "dbx", "KEK", "PK"])
    all.set(`${databases}/${name}/Certificates`, {
      ...{ "@odata.id": `${databases}/${name}/Certificates`, Name: "Certificates" },
      ...{ "@odata.type": "#CertificateCollection.CertificateCollection" },
      ...{ Members: [], "Members@odata.count": 0 },
    });
  return all;
}

/**
 * The mode of the BlueField that is in the machine, in the form of a BlueField-3's own BMC ("Modes of Operation" of NVIDIA's BlueField BMC Software):
 * the captured iDRAC does not show it.
 */
function withDpuMode(
  tree: ReadonlyMap<string, Record<string, unknown>>,
  system: string,
): Map<string, Record<string, unknown>> {
  const path = `${system}/Oem/Nvidia`;
  const shown = resource.parse(tree.get(system));
  return new Map(tree)
    .set(system, { ...shown, Oem: { ...resource.parse(shown["Oem"]), Nvidia: { "@odata.id": path } } })
    .set(path, { "@odata.id": path, Id: "Nvidia", Mode: "DpuMode" });
}

export function dellTree(model: "dell" | "dellBoss"): Tree {
  const system = "/redfish/v1/Systems/System.Embedded.1";
  const captured = withDpuMode(
    withAccount(withKeyLists(resources("dell-poweredge-r750")), "/redfish/v1/AccountService/Accounts/3"),
    system,
  );
  return makeTree({
    resources: model === "dell" ? captured : withCard(captured, `${system}/Storage`, model),
    system,
    sessions: "/redfish/v1/SessionService/Sessions",
    poweredWith: ["/redfish/v1/Chassis/System.Embedded.1"],
    serial: "CNIVC0014M0388",
    serviceTag: "F54P1G3",
    uuid: "4c4c4544-0035-3410-8050-c6c04f314733",
    macs: models.dell.nics.map(({ captured }) => captured),
    driveSerials: models[model].drives.map(({ capturedSerial }) => capturedSerial),
    partSerials: models[model].parts.map(({ capturedSerial }) => capturedSerial),
  });
}

export function lenovoTree(model: "lenovo" | "lenovoKit"): Tree {
  const captured = withAccount(
    resources("lenovo-thinksystem-sr670"),
    "/redfish/v1/AccountService/Accounts/4",
  );
  return makeTree({
    resources: model === "lenovo" ? captured : withCard(captured, "/redfish/v1/Systems/1/Storage", model),
    system: "/redfish/v1/Systems/1",
    sessions: "/redfish/v1/SessionService/Sessions",
    poweredWith: ["/redfish/v1/Chassis/1"],
    serial: "J101RZ43",
    serviceTag: "J101RZ43",
    uuid: "bc20d65a-1a53-11ec-8c43-7e8ae1d5a277",
    macs: models.lenovo.nics.map(({ captured }) => captured),
    driveSerials: models[model].drives.map(({ capturedSerial }) => capturedSerial),
    partSerials: models[model].parts.map(({ capturedSerial }) => capturedSerial),
  });
}
