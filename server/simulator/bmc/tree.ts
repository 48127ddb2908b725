// The resources of one kind of BMC, made once from captured or hand-made JSON and shared by all hosts of that kind.
import { Expansions, offeredBy, type Offered } from "@/server/simulator/bmc/expand";
import { isObject } from "@/server/simulator/bmc/json";
import { findPlaces, type Places } from "@/server/simulator/bmc/platform/places";
import { cut, mark, stateProperties, type Hole, type Template } from "@/server/simulator/bmc/template";

/** Where this BMC stores what changes, and which values of the capture belong to one machine. */
export interface TreeDescription {
  /** JSON by path, without a trailing slash. */
  readonly resources: ReadonlyMap<string, unknown>;
  readonly system: string;
  readonly sessions: string;
  /** Resources besides the system whose `PowerState` is the host's. */
  readonly poweredWith: readonly string[];
  readonly serial: string;
  readonly serviceTag: string;
  readonly uuid: string;
  readonly driveSerials: readonly string[];
  /** Of GPUs, cards and memory modules, in the order of the model; empty for a part without one. */
  readonly partSerials: readonly string[];
  /** MAC addresses of the interfaces that the host itself reports, in its order. Others in the tree are numbered after them. */
  readonly macs: readonly string[];
}

export interface Tree {
  readonly templates: ReadonlyMap<string, Template>;
  /** Of resources that have one, except the system, whose ETag changes. */
  readonly etags: ReadonlyMap<string, string>;
  readonly system: string;
  /** Resources besides the system whose power is the host's: its chassis. */
  readonly poweredWith: readonly string[];
  readonly resetAction: string;
  readonly sessions: string;
  readonly resetTypes: readonly string[];
  readonly bootTargets: readonly string[];
  readonly bootEnabledValues: readonly string[];
  /** Where it stores everything else that changes. */
  readonly places: Places;
  /** How it expands links; null: not at all. */
  readonly expand: Offered | null;
  readonly expansions: Expansions;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

const strings = (value: unknown) =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** SMBIOS stores the first three groups with swapped bytes. Some of Dell's properties show it like that, or completely reversed. */
export function uuidForm(uuid: string, form: "plain" | "upper" | "smbios" | "reversed"): string {
  if (form === "plain") return uuid;
  if (form === "upper") return uuid.toUpperCase();
  const swap = (group: string) => (group.match(/../g) ?? []).reverse().join("");
  const groups = uuid.split("-");
  if (form === "smbios") return groups.map((group, index) => (index < 3 ? swap(group) : group)).join("-");
  return swap(groups.join("")).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const macPattern = /(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])/g;
const noMac = "00:00:00:00:00:00";

function identities(description: TreeDescription, texts: Iterable<string>): Map<string, Hole> {
  const known = new Map<string, Hole>();
  for (const property of stateProperties) known.set(mark(property), { kind: "state", property });
  for (const [place, serial] of description.partSerials.entries())
    if (serial !== "") known.set(serial, { kind: "part", place });
  for (const [place, serial] of description.driveSerials.entries())
    known.set(serial, { kind: "drive", place });
  known.set(description.serviceTag, { kind: "serviceTag" });
  known.set(description.serial, { kind: "serial" });
  for (const form of ["smbios", "reversed", "upper", "plain"] as const)
    known.set(uuidForm(description.uuid, form), { kind: "uuid", form });
  const places = new Map(description.macs.map((address, place) => [address.toLowerCase(), place] as const));
  for (const text of texts) {
    for (const [captured] of text.matchAll(macPattern)) {
      if (captured === noMac) continue;
      const address = captured.toLowerCase();
      const place = places.get(address) ?? places.size;
      places.set(address, place);
      known.set(captured, { kind: "mac", captured: address, place, upper: captured !== address });
    }
  }
  return known;
}

/** A chassis with a sensor for its cover shows what was done to this machine. */
const withSensor = ({ PhysicalSecurity: security }: Record<string, unknown>) =>
  isObject(security) && "IntrusionSensor" in security
    ? { PhysicalSecurity: { ...security, IntrusionSensor: mark("intrusion") } }
    : {};

/** The same resource with placeholders for what changes. */
function marked(path: string, resource: unknown, description: TreeDescription): unknown {
  if (!isObject(resource)) return resource;
  if (description.poweredWith.includes(path))
    return { ...resource, PowerState: mark("power"), ...withSensor(resource) };
  if (path !== description.system) return resource;
  return {
    ...resource,
    ...("@odata.etag" in resource ? { "@odata.etag": mark("etag") } : {}),
    ...("LastResetTime" in resource ? { LastResetTime: mark("lastReset") } : {}),
    PowerState: mark("power"),
    Boot: {
      ...(isObject(resource.Boot) ? resource.Boot : {}),
      BootSourceOverrideEnabled: mark("bootEnabled"),
      BootSourceOverrideTarget: mark("bootTarget"),
      BootSourceOverrideMode: mark("bootMode"),
    },
  };
}

export function makeTree(description: TreeDescription): Tree {
  const texts = new Map(
    [...description.resources].map(
      ([path, resource]) => [path, JSON.stringify(marked(path, resource, description))] as const,
    ),
  );
  const known = identities(description, texts.values());
  const escaped = [...known.keys()]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const finder = new RegExp(escaped.join("|"), "g");
  const system = description.resources.get(description.system);
  const reset = at(system, "Actions", "#ComputerSystem.Reset");
  const enabled = strings(at(system, "Boot", "BootSourceOverrideEnabled@Redfish.AllowableValues"));
  return {
    etags: new Map(
      [...description.resources].flatMap(([path, resource]) =>
        isObject(resource) && typeof resource["@odata.etag"] === "string"
          ? [[path, resource["@odata.etag"]] as const]
          : [],
      ),
    ),
    templates: new Map([...texts].map(([path, text]) => [path, cut(text, known, finder)])),
    system: description.system,
    poweredWith: description.poweredWith,
    resetAction: String(at(reset, "target")),
    sessions: description.sessions,
    resetTypes: strings(at(reset, "ResetType@Redfish.AllowableValues")),
    bootTargets: strings(at(system, "Boot", "BootSourceOverrideTarget@Redfish.AllowableValues")),
    places: findPlaces(description.resources, description.system),
    expand: offeredBy(description.resources.get("/redfish/v1")),
    expansions: new Expansions(),
    bootEnabledValues: enabled.length > 0 ? enabled : ["Disabled", "Once", "Continuous"],
  };
}
