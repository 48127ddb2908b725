// Where a host is, as given by people. Reclaim does not detect it. Rack and slot are only shown; limits count by segment and power domain
// (docs/cleaning.md#admission).
import { z } from "zod";

/** A rack, slot, network segment or power domain. */
export const placeName = z
  .string()
  .min(1)
  .max(64)
  .refine((text) => text.trim() === text, "must not begin or end with a space");

/** The parts of a host's place. Left out: unchanged; null: none. */
export const place = z.strictObject({
  rack: placeName.nullable().exactOptional(),
  slot: placeName.nullable().exactOptional(),
  /** The network in which it boots the agent image. */
  segment: placeName.nullable().exactOptional(),
  /** Hosts that share a power supply. */
  powerDomain: placeName.nullable().exactOptional(),
});
export type Place = z.infer<typeof place>;
