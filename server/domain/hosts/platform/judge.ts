// Compares a host's platform with its baseline, item by item. What the SKU's baseline does not name, Reclaim wants as the vendor delivers it:
// no accounts, keys, subscriptions, media or boot entries of others, and the vendor's secure-boot keys (docs/adr/0143-platform-at-baseline.md).
import { eventPlace } from "@/server/domain/hardware/shown-address";
import { formatCounted } from "@/server/domain/numbers";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Frozen } from "@/server/domain/hosts/record/column";
import { settingText } from "@/server/domain/hosts/inventory/bios";
import { findComponent } from "@/server/domain/hosts/inventory/firmware-name";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";
import { beginsWith, isAllowedEntry } from "@/server/domain/hosts/inventory/boot-order";
import {
  differingMeasurements,
  isSameSet,
  listed,
  measuredWords,
  onOff,
  setOrNot,
} from "@/server/domain/hosts/platform/compare";
import { factoryOf, secureBootNames } from "@/server/domain/hosts/platform/reading";
import type {
  ComponentRead,
  PartRead,
  PlatformPart,
  PlatformQuery,
  PlatformReading,
} from "@/server/domain/hosts/platform/reading";

/**
 * `same`: as wanted. `different`: not as wanted. `unknown`: could not be read, which never counts as wanted.
 * `absent`: this hardware does not have it, and no baseline names it. `notNamed`: only a baseline can want something of it, and this one does not,
 * so it was not read.
 */
export const itemVerdicts = ["same", "different", "unknown", "absent", "notNamed"] as const;
export type ItemVerdict = (typeof itemVerdicts)[number];

export const platformItem = z.object({
  /** Such as `firmware BIOS`, `BIOS SriovGlobalEnable`, `accounts`. */
  name: z.string(),
  wanted: z.string(),
  /** For `unknown`, `absent` and `notNamed`: the reason. */
  found: z.string(),
  verdict: z.enum(itemVerdicts),
  /** Named by the SKU's baseline; otherwise wanted of every host. */
  named: z.boolean(),
});
export type PlatformItem = Readonly<z.infer<typeof platformItem>>;

/** The items of one reading, as stored with the reclamation. */
export const platformRecord = z.object({
  /** The boot in which the BMC was read, and when: the same reading as that of its drives after the last step. */
  epoch: z.int(),
  readAt: z.string(),
  /** The SKU whose baseline it was. */
  sku: z.string(),
  /** Whether the BMC lists a TPM, on or off. */
  tpm: z.enum(["there", "none", "unknown"]),
  items: z.array(platformItem),
});
export type PlatformRecord = Frozen<z.infer<typeof platformRecord>>;

/** Keys are long and sometimes secret: their number, and a digest by which another set of as many is told apart. */
const counted = (ids: readonly string[]): string =>
  ids.length === 0
    ? "none"
    : `${formatCounted(ids.length, "key")} (${createHash("sha256")
        .update([...ids].sort().join("\n"))
        .digest("hex")
        .slice(0, 12)})`;

/** The item of the TPM, which the gate judges and a recheck brings along. */
export const tpmName = "TPM";

type Judged = Pick<PlatformItem, "found" | "verdict">;

/** A part that its baseline names must be there: one that the BMC no longer shows is not as wanted. */
function judged<T, J extends Judged = Judged>(
  read: PartRead<T>,
  isNeeded: boolean,
  look: (value: T) => J,
): Judged | J {
  if ("unknown" in read) return { found: read.unknown, verdict: "unknown" };
  // safety: platform: what a baseline names must be there
  if ("absent" in read && isNeeded) return { found: read.absent, verdict: "unknown" };
  if ("absent" in read) return { found: read.absent, verdict: "absent" };
  return look(read.value);
}

const verdictOf = (isSame: boolean): ItemVerdict => (isSame ? "same" : "different");

/** A list of what may be there: a missing entry is no difference, another one is. `always`: every BMC has such a list. */
function allowed(
  name: string,
  wanted: readonly string[] | undefined,
  read: PartRead<readonly string[]>,
  { words = listed, always = false }: { readonly words?: typeof listed; readonly always?: boolean } = {},
): PlatformItem {
  const named = wanted !== undefined;
  const result = judged(read, named || always, (there) => {
    const foreign = there.filter((one) => !(wanted ?? []).includes(one));
    // safety: platform: nobody else's account, key, subscription or medium
    if (foreign.length > 0) return { found: `not allowed: ${words(foreign)}`, verdict: "different" };
    return { found: words(there), verdict: "same" };
  });
  return { name, wanted: named ? `at most ${words(wanted)}` : "none", named, ...result };
}

