// Where a tree stores what changes besides the system, found by following its links once per kind of BMC.

import { isObject } from "@/server/simulator/bmc/json";

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** A path without its trailing slash; null if there is none. */
function link(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  const reference = isObject(found) ? found["@odata.id"] : found;
  return typeof reference === "string" && reference !== "" ? reference.replace(/\/$/, "") : null;
}

const linksOf = (value: unknown, ...path: readonly string[]): string[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.map((item) => link(item)).filter((item) => item !== null) : [];
};

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

export interface StoragePlace {
  readonly unit: string;
  readonly volumes: string;
  readonly captured: readonly string[];
  readonly drives: readonly string[];
  readonly decommission: string | null;
}

export interface Places {
  readonly manager: string | null;
  readonly managerReset: string | null;
  readonly managerDefaults: string | null;
  /** The kinds of reset to its defaults that the manager offers. */
  readonly defaultsTypes: readonly string[];
  readonly bios: string | null;
  readonly biosSettings: string | null;
  readonly resetBios: string | null;
  readonly secureBoot: string | null;
  readonly resetKeys: string | null;
  readonly accounts: string | null;
  /** Accounts are slots that cannot be deleted. */
  readonly accountSlots: boolean;
  readonly subscriptions: string | null;
  /** Collections whose members can be deleted: account keys, boot entries, secure-boot certificates and signatures. */
  readonly lists: {
    readonly keys: readonly string[];
    readonly bootEntries: string | null;
    readonly secureBoot: readonly string[];
  };
  readonly system: string;
  /** The system's settings for its next restart; null: it has none. */
  readonly systemSettings: string | null;
  /** The references of the boot order; null: the system shows none. */
  readonly bootOrder: readonly string[] | null;
  readonly hostInterfaces: readonly string[];
  /** Where the mode of the machine's DPU is shown. */
  readonly dpu: string | null;
  /** The network protocols of the manager. */
  readonly protocols: string | null;
  /** Virtual drives, each with the target of its eject action; null if the drive is written instead. */
  readonly media: ReadonlyMap<string, string | null>;
  /** Dell only: the manager's settings, and the job queue with the target that clears it. */
  readonly attributes: string | null;
  readonly jobs: string | null;
  readonly deleteJobs: string | null;
  readonly tasks: string | null;
  readonly simpleUpdate: string | null;
  readonly firmware: string | null;
  /** The firmware components that are linked to the system. */
  readonly ownFirmware: readonly string[];
  readonly storage: readonly StoragePlace[];
  /** The target that erases a drive, and the drive. */
  readonly secureErase: ReadonlyMap<string, string>;
}

/** Reads a tree by its links. */
class Tree {
  readonly resources: ReadonlyMap<string, unknown>;

  constructor(resources: ReadonlyMap<string, unknown>) {
    this.resources = resources;
  }

  read(path: string | null): unknown {
    return path === null ? undefined : this.resources.get(path);
  }

  members(path: string | null): string[] {
    return linksOf(this.read(path), "Members");
  }

  /** A link in the resource at a path. */
  link(path: string | null, ...names: readonly string[]): string | null {
    return link(this.read(path), ...names);
  }

  /** The target of an action of the resource at a path. */
  target(path: string | null, ...action: readonly string[]): string | null {
    return this.link(path, "Actions", ...action, "target");
  }
}

