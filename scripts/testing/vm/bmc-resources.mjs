// The Redfish resources of the test machine's BMC (DMTF DSP0268).
import { link, list, ok, root, system } from "./bmc-paths.mjs";
import { platform, platformServices, trustedModules, virtualMedia } from "./bmc-platform.mjs";

/**
 * @typedef {object} Part a drive, as a BMC lists it
 * @property {string} serial
 * @property {string} model
 * @property {"NVMe" | "SAS" | "SATA"} protocol
 * @property {number} bytes
 * @property {string} [wwn]
 * @typedef {object} Shown
 * @property {import("./machine.mjs").Identity} identity
 * @property {readonly Part[]} parts
 * @property {boolean} on
 * @property {Readonly<Record<string, string>>} boot
 * @property {Date} lastReset
 * @property {readonly string[]} sessions
 * @property {string} account the name of the only account
 * @property {string} firmwareVersion
 * @property {string} bmcVersion
 * @typedef {Record<string, object>} Resources by path
 */

/** @param {Shown} shown @returns {Resources} */
export const resources = (shown) => ({
  ...service(shown),
  ...computer(shown),
  ...ports(shown),
  ...storage(shown),
  ...around(shown),
  ...platform(shown),
});

/** @param {Shown} shown @returns {Resources} */
const service = ({ identity: { uuid }, sessions }) => ({
  [root]: {
    Id: "RootService",
    Name: "Root Service",
    RedfishVersion: "1.15.0",
    UUID: uuid,
    Systems: link(`${root}/Systems`),
    Chassis: link(`${root}/Chassis`),
    Managers: link(`${root}/Managers`),
    SessionService: link(`${root}/SessionService`),
    ...platformServices,
    Links: { Sessions: link(`${root}/SessionService/Sessions`) },
  },
  [`${root}/SessionService`]: {
    Id: "SessionService",
    ServiceEnabled: true,
    Sessions: link(`${root}/SessionService/Sessions`),
  },
  [`${root}/SessionService/Sessions`]: list(sessions),
  [`${root}/Systems`]: list([system]),
});

/** @param {Shown} shown @returns {Resources} */
const computer = ({ identity: { uuid, serial }, on, boot, lastReset, firmwareVersion }) => ({
  [system]: {
    Id: "1",
    Name: "System",
    SystemType: "Physical",
    Manufacturer: "Example",
    Model: "TestBed",
    SerialNumber: serial,
    UUID: uuid,
    BiosVersion: firmwareVersion,
    ...trustedModules,
    PowerState: on ? "On" : "Off",
    LastResetTime: lastReset.toISOString(),
    Status: ok,
    MemorySummary: { TotalSystemMemoryGiB: 2, Status: ok },
    ProcessorSummary: { Count: 1, Model: "QEMU TCG", Status: ok },
    Boot: {
      ...boot,
      "BootSourceOverrideEnabled@Redfish.AllowableValues": ["Disabled", "Once", "Continuous"],
      "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd"],
      BootSourceOverrideMode: "UEFI",
    },
    Storage: link(`${system}/Storage`),
    EthernetInterfaces: link(`${system}/EthernetInterfaces`),
    Links: { Chassis: [link(`${root}/Chassis/1`)], ManagedBy: [link(`${root}/Managers/1`)] },
    Actions: {
      "#ComputerSystem.Reset": {
        target: `${system}/Actions/ComputerSystem.Reset`,
        "ResetType@Redfish.AllowableValues": [
          "On",
          "ForceOff",
          "GracefulShutdown",
          "ForceRestart",
          "PowerCycle",
        ],
      },
    },
  },
});

/** @param {Shown} shown @returns {Resources} */
const ports = ({ identity: { mac } }) => ({
  [`${system}/EthernetInterfaces`]: list([`${system}/EthernetInterfaces/1`]),
  [`${system}/EthernetInterfaces/1`]: {
    Id: "1",
    Name: "Port 1",
    MACAddress: mac,
    PermanentMACAddress: mac,
    LinkStatus: "LinkUp",
    Status: ok,
  },
});

const drivePath = (/** @type {number} */ index) => `${system}/Storage/1/Drives/${index + 1}`;

/** @param {Shown} shown @returns {Resources} */
const storage = ({ parts }) => ({
  [`${system}/Storage`]: list([`${system}/Storage/1`]),
  [`${system}/Storage/1`]: {
    Id: "1",
    Name: "All drives",
    Status: ok,
    Drives: parts.map((_part, index) => link(drivePath(index))),
    "Drives@odata.count": parts.length,
  },
  ...Object.fromEntries(parts.map((part, index) => [drivePath(index), drive(part, index)])),
});

/** @param {Part} part @param {number} index */
const drive = ({ serial, model, protocol, bytes, wwn }, index) => ({
  Id: String(index + 1),
  Name: `Drive ${index + 1}`,
  SerialNumber: serial,
  Model: model,
  Protocol: protocol,
  MediaType: protocol === "SAS" ? "HDD" : "SSD",
  CapacityBytes: bytes,
  ...(wwn === undefined ? {} : { Identifiers: [{ DurableNameFormat: "NAA", DurableName: wwn }] }),
  PhysicalLocation: {
    PartLocation: { LocationType: "Bay", LocationOrdinalValue: index + 1, ServiceLabel: `Bay ${index + 1}` },
  },
  Status: ok,
});

/** @param {Shown} shown @returns {Resources} */
const around = ({ identity: { serial }, on, bmcVersion }) => ({
  [`${root}/Chassis`]: list([`${root}/Chassis/1`]),
  [`${root}/Chassis/1`]: {
    Id: "1",
    Name: "Chassis",
    ChassisType: "RackMount",
    SerialNumber: serial,
    PowerState: on ? "On" : "Off",
    Links: { ComputerSystems: [link(system)] },
  },
  [`${root}/Managers`]: list([`${root}/Managers/1`]),
  [`${root}/Managers/1`]: {
    Id: "1",
    Name: "BMC",
    ManagerType: "BMC",
    FirmwareVersion: bmcVersion,
    ...virtualMedia,
    DateTime: new Date().toISOString(),
    Status: ok,
  },
});
