// The drivers that a node may have, under the names that Ironic's users write, and the implementations of their interfaces (docs/api-ironic.md, Drivers).
import { machineTypes } from "@/server/hardware/registry";
import { fakeHardwareType } from "@/server/domain/hosts/fake/fake-type";
import { fakeDriver } from "@/server/usecases/hosts/nodes/reading/node-columns";
import type { InterfaceName } from "@/server/domain/hosts/nodes/node-values";

/** The enabled implementations by interface; the first is the default. Each name says what does the work: Reclaim itself, or nothing. */
export type Interfaces = Readonly<Record<InterfaceName, readonly [string, ...string[]]>>;

export interface Driver {
  /** Ironic's name. */
  readonly name: string;
  /** Our name. */
  readonly hardwareType: string;
  readonly interfaces: Interfaces;
  /** The keys allowed in `driver_info`, with their meaning. */
  readonly properties: Readonly<Record<string, string>>;
}

/** What Reclaim does for every host, whatever its hardware. */
const common = {
  boot_interface: ["ipxe"],
  console_interface: ["no-console"],
  deploy_interface: ["custom-agent", "no-deploy"],
  network_interface: ["reclaim"],
  rescue_interface: ["no-rescue"],
  storage_interface: ["noop"],
  vendor_interface: ["no-vendor"],
} as const;

const redfishProperties = {
  redfish_address:
    "Where the BMC is: http:// or https://, name or address, and port; https:// if omitted. It must be in the server's BMC networks (RECLAIM_BMC_NETWORKS). Required.",
  redfish_username: "User of the BMC. Required.",
  redfish_password: "Password of the BMC; stored encrypted and never shown. Required.",
  redfish_system_id:
    "Path of the system, such as /redfish/v1/Systems/1. Required if several nodes share one address and the BMC has several systems. It is found by links from the service root; if given, it must match what is found.",
  redfish_verify_ca:
    "The certificate of the BMC is always verified, against the site's authorities if it has any, otherwise the system's, or against a pinned certificate. False is accepted only for an http:// address.",
};

/** What a driver's users in Ironic write for the BMC besides `redfish`. Clients such as Metal3 always send it, and it means the same. */
const otherNames: Readonly<Record<string, string | undefined>> = { idrac: "idrac-redfish" };

/** For each hardware type of machines, under its own name. */
function redfish(name: string): Driver {
  const other = otherNames[name];
  const others = other === undefined ? [] : [other];
  const bmc = ["redfish", ...others] as const;
  return {
    name,
    hardwareType: name,
    properties: redfishProperties,
    interfaces: {
      ...common,
      // The agent boots from the network under either name: Reclaim attaches no media.
      boot_interface: [...common.boot_interface, ...bmc.map((each) => `${each}-virtual-media`)],
      bios_interface: bmc,
      firmware_interface: ["redfish"],
      inspect_interface: [...bmc, "agent", "no-inspect"],
      management_interface: bmc,
      power_interface: bmc,
      raid_interface: bmc,
      vendor_interface: [...common.vendor_interface, ...bmc],
    },
  };
}

const fake: Driver = {
  name: fakeDriver,
  hardwareType: fakeHardwareType,
  properties: {},
  interfaces: {
    ...common,
    bios_interface: ["fake"],
    boot_interface: ["fake"],
    deploy_interface: ["fake", "custom-agent", "no-deploy"],
    firmware_interface: ["fake"],
    inspect_interface: ["fake", "agent", "no-inspect"],
    management_interface: ["fake"],
    network_interface: ["noop"],
    power_interface: ["fake"],
    raid_interface: ["fake"],
  },
};

const drivers: readonly Driver[] = [...machineTypes.map(redfish), fake];

/** The drivers that a node may be created with; `fake` only if it is switched on. */
export const enabledDrivers = ({
  fakeHardware = false,
}: {
  readonly fakeHardware?: boolean;
}): readonly Driver[] => drivers.filter((driver) => fakeHardware || driver !== fake);

export const driverOf = (hardwareType: string): Driver | undefined =>
  drivers.find((driver) => driver.hardwareType === hardwareType);
export const driverByName = (name: string): Driver | undefined =>
  drivers.find((driver) => driver.name === name);
