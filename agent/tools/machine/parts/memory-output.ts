// What dmidecode prints of memory: one block per slot, filled or empty (SMBIOS, type 17).
import { text } from "@/agent/tools/machine/program/answers";
import { isPlaceholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { maxParts, type Part } from "@/server/domain/hosts/parts/part";

const units: Readonly<Record<string, bigint>> = {
  kB: 2n ** 10n,
  MB: 2n ** 20n,
  GB: 2n ** 30n,
  TB: 2n ** 40n,
};

/** "32 GB", "16384 MB"; null: no module, undefined: there may be one. */
function sizeOf(said: string | undefined): string | null | undefined {
  if (said === "No Module Installed" || said === "0") return null;
  const [, number = "", unit = ""] = /^(\d{1,9}) (kB|MB|GB|TB)$/.exec(said ?? "") ?? [];
  const factor = units[unit];
  return factor === undefined ? undefined : String(BigInt(number) * factor);
}

/** What firmware prints in place of a name. */
const noName = /^(unknown|not specified|none|no dimm|<out of spec>|undefined)?$/i;
const named = (said: string | undefined, most: number): string | undefined => {
  const value = (said ?? "").trim();
  return noName.test(value) || isPlaceholderSerial(value) ? undefined : value.slice(0, most);
};

function moduleOf(fields: ReadonlyMap<string, string>, slot: string): Part | null {
  const size = sizeOf(fields.get("Size"));
  if (size === null) return null;
  const type = named(fields.get("Type"), 64);
  const manufacturer = named(fields.get("Manufacturer"), 256);
  const serial = named(fields.get("Serial Number"), 128);
  return {
    kind: "memory",
    slot,
    model: named(fields.get("Part Number"), 256) ?? "",
    ...(manufacturer === undefined ? {} : { manufacturer }),
    ...(serial === undefined ? {} : { serial }),
    ...(size === undefined ? {} : { memoryBytes: size }),
    ...(type === undefined ? {} : { memoryType: type }),
  };
}

/** Every module; null if the output has no slot at all, because a machine has memory. */
export const readModules = text((output): readonly Part[] | null => {
  const blocks = output
    .split(/\n\s*\n/)
    .filter((block) => /^Memory Device$/m.test(block))
    .slice(0, maxParts)
    .map(
      (block) =>
        new Map(
          [...block.matchAll(/^\s+([A-Z][\w -]{0,63}):[ \t]*(.{0,512})$/gm)].map(
            ([, name = "", value = ""]): [string, string] => [name, value.trim()],
          ),
        ),
    );
  const locators = blocks.map((fields) => fields.get("Locator") ?? "");
  const modules = blocks.flatMap((fields, at) => {
    const locator = locators[at] ?? "";
    const isUnique = locator !== "" && locators.filter((each) => each === locator).length === 1;
    const slot = isUnique ? locator : `${fields.get("Bank Locator") ?? ""} ${locator} #${at + 1}`.trim();
    return moduleOf(fields, slot.slice(0, 128)) ?? [];
  });
  return modules.length === 0 ? null : modules;
});
