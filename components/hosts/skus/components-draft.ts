// Converts a SKU's components between form fields and the JSON that is sent. What has no field (the baseline) is kept unchanged. Pure.
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import { skuComponents } from "@/server/domain/hosts/inventory/sku";
import { formatDocument } from "@/server/domain/schema-text";

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

/** "2048 GiB" in bytes, as decimal digits; text that is not a size is returned unchanged, for the schema to report. */
export function readSize(text: string): string {
  const [, count, unit = ""] = /^(\d{1,12})\s*([kKMGT]i?B)$/.exec(text.trim()) ?? [];
  const factor = units[unit];
  return count === undefined || factor === undefined ? text.trim() : String(BigInt(count) * factor);
}

/** In GiB if that is a whole number. */
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

/** Null if the text is not a JSON object; then only the text can be edited. Members that a SKU does not have become empty fields. */
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

/** The JSON updated from the fields. */
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

/** Faults by member path, such as `storage.0.count`. */
export function faultsOf(text: string): ReadonlyMap<string, string> {
  const parsed = skuComponents.safeParse(objectOf(text), { error: formatDocument });
  return new Map(
    parsed.error?.issues.map(({ path, message }): [string, string] => [path.map(String).join("."), message]),
  );
}
