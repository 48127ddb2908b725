// The service root of a generic BMC, with its manager, its update service and its chassis.
import { models } from "@/server/simulator/fleet/models";
import { healthLinks } from "@/server/simulator/bmc/generic/health";
import {
  type Entries,
  root,
  capturedUuid,
  link,
  collection,
  ok,
  system,
  capturedSerial,
} from "@/server/simulator/bmc/generic/parts";

function rootAndSessions(): Entries {
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
        // The default of OpenBMC's bmcweb: each resource is read by itself.
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
  ];
}

function managerAndChassis(): Entries {
  return [
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
        PhysicalSecurity: { IntrusionSensor: "Normal" },
        ...healthLinks,
        Status: ok,
        Links: { ComputerSystems: [link(system)] },
      },
    ],
  ];
}

function updates(): Entries {
  return [
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
        RelatedItem: [link(system)],
        Status: ok,
      },
    ],
  ];
}

/** The service root, and what every BMC has below it. */
export function service(): Entries {
  return [...rootAndSessions(), ...managerAndChassis(), ...updates()];
}