const firmwareItems = (
  wanted: PlatformBaseline["firmware"],
  read: PlatformReading["firmware"],
): readonly PlatformItem[] =>
  (wanted ?? []).map(({ component, version }) => ({
    name: `firmware ${component}`,
    wanted: version,
    named: true,
    ...judged(read, true, (list) => {
      const found = findComponent(list, component)?.version;
      return { found: found ?? "not listed", verdict: verdictOf(found === version) };
    }),
  }));

const biosItems = (
  wanted: PlatformBaseline["bios"],
  read: PlatformReading["bios"],
): readonly PlatformItem[] =>
  Object.entries(wanted ?? {}).map(([name, value]) => ({
    name: `BIOS ${name}`,
    wanted: settingText(value),
    named: true,
    ...judged(read, true, (settings) => {
      const found = Object.hasOwn(settings, name) ? settings[name] : undefined;
      return {
        found: found === undefined ? "not there" : settingText(found),
        verdict: verdictOf(found === value),
      };
    }),
  }));

/** A part that only a baseline can want something of. */
const namedItem = <T>(
  name: string,
  wanted: T | undefined,
  read: PartRead<T>,
  words: (value: T) => string,
  fits: (wanted: T, found: T) => boolean = Object.is,
): PlatformItem =>
  wanted === undefined
    ? notNamed(name)
    : {
        name,
        wanted: words(wanted),
        named: true,
        ...judged(read, true, (found): Judged => {
          // safety: platform: a part that only a baseline names
          if (!fits(wanted, found)) return { found: words(found), verdict: "different" };
          return { found: words(found), verdict: "same" };
        }),
      };

const notNamed = (name: string): PlatformItem => ({
  name,
  wanted: "nothing",
  found: "the SKU's baseline does not name it",
  verdict: "notNamed",
  named: false,
});

/** Without a list of names, an entry may stay if the firmware made it: one that leads to a file or an address is somebody's. */
function bootEntries(
  wanted: readonly string[] | undefined,
  read: PlatformReading["bootEntries"],
): PlatformItem {
  const named = wanted !== undefined;
  const result = judged(read, named, (entries) => {
    // A name is chosen by whoever makes the entry, so it allows none that leads to an address.
    const foreign = entries.filter(
      ({ name, own, toAddress }) => toAddress || (named ? !isAllowedEntry(wanted, name) : !own),
    );
    // safety: platform: nobody else's boot entry
    if (foreign.length > 0)
      return {
        found: `not allowed: ${listed(foreign.map(({ name, toAddress }) => (toAddress ? `${name} (leads to an address)` : name)))}`,
        verdict: "different",
      };
    return { found: named ? listed(entries.map(({ name }) => name)) : "the firmware's own", verdict: "same" };
  });
  return {
    name: "boot entries",
    wanted: named ? `at most ${listed(wanted)}` : "the firmware's own",
    named,
    ...result,
  };
}

/** A database that the baseline names must hold exactly its keys. */
const namedKeys = (
  database: string,
  ids: readonly string[],
  read: PlatformReading["secureBoot"],
): PlatformItem => ({
  name: `secure boot ${database}`,
  wanted: counted(ids),
  named: true,
  ...judged(read, true, (all): Judged => {
    const there = all[database];
    if (there === undefined) return { found: "the BMC does not show it", verdict: "unknown" };
    return { found: counted(there), verdict: verdictOf(isSameSet(ids, there)) };
  }),
});

/** Any other must hold the vendor's. */
const vendorKeys = (database: string, read: PlatformReading["secureBoot"]): PlatformItem => ({
  name: `secure boot ${database}`,
  wanted: "the vendor's keys",
  named: false,
  ...judged(read, false, (all): Judged => {
    const [there, factory] = [all[database], all[factoryOf(database)]];
    if (there === undefined) return { found: "the BMC does not show it", verdict: "absent" };
    // safety: platform: keys that cannot be compared with the vendor's
    if (factory === undefined)
      return {
        found:
          "the BMC does not show the vendor's keys: put the secure-boot databases into the SKU's baseline",
        verdict: "unknown",
      };
    return isSameSet(there, factory)
      ? { found: counted(there), verdict: "same" }
      : { found: `${counted(there)}, vendor ${counted(factory)}`, verdict: "different" };
  }),
});

const secureBoot = (
  wanted: NonNullable<PlatformBaseline["bmc"]>["secureBoot"] = {},
  read: PlatformReading["secureBoot"],
): readonly PlatformItem[] => [
  ...Object.entries(wanted).map(([database, ids]) => namedKeys(database, ids, read)),
  ...secureBootNames
    .filter((database) => !Object.hasOwn(wanted, database))
    .map((database) => vendorKeys(database, read)),
];

