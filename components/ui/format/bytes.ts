// Sizes of drives and memory, in the units that manufacturers use.

const threeDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const decimal = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** "3.84 TB" from "3840755982336": decimal units, three digits. */
export function formatBytes(bytes: string): string {
  let value = Number(bytes);
  if (!Number.isFinite(value)) return bytes;
  let unit = 0;
  while (value >= 1000 && unit < decimal.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${threeDigits.format(value)} ${decimal[unit] ?? "B"}`;
}
