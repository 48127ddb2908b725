// What the test machine's BMC shows besides its computer: accounts, subscriptions, virtual media and firmware (DMTF DSP0268).
import { ok, link, list, root, system } from "./bmc-paths.mjs";

/** @typedef {import("./bmc-resources.mjs").Shown} Shown @typedef {import("./bmc-resources.mjs").Resources} Resources */

const accounts = `${root}/AccountService`;
const events = `${root}/EventService`;
const updates = `${root}/UpdateService`;
const media = `${root}/Managers/1/VirtualMedia`;

/** In the service root. */
export const platformServices = {
  AccountService: link(accounts),
  EventService: link(events),
  UpdateService: link(updates),
};

/** In the manager. */
export const virtualMedia = { VirtualMedia: link(media) };

/** In the computer: whether its TPM was cleared is the agent's to prove. */
export const trustedModules = { TrustedModules: [{ InterfaceType: "TPM2_0", Status: ok }] };

/** @param {Shown} shown @returns {Resources} */
export const platform = ({ account, firmwareVersion, bmcVersion }) => ({
  [accounts]: { Id: "AccountService", ServiceEnabled: true, Accounts: link(`${accounts}/Accounts`) },
  [`${accounts}/Accounts`]: list([`${accounts}/Accounts/1`]),
  [`${accounts}/Accounts/1`]: { Id: "1", UserName: account, Enabled: true, RoleId: "Administrator" },
  [events]: { Id: "EventService", ServiceEnabled: true, Subscriptions: link(`${events}/Subscriptions`) },
  [`${events}/Subscriptions`]: list([]),
  [media]: list([`${media}/1`]),
  [`${media}/1`]: { Id: "1", Name: "Virtual drive", MediaTypes: ["CD"], Image: null, Inserted: false },
  [updates]: {
    Id: "UpdateService",
    ServiceEnabled: true,
    FirmwareInventory: link(`${updates}/FirmwareInventory`),
  },
  [`${updates}/FirmwareInventory`]: list([
    `${updates}/FirmwareInventory/BIOS`,
    `${updates}/FirmwareInventory/BMC`,
  ]),
  [`${updates}/FirmwareInventory/BIOS`]: {
    Id: "BIOS",
    Name: "BIOS",
    Version: firmwareVersion,
    RelatedItem: [link(system)],
    Status: ok,
  },
  [`${updates}/FirmwareInventory/BMC`]: {
    Id: "BMC",
    Name: "BMC",
    Version: bmcVersion,
    RelatedItem: [link(`${root}/Managers/1`)],
    Status: ok,
  },
});
