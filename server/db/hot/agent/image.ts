// Which image a boot was given (docs/cleaning.md#new-agent-images; the rule: server/domain/cleaning/images/image-rollout.ts).
import { named } from "@/server/db/hot/pool";

/** Stores the image of a boot; null: the configured one. No-op if it is already stored. */
export const noteBootImage = named<
  Record<string, never>,
  [hostId: string, bootEpoch: number, imageId: string | null]
>(
  "boot_image_note",
  `UPDATE boot_window SET image_id = $3::uuid WHERE host_id = $1::uuid AND boot_epoch = $2::int AND image_id IS DISTINCT FROM $3::uuid`,
);

/**
 * Takes one of the few places of a candidate for this boot, and stores the image. No row: no place is free, it is no longer a candidate, or the
 * same boot has just taken one. Boots queue on the image's row lock, so no more hosts get it than there are places.
 */
export const takeImagePlace = named<
  { readonly image_id: string },
  [hostId: string, bootEpoch: number, imageId: string]
>(
  "boot_image_take",
  `WITH w AS (SELECT host_id, boot_epoch FROM boot_window WHERE host_id = $1::uuid AND boot_epoch = $2::int AND image_id IS DISTINCT FROM $3::uuid FOR UPDATE),
   place AS (UPDATE agent_image i SET given = i.given + 1 FROM w WHERE i.id = $3::uuid AND i.status = 'candidate' AND i.stage = 'few' AND i.given < i.hosts RETURNING i.id)
   UPDATE boot_window b SET image_id = place.id FROM w, place WHERE b.host_id = w.host_id AND b.boot_epoch = w.boot_epoch RETURNING b.image_id`,
);
