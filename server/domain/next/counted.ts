// Counts in the words of groups.

import { formatCounted } from "@/server/domain/numbers";

const plurals = new Intl.PluralRules("en");

/** One of two forms, such as "waits" or "wait". */
export const form = (count: number, one: string, several: string): string =>
  plurals.select(count) === "one" ? one : several;

/** "+12 hosts, 1 tenant waits". */
export function gain(hosts: number, tenants = 0): string {
  const waits =
    tenants === 0 ? "" : `, ${formatCounted(tenants, "tenant")} ${form(tenants, "waits", "wait")}`;
  return `+${formatCounted(hosts, "host")}${waits}`;
}
