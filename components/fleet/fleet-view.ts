// What the URL of the fleet page holds: which part of the fleet, over which time. Both ways, so that a link shows the same.
import { fleetFilter, fleetHours, type FleetFilter } from "@/server/domain/console/fleet-filter";

export const hoursWords = {
  24: "Last 24 h",
  168: "Last 7 d",
  720: "Last 30 d",
} as const satisfies Record<FleetFilter["hours"], string>;

/** What is not understood is left out. */
export function parseFleetView(search: { get: (name: string) => string | null }): FleetFilter {
  const named = (name: "site" | "sku" | "tenant") => {
    const value = search.get(name);
    return value === null || value === "" ? {} : { [name]: value.slice(0, 128) };
  };
  return fleetFilter.parse({
    ...named("site"),
    ...named("sku"),
    ...named("tenant"),
    hours: fleetHours.find((hours) => String(hours) === search.get("hours")) ?? 24,
  });
}