/** Where the tree of a system stores what changes; null or empty if it has no such place. */
export function findPlaces(resources: ReadonlyMap<string, unknown>, systemPath: string): Places {
  const tree = new Tree(resources);
  const managerPath = linksOf(tree.read(systemPath), "Links", "ManagedBy")[0] ?? null;
  const root = "/redfish/v1";
  const bios = tree.link(systemPath, "Bios");
  const secureBoot = tree.link(systemPath, "SecureBoot");
  const accounts = tree.link(tree.link(root, "AccountService"), "Accounts");
  const update = tree.link(root, "UpdateService");
  const units = tree.members(tree.link(systemPath, "Storage"));
  return {
    manager: managerPath,
    managerReset: tree.target(managerPath, "#Manager.Reset"),
    managerDefaults: tree.target(managerPath, "#Manager.ResetToDefaults"),
    defaultsTypes: textsOf(
      at(tree.read(managerPath), "Actions", "#Manager.ResetToDefaults", "ResetType@Redfish.AllowableValues"),
    ),
    bios,
    biosSettings: tree.link(bios, "@Redfish.Settings", "SettingsObject"),
    resetBios: tree.target(bios, "#Bios.ResetBios"),
    secureBoot,
    resetKeys: tree.target(secureBoot, "#SecureBoot.ResetKeys"),
    accounts,
    accountSlots: tree.members(accounts).some((path) => at(tree.read(path), "UserName") === ""),
    subscriptions: tree.link(tree.link(root, "EventService"), "Subscriptions"),
    lists: {
      keys: tree.members(accounts).flatMap((path) => tree.link(path, "Keys") ?? []),
      bootEntries: tree.link(systemPath, "Boot", "BootOptions"),
      secureBoot: secureBootLists(tree, secureBoot),
    },
    system: systemPath,
    systemSettings: tree.link(systemPath, "@Redfish.Settings", "SettingsObject"),
    bootOrder: Array.isArray(at(tree.read(systemPath), "Boot", "BootOrder"))
      ? textsOf(at(tree.read(systemPath), "Boot", "BootOrder"))
      : null,
    protocols: tree.link(managerPath, "NetworkProtocol"),
    dpu: tree.link(systemPath, "Oem", "Nvidia"),
    hostInterfaces: tree.members(tree.link(managerPath, "HostInterfaces")),
    media: virtualDrives(tree, [managerPath, systemPath]),
    ...dellPlaces(tree, managerPath),
    tasks: tree.link(tree.link(root, "Tasks"), "Tasks"),
    simpleUpdate: tree.target(update, "#UpdateService.SimpleUpdate"),
    firmware: tree.link(update, "FirmwareInventory"),
    ownFirmware: tree
      .members(tree.link(update, "FirmwareInventory"))
      .filter((path) => linksOf(tree.read(path), "RelatedItem").includes(systemPath)),
    storage: units.flatMap((unit) => storagePlace(tree, unit) ?? []),
    secureErase: eraseTargets(
      tree,
      units.flatMap((unit) => linksOf(tree.read(unit), "Drives")),
    ),
  };
}

/** The lists of certificates and signatures of all secure-boot databases. */
function secureBootLists(tree: Tree, secureBoot: string | null): readonly string[] {
  return tree
    .members(tree.link(secureBoot, "SecureBootDatabases"))
    .flatMap((path) => [tree.link(path, "Certificates"), tree.link(path, "Signatures")])
    .filter((path) => path !== null && tree.resources.has(path))
    .map(String);
}

/** The virtual drives of manager and system, each with the target of its eject action. */
function virtualDrives(tree: Tree, owners: readonly (string | null)[]): Places["media"] {
  const paths = owners.map((owner) => tree.link(owner, "VirtualMedia")).flatMap((list) => tree.members(list));
  return new Map(paths.map((path) => [path, tree.target(path, "#VirtualMedia.EjectMedia")]));
}

/** What only a Dell manager has: its settings, and the job queue with the target that clears it. */
function dellPlaces(
  tree: Tree,
  managerPath: string | null,
): Pick<Places, "attributes" | "jobs" | "deleteJobs"> {
  const own = at(tree.read(managerPath), "Links", "Oem", "Dell");
  const lastPart = (path: string | null) => path?.split("/").at(-1);
  return {
    attributes:
      linksOf(own, "DellAttributes").find((path) => lastPart(path) === lastPart(managerPath)) ?? null,
    jobs: link(own, "Jobs"),
    deleteJobs: tree.target(link(own, "DellJobService"), "#DellJobService.DeleteJobQueue"),
  };
}

/** A storage unit with its volumes and drives; null if it shows no volumes. */
function storagePlace(tree: Tree, unit: string): StoragePlace | null {
  const volumes = tree.link(unit, "Volumes");
  if (volumes === null) return null;
  return {
    unit,
    volumes,
    captured: tree.members(volumes),
    drives: linksOf(tree.read(unit), "Drives"),
    decommission: tree.target(unit, "Oem", "#DellStorage.ControllerDrivesDecommission"),
  };
}

/** Which drive each secure-erase target erases. */
function eraseTargets(tree: Tree, drives: readonly string[]): Places["secureErase"] {
  return new Map(
    drives.flatMap((path) => {
      const target = tree.target(path, "#Drive.SecureErase");
      return target === null ? [] : [[target, path] as const];
    }),
  );
}
