// Where a tree keeps what changes besides the system: found by following its links, once per kind of BMC.

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);

/** A path without the slash at its end; null when there is none. */
function link(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  const reference = isObject(found) ? found["@odata.id"] : found;
  return typeof reference === "string" && reference !== "" ? reference.replace(/\/$/, "") : null;
}

const linksOf = (value: unknown, ...path: readonly string[]): string[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.map((item) => link(item)).filter((item) => item !== null) : [];
};

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
  readonly bios: string | null;
  readonly biosSettings: string | null;
  readonly biosNames: ReadonlySet<string>;
  readonly resetBios: string | null;
  readonly secureBoot: string | null;
  readonly resetKeys: string | null;
  readonly accounts: string | null;
  /** Accounts are slots that cannot be deleted. */
  readonly accountSlots: boolean;
  readonly subscriptions: string | null;
  /** Collections whose members can be deleted: keys of accounts, boot entries, secure-boot certificates and signatures. */
  readonly lists: {
    readonly keys: readonly string[];
    readonly bootEntries: string | null;
    readonly secureBoot: readonly string[];
  };
  readonly hostInterfaces: readonly string[];
  /** Virtual drives and, by it, the target that ejects; null where the drive is written instead. */
  readonly media: ReadonlyMap<string, string | null>;
  /** Dell's own: the manager's settings, and the queue of jobs with the target that empties it. */
  readonly attributes: string | null;
  readonly jobs: string | null;
  readonly deleteJobs: string | null;
  readonly tasks: string | null;
  readonly simpleUpdate: string | null;
  readonly firmware: string | null;
  readonly storage: readonly StoragePlace[];
  /** Target that erases a drive, and the drive. */
  readonly secureErase: ReadonlyMap<string, string>;
}

export function findPlaces(resources: ReadonlyMap<string, unknown>, systemPath: string): Places {
  const read = (path: string | null): unknown => (path === null ? undefined : resources.get(path));
  const members = (path: string | null): string[] => linksOf(read(path), "Members");
  const root = read("/redfish/v1");
  const system = read(systemPath);
  const managerPath = linksOf(system, "Links", "ManagedBy")[0] ?? null;
  const manager = read(managerPath);
  const bios = link(system, "Bios");
  const biosSettings = link(read(bios), "@Redfish.Settings", "SettingsObject");
  const secureBoot = link(system, "SecureBoot");
  const accounts = link(read(link(root, "AccountService")), "Accounts");
  const own = at(manager, "Links", "Oem", "Dell");
  const update = read(link(root, "UpdateService"));
  const units = members(link(system, "Storage"));
  const drives = units.flatMap((unit) => linksOf(read(unit), "Drives"));
  const databases = members(link(read(secureBoot), "SecureBootDatabases")).map(read);
  const media = [link(manager, "VirtualMedia"), link(system, "VirtualMedia")].flatMap(members);
  const attributes = read(bios);
  return {
    manager: managerPath,
    managerReset: link(manager, "Actions", "#Manager.Reset", "target"),
    bios,
    biosSettings,
    biosNames: new Set(
      Object.keys(isObject(at(attributes, "Attributes")) ? (at(attributes, "Attributes") as Json) : {}),
    ),
    resetBios: link(read(bios), "Actions", "#Bios.ResetBios", "target"),
    secureBoot,
    resetKeys: link(read(secureBoot), "Actions", "#SecureBoot.ResetKeys", "target"),
    accounts,
    accountSlots: members(accounts).some((path) => at(read(path), "UserName") === ""),
    subscriptions: link(read(link(root, "EventService")), "Subscriptions"),
    lists: {
      keys: members(accounts).flatMap((path) => link(read(path), "Keys") ?? []),
      bootEntries: link(system, "Boot", "BootOptions"),
      secureBoot: databases
        .flatMap((row) => [link(row, "Certificates"), link(row, "Signatures")])
        .filter((path) => path !== null && resources.has(path))
        .map(String),
    },
    hostInterfaces: members(link(manager, "HostInterfaces")),
    media: new Map(
      media.map((path) => [path, link(read(path), "Actions", "#VirtualMedia.EjectMedia", "target")]),
    ),
    attributes:
      linksOf(own, "DellAttributes").find(
        (path) => path.split("/").at(-1) === managerPath?.split("/").at(-1),
      ) ?? null,
    jobs: link(own, "Jobs"),
    deleteJobs: link(
      read(link(own, "DellJobService")),
      "Actions",
      "#DellJobService.DeleteJobQueue",
      "target",
    ),
    tasks: link(read(link(root, "Tasks")), "Tasks"),
    simpleUpdate: link(update, "Actions", "#UpdateService.SimpleUpdate", "target"),
    firmware: link(update, "FirmwareInventory"),
    storage: units.flatMap((unit) => {
      const volumes = link(read(unit), "Volumes");
      return volumes === null
        ? []
        : [
            {
              unit,
              volumes,
              captured: members(volumes),
              drives: linksOf(read(unit), "Drives"),
              decommission: link(
                read(unit),
                "Actions",
                "Oem",
                "#DellStorage.ControllerDrivesDecommission",
                "target",
              ),
            },
          ];
    }),
    secureErase: new Map(
      drives.flatMap((path) => {
        const target = link(read(path), "Actions", "#Drive.SecureErase", "target");
        return target === null ? [] : [[target, path] as const];
      }),
    ),
  };
}
