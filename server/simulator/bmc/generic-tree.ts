// The tree of a BMC of no particular vendor, made by hand: the least that Redfish asks for, with drives behind two controllers.
import { makeTree, type Tree } from "@/server/simulator/bmc/tree";
import { models } from "@/server/simulator/fleet/models";

const root = "/redfish/v1";
const system = `${root}/Systems/node`;
const ok = { State: "Enabled", Health: "OK" };
const link = (path: string) => ({ "@odata.id": path });

const capturedSerial = "GS00000000";
const capturedUuid = "00000000-0000-4000-8000-00000000c0de";

type Entries = readonly (readonly [string, object])[];

const collection = (path: string, type: string, members: readonly string[]) =>
  [path, { "@odata.type": `#${type}.${type}`, Name: type, Members: members.map(link), "Members@odata.count": members.length }] as const;

function service(): Entries {
  return [
    [
      root,
      {
        "@odata.type": "#ServiceRoot.v1_15_0.ServiceRoot",
        Id: "RootService",
        Name: "Root Service",
        RedfishVersion: "1.15.0",
        UUID: capturedUuid,
        Vendor: models.generic.manufacturer,
        Systems: link(`${root}/Systems`),
        Chassis: link(`${root}/Chassis`),
        Managers: link(`${root}/Managers`),
        SessionService: link(`${root}/SessionService`),
        UpdateService: link(`${root}/UpdateService`),
        Links: { Sessions: link(`${root}/SessionService/Sessions`) },
      },
    ],
    [`${root}/SessionService`, { "@odata.type": "#SessionService.v1_1_9.SessionService", Id: "SessionService", Name: "Session Service", ServiceEnabled: true, SessionTimeout: 600, Sessions: link(`${root}/SessionService/Sessions`) }],
    collection(`${root}/SessionService/Sessions`, "SessionCollection", []),
    collection(`${root}/Managers`, "ManagerCollection", [`${root}/Managers/bmc`]),
    [`${root}/Managers/bmc`, { "@odata.type": "#Manager.v1_18_0.Manager", Id: "bmc", Name: "BMC", ManagerType: "BMC", FirmwareVersion: "2.14.0", Status: ok, Links: { ManagerForServers: [link(system)] } }],
    [`${root}/UpdateService`, { "@odata.type": "#UpdateService.v1_11_3.UpdateService", Id: "UpdateService", Name: "Update Service", FirmwareInventory: link(`${root}/UpdateService/FirmwareInventory`) }],
    collection(`${root}/UpdateService/FirmwareInventory`, "SoftwareInventoryCollection", ["bmc", "bios"].map((id) => `${root}/UpdateService/FirmwareInventory/${id}`)),
    [`${root}/UpdateService/FirmwareInventory/bmc`, { "@odata.type": "#SoftwareInventory.v1_10_1.SoftwareInventory", Id: "bmc", Name: "BMC", Version: "2.14.0", Updateable: true, Status: ok }],
    [`${root}/UpdateService/FirmwareInventory/bios`, { "@odata.type": "#SoftwareInventory.v1_10_1.SoftwareInventory", Id: "bios", Name: "BIOS", Version: models.generic.biosVersion, Updateable: true, Status: ok }],
    collection(`${root}/Chassis`, "ChassisCollection", [`${root}/Chassis/1`]),
    [`${root}/Chassis/1`, { "@odata.type": "#Chassis.v1_23_0.Chassis", Id: "1", Name: "Chassis", ChassisType: "RackMount", SerialNumber: capturedSerial, PowerState: "On", Status: ok, Links: { ComputerSystems: [link(system)] } }],
  ];
}

function computer(): Entries {
  const { manufacturer, product, biosVersion, memoryBytes, cpus, nics } = models.generic;
  const nicPaths = nics.map(({ name }) => `${system}/EthernetInterfaces/${name}`);
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
          "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "Usb", "BiosSetup", "UefiHttp"],
          BootSourceOverrideMode: "UEFI",
        },
        Storage: link(`${system}/Storage`),
        EthernetInterfaces: link(`${system}/EthernetInterfaces`),
        Links: { Chassis: [link(`${root}/Chassis/1`)], ManagedBy: [link(`${root}/Managers/bmc`)] },
        Actions: {
          "#ComputerSystem.Reset": {
            target: `${system}/Actions/ComputerSystem.Reset`,
            "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "GracefulShutdown", "GracefulRestart", "ForceRestart", "PowerCycle"],
          },
        },
      },
    ],
    collection(`${system}/EthernetInterfaces`, "EthernetInterfaceCollection", nicPaths),
    ...nics.map(
      ({ name, captured }) =>
        [`${system}/EthernetInterfaces/${name}`, { "@odata.type": "#EthernetInterface.v1_9_0.EthernetInterface", Id: name, Name: name, MACAddress: captured, PermanentMACAddress: captured, InterfaceEnabled: true, LinkStatus: "LinkUp", Status: ok }] as const,
    ),
  ];
}

function storage(): Entries {
  const controllers = [
    { id: "nvme", name: "NVMe drives", kind: "nvme" },
    { id: "hba", name: "SAS and SATA adapter", kind: "disk" },
  ] as const;
  const drivesOf = (kind: string) => models.generic.drives.filter(({ behaviour }) => behaviour.kind === kind);
  const pathOf = (controller: string, slot: string) => `${system}/Storage/${controller}/Drives/${slot}`;
  return [
    collection(`${system}/Storage`, "StorageCollection", controllers.map(({ id }) => `${system}/Storage/${id}`)),
    ...controllers.map(
      ({ id, name, kind }) =>
        [`${system}/Storage/${id}`, { "@odata.type": "#Storage.v1_15_0.Storage", Id: id, Name: name, Status: ok, Drives: drivesOf(kind).map(({ identity }) => link(pathOf(id, identity.slot))), "Drives@odata.count": drivesOf(kind).length }] as const,
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
          PhysicalLocation: { PartLocation: { LocationType: "Bay", LocationOrdinalValue: Number(identity.slot), ServiceLabel: `Bay ${identity.slot}` } },
          Status: ok,
        };
        return [pathOf(id, identity.slot), drive] as const;
      }),
    ),
  ];
}

export function genericTree(): Tree {
  const resources = new Map<string, unknown>([...service(), ...computer(), ...storage()].map(([path, body]) => [path, { "@odata.id": path, ...body }]));
  return makeTree({
    resources,
    system,
    sessions: `${root}/SessionService/Sessions`,
    poweredWith: [`${root}/Chassis/1`],
    serial: capturedSerial,
    serviceTag: capturedSerial,
    uuid: capturedUuid,
    macs: models.generic.nics.map(({ captured }) => captured),
    driveSerials: models.generic.drives.map((drive) => drive.capturedSerial),
  });
}
