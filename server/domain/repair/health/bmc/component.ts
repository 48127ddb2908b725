// What a BMC reports of one fan, power supply, sensor, drive … of a host, as far as health is judged on it (docs/bmc-health.md). A BMC's texts are cut and
// cleaned before they are part of it.

/** What is read and may fail on its own, with its words for people. Each part has its kinds below. */
export const bmcParts = {
  fans: "fans",
  powerSupplies: "power supplies",
  sensors: "sensors",
  leakDetectors: "leak detectors",
  intrusion: "chassis intrusion",
  networkAdapters: "network adapters",
  memory: "memory",
  processors: "processors",
  drives: "drives",
} as const;
export type BmcPart = keyof typeof bmcParts;

export const partNames: readonly BmcPart[] = [
  "fans",
  "powerSupplies",
  "sensors",
  "leakDetectors",
  "intrusion",
  "networkAdapters",
  "memory",
  "processors",
  "drives",
];

/**
 * Kinds of components. The target of a check is a kind and a name, such as `fan 3A`, so that a report tells what each entry is about, and which part it
 * came from when that part cannot be read next time. `blocks`: a tenant's work depends on it alone, so a critical one keeps the host out of allocation;
 * fans and power supplies are redundant.
 */
export const componentKinds = {
  fan: { part: "fans", blocks: false },
  "fan redundancy": { part: "fans", blocks: false },
  "power supply": { part: "powerSupplies", blocks: false },
  "power redundancy": { part: "powerSupplies", blocks: false },
  temperature: { part: "sensors", blocks: false },
  voltage: { part: "sensors", blocks: false },
  sensor: { part: "sensors", blocks: false },
  "leak detector": { part: "leakDetectors", blocks: true },
  chassis: { part: "intrusion", blocks: true },
  "network adapter": { part: "networkAdapters", blocks: false },
  memory: { part: "memory", blocks: true },
  processor: { part: "processors", blocks: true },
  GPU: { part: "processors", blocks: true },
  drive: { part: "drives", blocks: true },
} as const satisfies Record<string, { readonly part: BmcPart; readonly blocks: boolean }>;
export type ComponentKind = keyof typeof componentKinds;

/** Lowest and highest value that is still good; null: not reported. */
export interface Range {
  readonly low: number | null;
  readonly high: number | null;
}

export interface Reading {
  readonly value: number;
  readonly unit: string;
  readonly caution: Range;
  readonly critical: Range;
  readonly fatal: Range;
}

/** Something wrong besides `health`, such as a predicted failure. */
export interface Sign {
  readonly severity: "warning" | "critical";
  readonly words: string;
}

export interface Component {
  readonly kind: ComponentKind;
  readonly name: string;
  /** Where the BMC lists it: tells components of the same name apart. */
  readonly place: string;
  /** Redfish's `Status.Health`; null: not reported, or not one of these. */
  readonly health: "OK" | "Warning" | "Critical" | null;
  /** Redfish's `Status.State`; null: not reported. */
  readonly state: string | null;
  readonly reading: Reading | null;
  readonly signs: readonly Sign[];
}

/** What reading a part brought. */
export interface PartReading {
  readonly components: readonly Component[];
  /** False: the BMC has no list of them; it is said, and never taken for healthy. */
  readonly isOffered: boolean;
  /** Why some or all of them could not be read; null: all were. */
  readonly unread: string | null;
}

export type HealthReading = Readonly<Record<BmcPart, PartReading>>;

const longestFirst = Object.keys(componentKinds).sort((one, other) => other.length - one.length);

/** The part that a check's target came from; null: it is none of ours. Pure. */
export function partOf(target: string | null): BmcPart | null {
  const found = longestFirst.find((kind) => target?.startsWith(`${kind} `) === true);
  return Object.entries(componentKinds).find(([kind]) => kind === found)?.[1].part ?? null;
}

/** A BMC's text as it may be stored and shown: one line, without control characters or halves of characters, cut. Pure. */
export function bmcText(value: unknown, most: number): string {
  if (typeof value !== "string") return "";
  // Cut first: a hostile BMC may send megabytes.
  const short = value.slice(0, most * 4).replace(/[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
  return [...short.trim()].slice(0, most).join("").trim();
}
