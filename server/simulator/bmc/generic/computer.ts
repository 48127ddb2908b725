// The computer behind a generic BMC: system, firmware settings, drives behind two controllers.
import { logServices } from "@/server/simulator/bmc/generic/health";
import { secureBoot } from "@/server/simulator/bmc/generic/secure-boot";
import { models } from "@/server/simulator/fleet/models";
import {
  type Entries,
  system,
  link,
  collection,
  root,
  capturedSerial,
  capturedUuid,
  ok,
} from "@/server/simulator/bmc/generic/parts";

export function firmwareSettings(): Entries {
  const bios = `${system}/Bios`;
  return [
    [
      bios,
      {
        "@odata.type": "#Bios.v1_2_0.Bios",
        Id: "bios",
        Name: "BIOS settings",
        AttributeRegistry: "Gs2408Bios.1.0",
        Attributes: {
          BootMode: "UEFI",
          SimultaneousMultithreading: "Enabled",
          IoVirtualization: "Enabled",
          PowerProfile: "Balanced",
        },
        ResetBiosToDefaultsPending: false,
        "@Redfish.Settings": {
          "@odata.type": "#Settings.v1_3_5.Settings",
          SettingsObject: link(`${bios}/Settings`),
        },
        Actions: { "#Bios.ResetBios": { target: `${bios}/Actions/Bios.ResetBios` } },
      },
    ],
    [
      `${bios}/Settings`,
      {
        "@odata.type": "#Bios.v1_2_0.Bios",
        Id: "settings",
        Name: "BIOS settings for the next restart",
        Attributes: {},
      },
    ],
    ...secureBoot(),
  ];
}

export function computer(): Entries {
  const { manufacturer, product, biosVersion, memoryBytes, cpus } = models.generic;
  return [
    collection(`${root}/Systems`, "ComputerSystemCollection", [system]),
    [
      system,
      {
        "@odata.type": "#ComputerSystem.v1_20_1.ComputerSystem",
        "@odata.etag": "",
        Id: "node",
        Name: "System",
        SystemType: "Physical",
        Manufacturer: manufacturer,
        Model: product,
        SerialNumber: capturedSerial,
        UUID: capturedUuid,
        BiosVersion: biosVersion,
        PowerState: "On",
        Status: ok,
        LastResetTime: "",
        MemorySummary: { TotalSystemMemoryGiB: Number(memoryBytes / 1024n ** 3n), Status: ok },
        ProcessorSummary: { Count: cpus.length, Model: cpus[0]?.model, Status: ok },
        Boot: {
          BootSourceOverrideEnabled: "Disabled",
          "BootSourceOverrideEnabled@Redfish.AllowableValues": ["Disabled", "Once", "Continuous"],
          BootSourceOverrideTarget: "None",
          "BootSourceOverrideTarget@Redfish.AllowableValues": [
            "None",
            "Pxe",
            "Hdd",
            "Usb",
            "BiosSetup",
            "UefiHttp",
          ],
          BootSourceOverrideMode: "UEFI",
        },
        Bios: link(`${system}/Bios`),
        SecureBoot: link(`${system}/SecureBoot`),
        LogServices: logServices,
        Storage: link(`${system}/Storage`),
        EthernetInterfaces: link(`${system}/EthernetInterfaces`),
        Links: { Chassis: [link(`${root}/Chassis/1`)], ManagedBy: [link(`${root}/Managers/bmc`)] },
        Actions: {
          "#ComputerSystem.Reset": {
            target: `${system}/Actions/ComputerSystem.Reset`,
            "ResetType@Redfish.AllowableValues": [
              "On",
              "ForceOff",
              "GracefulShutdown",
              "GracefulRestart",
              "ForceRestart",
              "PowerCycle",
              "Nmi",
            ],
          },
        },
      },
    ],
  ];
}