/** One item for each component that the baseline names. */
const measurementItems = (
  wanted: NonNullable<PlatformBaseline["bmc"]>["measurements"] = {},
  read: PlatformReading["measurements"],
): readonly PlatformItem[] =>
  Object.entries(wanted).map(([component, values]) => ({
    name: `measurements ${component}`,
    wanted: measuredWords(values),
    named: true,
    ...judged<Readonly<Record<string, ComponentRead>>, Judged & Partial<Pick<PlatformItem, "wanted">>>(
      read,
      true,
      (all) => {
        const there = Object.hasOwn(all, component) ? all[component] : undefined;
        if (there === undefined) return { found: "the BMC does not list it", verdict: "unknown" };
        // safety: platform: measurements that are not proven
        if ("unknown" in there) return { found: there.unknown, verdict: "unknown" };
        const differing = differingMeasurements(values, there.values);
        // safety: platform: a measurement that differs
        if (differing.length > 0)
          return {
            wanted: measuredWords(Object.fromEntries(differing.map((index) => [index, values[index] ?? ""]))),
            found: measuredWords(
              Object.fromEntries(differing.map((index) => [index, there.values[index] ?? "none"])),
            ),
            verdict: "different",
          };
        return { found: measuredWords(there.values), verdict: "same" };
      },
    ),
  }));

const orNotNamed = (name: string, items: readonly PlatformItem[]): readonly PlatformItem[] =>
  items.length > 0 ? items : [notNamed(name)];

/** Every item of the host, except the TPM, which the gate judges by the step that cleared it. Pure. */
export const judgePlatform = (
  { bios, firmware, bmc, lockdown }: PlatformBaseline,
  read: PlatformReading,
): readonly PlatformItem[] => [
  ...orNotNamed("firmware", firmwareItems(firmware, read.firmware)),
  ...orNotNamed("BIOS", biosItems(bios, read.bios)),
  namedItem("lockdown", lockdown, read.lockdown, onOff),
  allowed("accounts", bmc?.accounts, read.accounts, { always: true }),
  allowed("account keys", bmc?.keys, read.keys, { words: counted }),
  allowed("event subscriptions", bmc?.subscriptions, read.subscriptions, {
    words: (destinations) => listed(destinations.map(eventPlace)),
  }),
  allowed("virtual media", undefined, read.media),
  namedItem("host interface", bmc?.hostInterface, read.hostInterface, onOff),
  namedItem("network protocols", bmc?.protocols, read.protocols, listed, isSameSet),
  bootEntries(bmc?.bootEntries, read.bootEntries),
  namedItem("boot order", bmc?.bootOrder, read.bootOrder, listed, beginsWith),
  namedItem("UEFI password", bmc?.uefiPassword, read.uefiPassword, setOrNot),
  namedItem("DPU mode", bmc?.dpuMode, read.dpuMode, (mode) => mode),
  ...orNotNamed("measurements", measurementItems(bmc?.measurements, read.measurements)),
  ...secureBoot(bmc?.secureBoot, read.secureBoot),
];

const unread = { unknown: "not read" } as const;

/** A host of which nothing was read. */
export const nothingRead: PlatformReading = {
  firmware: unread,
  bios: unread,
  lockdown: unread,
  accounts: unread,
  keys: unread,
  subscriptions: unread,
  media: unread,
  hostInterface: unread,
  protocols: unread,
  bootEntries: unread,
  bootOrder: unread,
  uefiPassword: unread,
  dpuMode: unread,
  measurements: unread,
  secureBoot: unread,
  tpm: unread,
};

/** What has to be read of a host to compare it. Parts that no baseline names and nobody wants of every host cost no request. Pure. */
export function queryOf({ bios, firmware, bmc, lockdown }: PlatformBaseline): PlatformQuery {
  const optional: readonly (readonly [PlatformPart, boolean])[] = [
    ["firmware", firmware !== undefined && firmware.length > 0],
    ["bios", bios !== undefined && Object.keys(bios).length > 0],
    ["lockdown", lockdown !== undefined],
    ["hostInterface", bmc?.hostInterface !== undefined],
    ["protocols", bmc?.protocols !== undefined],
    ["bootOrder", bmc?.bootOrder !== undefined],
    ["uefiPassword", bmc?.uefiPassword !== undefined],
    ["dpuMode", bmc?.dpuMode !== undefined],
    ["measurements", Object.keys(bmc?.measurements ?? {}).length > 0],
  ];
  const always = [
    "accounts",
    "keys",
    "subscriptions",
    "media",
    "bootEntries",
    "secureBoot",
    "tpm",
  ] as const satisfies readonly PlatformPart[];
  return {
    bios: Object.keys(bios ?? {}),
    secureBoot: [
      ...Object.keys(bmc?.secureBoot ?? {}),
      ...secureBootNames
        .filter((name) => !Object.hasOwn(bmc?.secureBoot ?? {}, name))
        .flatMap((name) => [name, factoryOf(name)]),
    ],
    components: Object.keys(bmc?.measurements ?? {}),
    parts: [...optional.flatMap(([part, isWanted]) => (isWanted ? [part] : [])), ...always],
  };
}
