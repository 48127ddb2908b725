// The components of a SKU as fields, and back to the JSON that a SKU is sent as. What has no field (the baseline) stays as it is. Pure.
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import { skuComponents } from "@/server/domain/inventory/sku";
import { documentWords } from "@/server/domain/schema-words";

export interface DriveFields {
  readonly media: string;
  readonly count: string;
  readonly capacity: string;
}

export interface ComponentFields {
  readonly manufacturer: string;
  readonly product: string;
  readonly cpuCount: string;
  readonly cpuModel: string;
  readonly memory: string;
  readonly infiniband: string;
  readonly drives: readonly DriveFields[];
}

const units: Readonly<Record<string, bigint>> = {
  kB: 10n ** 3n,
  MB: 10n ** 6n,
  GB: 10n ** 9n,
  TB: 10n ** 12n,
  KiB: 2n ** 10n,
  MiB: 2n ** 20n,
  GiB: 2n ** 30n,
  TiB: 2n ** 40n,
};

/** "2048 GiB" in bytes, as decimal digits; what is no size stays as it was typed, and the schema says so. */
export function readSize(text: string): string {
  const [, count, unit = ""] = /^(\d{1,12})\s*([kKMGT]i?B)$/.exec(text.trim()) ?? [];
  const factor = units[unit];
  return count === undefined || factor === undefined ? text.trim() : String(BigInt(count) * factor);
}

/** In GiB where that is a whole number. */
export function sizeText(bytes: string): string {
  const gib = 2n ** 30n;
  if (!/^\d{1,24}$/.test(bytes)) return bytes;
  const value = BigInt(bytes);
  return value > 0n && value % gib === 0n ? `${value / gib} GiB` : bytes;
}

const word = z.union([z.string(), z.number().transform(String)]).catch("");
const members = z.looseObject({
  manufacturer: word,
  product: word,
  cpus: z.looseObject({ count: word, model: word }).catch({ count: "", model: "" }),
  memoryBytes: word,
  storage: z.array(z.looseObject({ media: word, count: word, capacityBytes: word })).catch([]),
  infiniband: word,
});

function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) ? read : null;
  } catch {
    return null;
  }
}

/** Null: the text is no JSON object, so only the text itself can be edited. A member that is none of a SKU is an empty field. */
export function fieldsOf(text: string): ComponentFields | null {
  const read = objectOf(text);
  if (read === null) return null;
  const { manufacturer, product, cpus, memoryBytes, storage, infiniband } = members.parse(read);
  return {
    manufacturer,
    product,
    cpuCount: cpus.count,
    cpuModel: cpus.model,
    memory: sizeText(memoryBytes),
    infiniband,
    drives: storage.map(({ media, count, capacityBytes }) => ({
      media,
      count,
      capacity: sizeText(capacityBytes),
    })),
  };
}

const numberOf = (text: string): number | string => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text);

/** The JSON with what the fields say. */
export function withFields(text: string, fields: ComponentFields): string {
  const { manufacturer, product, cpuCount, cpuModel, memory, infiniband, drives } = fields;
  return JSON.stringify(
    {
      ...objectOf(text),
      manufacturer,
      product,
      cpus: { count: numberOf(cpuCount), model: cpuModel },
      memoryBytes: readSize(memory),
      storage: drives.map(({ media, count, capacity }) => ({
        media,
        count: numberOf(count),
        capacityBytes: readSize(capacity),
      })),
      infiniband: numberOf(infiniband),
    },
    null,
    2,
  );
}

/** What is wrong with the components, by the path of the member, such as `storage.0.count`. */
export function faultsOf(text: string): ReadonlyMap<string, string> {
  const parsed = skuComponents.safeParse(objectOf(text), { error: documentWords });
  return new Map(
    parsed.error?.issues.map(({ path, message }): [string, string] => [path.map(String).join("."), message]),
  );
}
