// The two captured trees of ../trees: unpacked once, at start.
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { bmcUsername } from "@/server/simulator/bmc/answer";
import { readArchive } from "@/server/simulator/bmc/archive";
import { makeTree, type Tree } from "@/server/simulator/bmc/tree";
import { models } from "@/server/simulator/fleet/models";

const resource = z.record(z.string(), z.unknown());

/** Beside the source, or from the bundle in dist/. */
function fileOf(name: string): URL {
  const candidates = [`../trees/${name}`, `../server/simulator/trees/${name}`].map((path) => new URL(path, import.meta.url));
  const found = candidates.find((url) => existsSync(url));
  if (!found) throw new Error(`the captured Redfish tree ${name} is at none of ${candidates.map(String).join(", ")}`);
  return found;
}

function resources(name: string): Map<string, Record<string, unknown>> {
  const tree = new Map<string, Record<string, unknown>>();
  for (const [file, content] of readArchive(readFileSync(fileOf(name)))) {
    if (!file.endsWith("/index.json")) continue;
    tree.set(`/${file.slice(0, -"/index.json".length)}`, resource.parse(JSON.parse(content)));
  }
  return tree;
}

/** The account by which the fleet is managed is the site's, and not in the captures. */
function withAccount(tree: Map<string, Record<string, unknown>>, path: string): Map<string, Record<string, unknown>> {
  return tree.set(path, { ...tree.get(path), UserName: bmcUsername, Enabled: true, RoleId: "Administrator" });
}

export function dellTree(): Tree {
  return makeTree({
    resources: withAccount(resources("dell-poweredge-r750.tar.gz"), "/redfish/v1/AccountService/Accounts/3"),
    system: "/redfish/v1/Systems/System.Embedded.1",
    sessions: "/redfish/v1/SessionService/Sessions",
    poweredWith: ["/redfish/v1/Chassis/System.Embedded.1"],
    serial: "CNIVC0014M0388",
    serviceTag: "F54P1G3",
    uuid: "4c4c4544-0035-3410-8050-c6c04f314733",
    macs: models.dell.nics.map(({ captured }) => captured),
    driveSerials: ["61X0A002TCD8", "61M0A08ZTCD8", "61P0A06CTCD8"],
  });
}

export function lenovoTree(): Tree {
  return makeTree({
    resources: withAccount(resources("lenovo-thinksystem-sr670.tar.gz"), "/redfish/v1/AccountService/Accounts/4"),
    system: "/redfish/v1/Systems/1",
    sessions: "/redfish/v1/SessionService/Sessions",
    poweredWith: ["/redfish/v1/Chassis/1"],
    serial: "J101RZ43",
    serviceTag: "J101RZ43",
    uuid: "bc20d65a-1a53-11ec-8c43-7e8ae1d5a277",
    macs: models.lenovo.nics.map(({ captured }) => captured),
    driveSerials: ["PHAB1234034Z1P9SGN", "PHAB123401GY1P9SGN"],
  });
}