export function networkInterfaces(): Entries {
  const { nics } = models.generic;
  const nicPaths = nics.map(({ name }) => `${system}/EthernetInterfaces/${name}`);
  return [
    collection(`${system}/EthernetInterfaces`, "EthernetInterfaceCollection", nicPaths),
    ...nics.map(
      ({ name, captured }) =>
        [
          `${system}/EthernetInterfaces/${name}`,
          {
            "@odata.type": "#EthernetInterface.v1_9_0.EthernetInterface",
            Id: name,
            Name: name,
            MACAddress: captured,
            PermanentMACAddress: captured,
            InterfaceEnabled: true,
            LinkStatus: "LinkUp",
            Status: ok,
          },
        ] as const,
    ),
  ];
}

/** For the chassis, which links to them if a machine lists its ports only there. */
export function chassisAdapters(): Entries {
  const { nics } = models.generic;
  const list = `${root}/Chassis/1/NetworkAdapters`;
  const functions = `${list}/1/NetworkDeviceFunctions`;
  return [
    collection(list, "NetworkAdapterCollection", [`${list}/1`]),
    [
      `${list}/1`,
      {
        "@odata.type": "#NetworkAdapter.v1_9_0.NetworkAdapter",
        Id: "1",
        Name: "Network adapter",
        NetworkDeviceFunctions: link(functions),
      },
    ],
    collection(
      functions,
      "NetworkDeviceFunctionCollection",
      nics.map(({ name }) => `${functions}/${name}`),
    ),
    ...nics.map(
      ({ name, captured }) =>
        [
          `${functions}/${name}`,
          {
            "@odata.type": "#NetworkDeviceFunction.v1_9_0.NetworkDeviceFunction",
            Id: name,
            Name: name,
            Ethernet: { MACAddress: captured, PermanentMACAddress: captured },
          },
        ] as const,
    ),
  ];
}

export function storage(): Entries {
  const controllers = [
    { id: "nvme", name: "NVMe drives", kind: "nvme" },
    { id: "hba", name: "SAS and SATA adapter", kind: "disk" },
  ] as const;
  const drivesOf = (kind: string) => models.generic.drives.filter(({ behaviour }) => behaviour.kind === kind);
  const pathOf = (controller: string, slot: string) => `${system}/Storage/${controller}/Drives/${slot}`;
  return [
    collection(
      `${system}/Storage`,
      "StorageCollection",
      controllers.map(({ id }) => `${system}/Storage/${id}`),
    ),
    ...controllers.map(
      ({ id, name, kind }) =>
        [
          `${system}/Storage/${id}`,
          {
            "@odata.type": "#Storage.v1_15_0.Storage",
            Id: id,
            Name: name,
            Status: ok,
            Drives: drivesOf(kind).map(({ identity }) => link(pathOf(id, identity.slot))),
            "Drives@odata.count": drivesOf(kind).length,
          },
        ] as const,
    ),
    ...controllers.flatMap(({ id, kind }) =>
      drivesOf(kind).map(({ capturedSerial: serial, identity, behaviour }) => {
        const rotational = behaviour.kind === "disk" && behaviour.model.rotational;
        const protocol = behaviour.kind === "nvme" ? "NVMe" : behaviour.model.transport.toUpperCase();
        const drive = {
          "@odata.type": "#Drive.v1_17_0.Drive",
          Id: identity.slot,
          Name: `Drive ${identity.slot}`,
          SerialNumber: serial,
          Model: identity.model,
          Manufacturer: identity.manufacturer,
          Revision: identity.firmware,
          CapacityBytes: Number(identity.capacityBytes),
          Protocol: protocol,
          MediaType: rotational ? "HDD" : "SSD",
          PhysicalLocation: {
            PartLocation: {
              LocationType: "Bay",
              LocationOrdinalValue: Number(identity.slot),
              ServiceLabel: `Bay ${identity.slot}`,
            },
          },
          Status: ok,
        };
        return [pathOf(id, identity.slot), drive] as const;
      }),
    ),
  ];
}
