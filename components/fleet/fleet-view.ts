// What the URL of the fleet page holds: which part of the fleet, over which period. A link shows the same view.
import { fleetFilter, fleetHours, type FleetFilter } from "@/server/domain/fleet/fleet-filter";

export const hoursLabels = {
  24: "Last 24 h",
  168: "Last 7 d",
  720: "Last 30 d",
} as const satisfies Record<FleetFilter["hours"], string>;

/** Unknown values are ignored. */
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
