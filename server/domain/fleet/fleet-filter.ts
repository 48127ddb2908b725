// The part of the fleet that a person looks at, in the page's address and in requests to the server.
import { z } from "zod";

/** The last day, week or month. */
export const fleetHours = [24, 168, 720] as const;

/** Filters by name, and the time range. Default: the whole fleet, the last day. */
export const fleetFilter = z.strictObject({
  site: z.string().min(1).max(128).optional(),
  sku: z.string().min(1).max(128).optional(),
  /** The tenant's organization. */
  tenant: z.string().min(1).max(128).optional(),
  hours: z.union(fleetHours.map((hours) => z.literal(hours))).default(24),
});
export type FleetFilter = z.infer<typeof fleetFilter>;
