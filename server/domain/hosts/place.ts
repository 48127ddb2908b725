// Where a host stands, as people name it. Reclaim asks no machine for it: rack and slot are shown, segment and power domain are what limits count by
// (docs/cleaning.md#admission).
import { z } from "zod";

/** A rack, slot, network segment or power domain. */
export const placeName = z
  .string()
  .min(1)
  .max(64)
  .refine((text) => text.trim() === text, "must not begin or end with a space");

/** The parts of a host's place. Left out: as it is; null: none. */
export const place = z.strictObject({
  rack: placeName.nullable().exactOptional(),
  slot: placeName.nullable().exactOptional(),
  /** Network in which it boots our image. */
  segment: placeName.nullable().exactOptional(),
  /** Hosts that share a power supply. */
  powerDomain: placeName.nullable().exactOptional(),
});
export type Place = z.infer<typeof place>;
