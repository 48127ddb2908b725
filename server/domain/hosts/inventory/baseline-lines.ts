// Compares a baseline with a host line by line, as far as the BMC reported: firmware, lockdown, and the BMC itself. BIOS attributes are compared in bios.ts.
import { beginsWith, isAllowedEntry } from "@/server/domain/hosts/inventory/boot-order";
import {
  differingMeasurements,
  isSameSet,
  listed,
  measuredWords,
  onOff,
  setOrNot,
} from "@/server/domain/hosts/platform/compare";
import type { BaselineSource } from "@/server/domain/hosts/inventory/baseline";
import { findComponent } from "@/server/domain/hosts/inventory/firmware-name";
import type { BmcBaseline, BmcSettings } from "@/server/domain/hosts/inventory/bmc-settings";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

export interface BaselineLine {
  readonly name: string;
  readonly wanted: string;
  /** Null: unknown. */
  readonly found: string | null;
  /** Null: unknown, which never counts as same. */
  readonly same: boolean | null;
}

type Reading = Pick<BaselineSource, "firmware" | "platform" | "bmcSettings">;

const line = (name: string, wanted: string, found: string | null, same: boolean | null): BaselineLine => ({
  name,
  wanted,
  found,
  same: found === null ? null : same,
});

/** Compares like `firmware.verify`: by the first entry of each name. */
const firmwareLines = (wanted: PlatformBaseline["firmware"] = [], { firmware }: Reading) =>
  wanted.map(({ component, version }) => {
    const found = findComponent(firmware, component)?.version;
    const text = firmware.length === 0 ? null : (found ?? "not there");
    return line(`firmware ${component}`, version, text, found === version);
  });

const counted = (names: readonly string[]): string => String(names.length);

/** For lists of what is allowed: missing entries make no difference, additional ones do. */
function allowedLine(
  name: string,
  wanted: readonly string[] | undefined,
  found: readonly string[] | undefined,
  words: (names: readonly string[]) => string,
  isAllowed: (wanted: readonly string[], one: string) => boolean = (list, one) => list.includes(one),
): readonly BaselineLine[] {
  if (wanted === undefined) return [];
  if (found === undefined) return [line(name, words(wanted), null, null)];
  const foreign = found.filter((one) => !isAllowed(wanted, one));
  const more = foreign.length === 0 ? "" : `; not allowed: ${words(foreign)}`;
  return [line(name, words(wanted), `${words(found)}${more}`, foreign.length === 0)];
}

/** For what must be as it is wanted. */
const exactLine = <T>(
  name: string,
  wanted: T | undefined,
  found: T | undefined,
  words: (value: T) => string,
  fits: (wanted: T, found: T) => boolean = Object.is,
): readonly BaselineLine[] =>
  wanted === undefined
    ? []
    : [
        line(
          name,
          words(wanted),
          found === undefined ? null : words(found),
          found !== undefined && fits(wanted, found),
        ),
      ];

/** A database must contain exactly what is wanted. */
const secureBootLines = (
  wanted: BmcBaseline["secureBoot"] = {},
  found: BmcSettings["secureBoot"],
): readonly BaselineLine[] =>
  Object.entries(wanted).map(([name, ids]) => {
    const there = found?.[name];
    const same = there !== undefined && isSameSet(ids, there);
    return line(`secure boot ${name}`, counted(ids), there === undefined ? null : counted(there), same);
  });

/** Compares like `management.verify_bmc_baseline`. @param own Reclaim's own accounts, which stay whatever the baseline names */
function bmcLines(
  wanted: BmcBaseline | undefined,
  settings: BmcSettings | null,
  own: readonly string[],
): readonly BaselineLine[] {
  if (wanted === undefined) return [];
  const found: Partial<BmcSettings> = settings ?? {};
  return [
    ...allowedLine(
      "BMC accounts",
      wanted.accounts,
      found.accounts,
      listed,
      (list, one) => own.includes(one) || list.includes(one),
    ),
    ...allowedLine("event subscriptions", wanted.subscriptions, found.subscriptions, listed),
    ...allowedLine("account keys", wanted.keys, found.keys, counted),
    ...exactLine("host interface", wanted.hostInterface, found.hostInterface, onOff),
    ...allowedLine("boot entries", wanted.bootEntries, found.bootEntries, listed, isAllowedEntry),
    ...secureBootLines(wanted.secureBoot, found.secureBoot),
    ...exactLine("network protocols", wanted.protocols, found.protocols, listed, isSameSet),
    ...exactLine("boot order", wanted.bootOrder, found.bootOrder, listed, beginsWith),
    ...exactLine("UEFI password", wanted.uefiPassword, found.uefiPassword, setOrNot),
    ...exactLine("DPU mode", wanted.dpuMode, found.dpuMode, (mode) => mode),
    ...Object.entries(wanted.measurements ?? {}).flatMap(([component, values]) =>
      exactLine(
        `measurements ${component}`,
        values,
        found.measurements === undefined ? undefined : (found.measurements[component] ?? {}),
        measuredWords,
        (named, there) => differingMeasurements(named, there).length === 0,
      ),
    ),
  ];
}

/** Pure. */
export const baselineComparison = (
  { firmware, lockdown, bmc }: PlatformBaseline,
  found: Reading,
  own: readonly string[],
): readonly BaselineLine[] => [
  ...firmwareLines(firmware, found),
  ...exactLine("lockdown", lockdown, found.platform.lockdown ?? undefined, onOff),
  ...bmcLines(bmc, found.bmcSettings, own),
];
