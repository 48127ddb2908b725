// A BMC's settings for the part `bmc` of a baseline: what is stored, and what a person can take into a baseline (docs/adr/0062-bios-attributes.md).
import { z } from "zod";
import { platformBaseline } from "@/server/domain/hosts/inventory/platform";
import type { PlatformBaseline } from "@/server/domain/hosts/inventory/platform";

export type BmcBaseline = NonNullable<PlatformBaseline["bmc"]>;

const wanted = platformBaseline.shape.bmc.unwrap().shape;

/** In the form of a baseline. What is left out is unknown. */
export const bmcSettings = z.object({
  accounts: wanted.accounts.exactOptional(),
  subscriptions: wanted.subscriptions.exactOptional(),
  keys: wanted.keys.unwrap().exactOptional(),
  hostInterface: wanted.hostInterface.unwrap().exactOptional(),
  bootEntries: wanted.bootEntries.unwrap().exactOptional(),
  secureBoot: wanted.secureBoot.unwrap().exactOptional(),
  protocols: wanted.protocols.unwrap().exactOptional(),
  bootOrder: wanted.bootOrder.unwrap().exactOptional(),
  uefiPassword: wanted.uefiPassword.unwrap().exactOptional(),
  dpuMode: wanted.dpuMode.unwrap().exactOptional(),
  measurements: wanted.measurements.unwrap().exactOptional(),
  /** What is unknown, with the reason. */
  left: z.array(z.string()),
});
export type BmcSettings = z.infer<typeof bmcSettings>;

/** The result of reading each member: its value, or why there is none. */
export type BmcPartsRead = Readonly<
  Record<keyof BmcBaseline, { readonly value: unknown } | { readonly reason: string }>
>;

/** What can be taken, each part as a whole. Accounts and subscriptions form one part, because a baseline that names one names both. */
export const bmcParts = {
  accounts: { words: "accounts and event subscriptions", members: ["accounts", "subscriptions"] },
  keys: { words: "account keys", members: ["keys"] },
  hostInterface: { words: "host interface", members: ["hostInterface"] },
  bootEntries: { words: "boot entries", members: ["bootEntries"] },
  secureBoot: { words: "secure-boot databases", members: ["secureBoot"] },
  protocols: { words: "network protocols", members: ["protocols"] },
  bootOrder: { words: "boot order", members: ["bootOrder"] },
  uefiPassword: { words: "UEFI password", members: ["uefiPassword"] },
  dpuMode: { words: "DPU mode", members: ["dpuMode"] },
  measurements: { words: "measurements of components", members: ["measurements"] },
} as const satisfies Readonly<
  Record<string, { readonly words: string; readonly members: readonly (keyof BmcBaseline)[] }>
>;
export type BmcPart = keyof typeof bmcParts;
export const bmcPartNames = [
  "accounts",
  "keys",
  "hostInterface",
  "bootEntries",
  "secureBoot",
  "protocols",
  "bootOrder",
  "uefiPassword",
  "dpuMode",
  "measurements",
] as const satisfies readonly BmcPart[];

const memberLabels: Readonly<Record<keyof BmcBaseline, string>> = {
  accounts: "accounts",
  subscriptions: "event subscriptions",
  keys: "account keys",
  hostInterface: "host interface",
  bootEntries: "boot entries",
  secureBoot: "secure-boot databases",
  protocols: "network protocols",
  bootOrder: "boot order",
  uefiPassword: "UEFI password",
  dpuMode: "DPU mode",
  measurements: "measurements of components",
};
const members = bmcPartNames.flatMap((part): readonly (keyof BmcBaseline)[] => bmcParts[part].members);

const names = z.array(z.string()).catch([]);
const lists = z.record(z.string(), names).catch({});

/** Why a member's value cannot be part of a baseline; null: it can. Pure. */
function whyLeft(member: keyof BmcBaseline, value: unknown): string | null {
  // safety: bmc: an entry without a name would allow every other one without
  if ([...names.parse(value), ...Object.values(lists.parse(value)).flat()].includes(""))
    return "one has no unique name";
  // An address with a user name, password or query may contain a credential.
  // safety: bmc: a credential in the address of a subscription is not kept
  if (member === "subscriptions" && names.parse(value).some((address) => /[@?#]/.test(address)))
    return "an address may hold a credential";
  if (member === "accounts" && names.parse(value).length === 0)
    return "the BMC lists none, not even Reclaim's own";
  return wanted[member].safeParse(value).success ? null : "too many or too long for a baseline";
}

/** What is stored of a reading: nothing that a baseline could not contain, and no secrets. Pure. */
export function keptBmcSettings(read: BmcPartsRead): BmcSettings {
  const left: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const member of members) {
    const part = read[member];
    const reason = "reason" in part ? part.reason : whyLeft(member, part.value);
    if (reason !== null) left.push(`${memberLabels[member]}: ${reason}`);
    else if ("value" in part) kept[member] = part.value;
  }
  return bmcSettings.parse({ ...kept, left });
}

/** The parts that are completely known. Pure. */
export const knownBmcParts = (found: BmcSettings | null): readonly BmcPart[] =>
  bmcPartNames.filter((part) => bmcParts[part].members.every((member) => found?.[member] !== undefined));

export type ChosenBmc =
  | { readonly ok: true; readonly bmc: BmcBaseline | undefined }
  | { readonly ok: false; readonly reason: string };

/** A baseline's part `bmc` with the chosen parts taken from the host, and the others unchanged. Undefined: none was chosen, and there was none. Pure. */
export function withBmcParts(
  before: BmcBaseline | undefined,
  found: BmcSettings | null,
  chosen: readonly BmcPart[],
): ChosenBmc {
  if (chosen.length === 0) return { ok: true, bmc: before };
  const unknown = chosen.filter((part) => !knownBmcParts(found).includes(part));
  if (unknown.length > 0)
    return { ok: false, reason: `not known: ${unknown.map((part) => bmcParts[part].words).join(", ")}` };
  const taken = Object.fromEntries(
    chosen.flatMap((part) => bmcParts[part].members.map((member) => [member, found?.[member]])),
  );
  const parsed = platformBaseline.shape.bmc.unwrap().safeParse({ ...before, ...taken });
  return parsed.success
    ? { ok: true, bmc: parsed.data }
    : { ok: false, reason: "a baseline of the BMC must include its accounts and event subscriptions" };
}

/** What a part would take, as text. Pure. */
export function bmcPartText(found: Partial<BmcBaseline>, part: BmcPart): string {
  const listed = (names: readonly string[] = []): string => (names.length === 0 ? "none" : names.join(", "));
  switch (part) {
    case "accounts":
      return `accounts ${listed(found.accounts)}; subscriptions ${listed(found.subscriptions)}`;
    case "keys":
      return found.keys?.length === 0 ? "none" : `${found.keys?.length ?? 0}`;
    case "hostInterface":
      return found.hostInterface === true ? "on" : "off";
    case "bootEntries":
      return listed(found.bootEntries);
    case "secureBoot":
      return listed(Object.entries(found.secureBoot ?? {}).map(([name, ids]) => `${name} ${ids.length}`));
    case "protocols":
    case "bootOrder":
      return listed(found[part]);
    case "uefiPassword":
      return found.uefiPassword === true ? "set" : "not set";
    case "dpuMode":
      return found.dpuMode ?? "";
    case "measurements":
      return listed(Object.keys(found.measurements ?? {}));
  }
}
