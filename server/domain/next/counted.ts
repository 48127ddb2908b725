// Counts in the words of groups.

const counts = new Intl.NumberFormat("en");
const plurals = new Intl.PluralRules("en");

/** "1 host", "4,018 hosts". */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${counts.format(count)} ${plurals.select(count) === "one" ? noun : nouns}`;

/** One of two forms, such as "waits" or "wait". */
export const form = (count: number, one: string, several: string): string =>
  plurals.select(count) === "one" ? one : several;

/** "+12 hosts, 1 tenant waits". */
export function gain(hosts: number, tenants = 0): string {
  const waits = tenants === 0 ? "" : `, ${counted(tenants, "tenant")} ${form(tenants, "waits", "wait")}`;
  return `+${counted(hosts, "host")}${waits}`;
}
