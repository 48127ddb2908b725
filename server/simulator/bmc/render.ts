// Fills the holes of a shared resource with the identity and state of one host.
import { fill, type Hole, type StateProperty } from "@/server/simulator/bmc/template";
import { uuidForm, type Tree } from "@/server/simulator/bmc/tree";
import { serialOfPart } from "@/server/simulator/host/part-tools";
import { macOf } from "@/server/simulator/fleet/blueprint";
import type { SimulatedHost } from "@/server/simulator/host/simulated-host";

/** Changes whenever anything that Redfish shows of the system changes. */
export function systemEtag(host: SimulatedHost): string {
  return `"${host.blueprint.index.toString(16)}-${host.version.toString(16)}-${host.power}"`;
}

function stateOf(host: SimulatedHost, property: StateProperty): string {
  switch (property) {
    case "power":
      return host.power;
    case "bootEnabled":
      return host.override.enabled;
    case "bootTarget":
      return host.override.target;
    case "bootMode":
      return host.override.mode;
    case "lastReset":
      return host.lastResetAt;
    case "intrusion":
      return host.intrusion;
    case "etag":
      return JSON.stringify(systemEtag(host)).slice(1, -1);
  }
}

function valueOf(host: SimulatedHost, hole: Hole): string {
  const { blueprint, seed } = host;
  switch (hole.kind) {
    case "serial":
      return blueprint.serial;
    case "serviceTag":
      return blueprint.serviceTag;
    case "uuid":
      return uuidForm(blueprint.uuid, hole.form);
    case "mac": {
      const mac = macOf(hole.captured, blueprint.index, hole.place, seed);
      return hole.upper ? mac.toUpperCase() : mac;
    }
    case "drive":
      return host.drives[hole.place]?.reported.serial ?? "";
    case "part":
      return serialOfPart(host, hole.place);
    case "state":
      return stateOf(host, hole.property);
  }
}

/** The resource as JSON text; null if this kind of BMC has none. */
export function render(tree: Tree, path: string, host: SimulatedHost): string | null {
  const template = tree.templates.get(path);
  return template ? fill(template, (hole) => valueOf(host, hole)) : null;
}
