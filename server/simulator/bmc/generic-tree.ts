// The tree of a BMC of no particular vendor, made by hand: the least that Redfish asks for, with drives behind two controllers.
import { bmcUsername } from "@/server/simulator/bmc/answer";
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
  [
    path,
    {
      "@odata.type": `#${type}.${type}`,
      Name: type,
      Members: members.map(link),
      "Members@odata.count": members.length,
    },
  ] as const;

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
        // As OpenBMC's bmcweb says it by default: each resource is read by itself.
        ProtocolFeaturesSupported: {
          ExcerptQuery: false,
          ExpandQuery: { ExpandAll: false, Levels: false, Links: false, NoLinks: false },
          FilterQuery: false,
          OnlyMemberQuery: true,
          SelectQuery: true,
        },
        Systems: link(`${root}/Systems`),
        Chassis: link(`${root}/Chassis`),
        Managers: link(`${root}/Managers`),
        SessionService: link(`${root}/SessionService`),
        UpdateService: link(`${root}/UpdateService`),
        AccountService: link(`${root}/AccountService`),
        EventService: link(`${root}/EventService`),
        Tasks: link(`${root}/TaskService`),
        Links: { Sessions: link(`${root}/SessionService/Sessions`) },
      },
    ],
    [
      `${root}/SessionService`,
      {
        "@odata.type": "#SessionService.v1_1_9.SessionService",
        Id: "SessionService",
        Name: "Session Service",
        ServiceEnabled: true,
        SessionTimeout: 600,
        Sessions: link(`${root}/SessionService/Sessions`),
      },
    ],
    collection(`${root}/SessionService/Sessions`, "SessionCollection", []),
    collection(`${root}/Managers`, "ManagerCollection", [`${root}/Managers/bmc`]),
    [
      `${root}/Managers/bmc`,
      {
        "@odata.type": "#Manager.v1_18_0.Manager",
        Id: "bmc",
        Name: "BMC",
        ManagerType: "BMC",
        FirmwareVersion: "2.14.0",
        Status: ok,
        VirtualMedia: link(`${root}/Managers/bmc/VirtualMedia`),
        Links: { ManagerForServers: [link(system)] },
        Actions: {
          "#Manager.Reset": {
            target: `${root}/Managers/bmc/Actions/Manager.Reset`,
            "ResetType@Redfish.AllowableValues": ["ForceRestart"],
          },
        },
      },
    ],
    [
      `${root}/UpdateService`,
      {
        "@odata.type": "#UpdateService.v1_11_3.UpdateService",
        Id: "UpdateService",
        Name: "Update Service",
        FirmwareInventory: link(`${root}/UpdateService/FirmwareInventory`),
        Actions: {
          "#UpdateService.SimpleUpdate": {
            target: `${root}/UpdateService/Actions/UpdateService.SimpleUpdate`,
            "TransferProtocol@Redfish.AllowableValues": ["HTTP", "HTTPS"],
          },
        },
      },
    ],
    collection(
      `${root}/UpdateService/FirmwareInventory`,
      "SoftwareInventoryCollection",
      ["bmc", "bios"].map((id) => `${root}/UpdateService/FirmwareInventory/${id}`),
    ),
    [
      `${root}/UpdateService/FirmwareInventory/bmc`,
      {
        "@odata.type": "#SoftwareInventory.v1_10_1.SoftwareInventory",
        Id: "bmc",
        Name: "BMC",
        Version: "2.14.0",
        Updateable: true,
        Status: ok,
      },
    ],
    [
      `${root}/UpdateService/FirmwareInventory/bios`,
      {
        "@odata.type": "#SoftwareInventory.v1_10_1.SoftwareInventory",
        Id: "bios",
        Name: "BIOS",
        Version: models.generic.biosVersion,
        Updateable: true,
        Status: ok,
      },
    ],
    collection(`${root}/Chassis`, "ChassisCollection", [`${root}/Chassis/1`]),
    [
      `${root}/Chassis/1`,
      {
        "@odata.type": "#Chassis.v1_23_0.Chassis",
        Id: "1",
        Name: "Chassis",
        ChassisType: "RackMount",
        SerialNumber: capturedSerial,
        PowerState: "On",
        Status: ok,
        Links: { ComputerSystems: [link(system)] },
      },
    ],
  ];
}

/** What its BMC keeps besides: accounts, subscriptions, a virtual drive, tasks. */
function services(): Entries {
  const accounts = `${root}/AccountService/Accounts`;
  const media = `${root}/Managers/bmc/VirtualMedia`;
  return [
    [
      `${root}/AccountService`,
      {
        "@odata.type": "#AccountService.v1_13_0.AccountService",
        Id: "AccountService",
        Name: "Account Service",
        Accounts: link(accounts),
      },
    ],
    collection(accounts, "ManagerAccountCollection", [`${accounts}/1`]),
    [
      `${accounts}/1`,
      {
        "@odata.type": "#ManagerAccount.v1_10_0.ManagerAccount",
        Id: "1",
        Name: "User Account",
        UserName: bmcUsername,
        Enabled: true,
        RoleId: "Administrator",
        Password: null,
        Keys: link(`${accounts}/1/Keys`),
      },
    ],
    collection(`${accounts}/1/Keys`, "KeyCollection", []),
    [
      `${root}/EventService`,
      {
        "@odata.type": "#EventService.v1_9_0.EventService",
        Id: "EventService",
        Name: "Event Service",
        Subscriptions: link(`${root}/EventService/Subscriptions`),
      },
    ],
    collection(`${root}/EventService/Subscriptions`, "EventDestinationCollection", []),
    collection(media, "VirtualMediaCollection", [`${media}/cd`]),
    [
      `${media}/cd`,
      {
        "@odata.type": "#VirtualMedia.v1_6_1.VirtualMedia",
        Id: "cd",
        Name: "Virtual CD",
        MediaTypes: ["CD"],
        Image: null,
        Inserted: false,
        ConnectedVia: "NotConnected",
        Actions: { "#VirtualMedia.EjectMedia": { target: `${media}/cd/Actions/VirtualMedia.EjectMedia` } },
      },
    ],
    [
      `${root}/TaskService`,
      {
        "@odata.type": "#TaskService.v1_2_0.TaskService",
        Id: "TaskService",
        Name: "Task Service",
        Tasks: link(`${root}/TaskService/Tasks`),
      },
    ],
    collection(`${root}/TaskService/Tasks`, "TaskCollection", []),
  ];
}

function firmwareSettings(): Entries {
  const bios = `${system}/Bios`;
  const secureBoot = `${system}/SecureBoot`;
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
    [
      secureBoot,
      {
        "@odata.type": "#SecureBoot.v1_1_0.SecureBoot",
        Id: "secureboot",
        Name: "Secure Boot",
        SecureBootEnable: false,
        SecureBootMode: "UserMode",
        Actions: {
          "#SecureBoot.ResetKeys": {
            target: `${secureBoot}/Actions/SecureBoot.ResetKeys`,
            "ResetKeysType@Redfish.AllowableValues": ["ResetAllKeysToDefault", "DeleteAllKeys", "DeletePK"],
          },
        },
      },
    ],
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
            ],
          },
        },
      },
    ],
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

function storage(): Entries {
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

/** `more`: resources besides, or in place of these; for machines of tests. */
export function genericTree(more: Entries = []): Tree {
  const resources = new Map<string, unknown>(
    [...service(), ...services(), ...computer(), ...firmwareSettings(), ...storage(), ...more].map(
      ([path, body]) => [path, { "@odata.id": path, ...body }],
    ),
  );
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
