// BIOS attributes of a host: which ones from the BMC are stored, and how they compare with a baseline (docs/adr/0062-bios-attributes.md).
import { z } from "zod";
import { settingValue } from "@/server/domain/hosts/inventory/platform";

export const biosAttributes = z.record(z.string().min(1).max(128), settingValue);
export type BiosAttributes = z.infer<typeof biosAttributes>;

/** Names of secrets. A false match only means that an attribute has to be entered by hand; a missed one stores a password in the database. */
const secret = /passw|pwd|passphrase|secret|salt|credential|token|chap|hash|sha\d{3}|(keys?|pin)(_|$)/i;

/** Attributes specific to one host, which no SKU's baseline can contain. A name with a MAC address belongs to one network card (Lenovo XCC). */
const ofOneHost =
  /asset|servicetag|serial(number|num|no)(_|$)|uuid|guid|macaddr|[0-9a-f]{12}|hostname|servername|initiatorname|iscsiname|ipaddr|ipv[46]addr|contact|owner/i;

/** Names of versions, which a baseline has as firmware. */
const version = /(bios|cpld|efi|firmware|me|compliance)version(_|$)/i;

/** More than any known machine has: a Dell R750 reports 455 attributes in 12 KB, a Lenovo SR670 373 in 21 KB. */
export const biosLimits = { attributes: 2000, characters: 128 * 1024 } as const;

export interface KeptBios {
  readonly attributes: BiosAttributes;
  /** How many more there are than are stored. */
  readonly over: number;
}

const isOfBaseline = (name: string): boolean =>
  !ofOneHost.test(name) && !version.test(name) && !secret.test(name);

/** What is stored of a BMC's answer, by name. Annotations (`Name@odata.type`) are not attributes, and attributes without a value cannot be wanted. Pure. */
export function keptBios(told: Readonly<Record<string, unknown>>): KeptBios {
  const kept: [string, BiosAttributes[string]][] = [];
  let characters = 0;
  let over = 0;
  for (const [name, value] of Object.entries(told).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name.includes("@") || !isOfBaseline(name)) continue;
    const parsed = biosAttributes.safeParse({ [name]: value });
    if (!parsed.success) continue;
    characters += name.length + String(value).length;
    if (kept.length >= biosLimits.attributes || characters > biosLimits.characters) over += 1;
    else kept.push(...Object.entries(parsed.data));
  }
  return { attributes: Object.fromEntries(kept), over };
}

/** As in the steps that write it: strings are quoted, so that "1" and 1 can be told apart. */
export const settingText = (value: BiosAttributes[string]): string => JSON.stringify(value);

/** An attribute of a baseline compared with a host. */
export interface BiosLine {
  readonly name: string;
  readonly wanted: string;
  /** Null: the host is not known to have it. */
  readonly found: string | null;
  /** Null: unknown. */
  readonly same: boolean | null;
}

/** Compares like the clean step `bios.recommit`. Pure. @param found null: the host's BIOS is unknown */
export const biosComparison = (wanted: BiosAttributes, found: BiosAttributes | null): readonly BiosLine[] =>
  Object.entries(wanted).map(([name, value]) => {
    const there = found !== null && Object.hasOwn(found, name) ? found[name] : undefined;
    return {
      name,
      wanted: settingText(value),
      found: there === undefined ? null : settingText(there),
      same: there === undefined ? null : there === value,
    };
  });

/** Grouped by the vendor's prefix (`Processors_…`), or else the first word (`ProcVirtualization`). Groups of fewer than three are combined at the end. Pure. */
export function biosGroups(
  names: readonly string[],
): readonly { readonly title: string; readonly names: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const title = /^(.+?)_/.exec(name)?.[1] ?? /^[A-Z]*[a-z]*/.exec(name)?.[0] ?? "";
    groups.set(title, [...(groups.get(title) ?? []), name]);
  }
  const all = [...groups].map(([title, members]) => ({ title, names: members }));
  const rest = all.filter((group) => group.names.length < 3).flatMap((group) => group.names);
  const large = all.filter((group) => group.names.length >= 3);
  return rest.length === 0 ? large : [...large, { title: "Other", names: rest }];
}

export type ChosenNames =
  | { readonly ok: true; readonly names: readonly string[] }
  /** A name or pattern that matches no attribute. */
  | { readonly ok: false; readonly unmatched: string };

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");

/** The attributes that match the names and patterns; `*` stands for any characters. Pure. */
export function chooseBios(known: readonly string[], asked: readonly string[]): ChosenNames {
  const chosen = new Set<string>();
  for (const one of asked) {
    const pattern = new RegExp(`^${one.split("*").map(escaped).join(".*")}$`);
    const fits = known.filter((name) => pattern.test(name));
    if (fits.length === 0) return { ok: false, unmatched: one };
    for (const name of fits) chosen.add(name);
  }
  return { ok: true, names: [...chosen].sort() };
}
