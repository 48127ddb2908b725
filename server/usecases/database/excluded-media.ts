// The media that sites' policies exclude, by the same rule as in a plan (domain/sanitization/media-rules.ts).
import { sql } from "kysely";
import { queryRows } from "@/server/db/sql";
import { z } from "zod";
import { transports } from "@/server/domain/hosts/inventory/inventory";
import { exclusion, mediaRule } from "@/server/domain/cleaning/sanitization/media-rules";
import type { Transaction } from "@/server/db/prisma";

const listings = z.array(
  z.object({
    hostId: z.string(),
    serial: z.string(),
    rules: z.array(mediaRule),
    device: z.object({
      model: z.string().default(""),
      transport: z.enum(transports).nullable().catch(null),
      removable: z.boolean().default(false),
    }),
  }),
);

export interface ExcludedMedia {
  readonly hostIds: readonly string[];
  /** Parallel to `hostIds`. */
  readonly serials: readonly string[];
}

/** Only media that every inventory of the host describes as excluded: a plan expects any that one of them calls a disk. */
export async function readExcludedMedia(tx: Transaction): Promise<ExcludedMedia> {
  const rows = await queryRows(
    tx,
    sql<unknown>`
    SELECT h.id::text AS "hostId", v ->> 'serial' AS serial, p.body #> '{sanitization,excludedMedia}' AS rules, v AS device
    FROM host h JOIN site s ON s.id = h.site_id JOIN site_policy p ON p.site_id = s.id AND p.version = s.policy_version
      JOIN host_inventory i ON i.host_id = h.id, jsonb_array_elements(i.body -> 'storage') v
    WHERE v ->> 'serial' IS NOT NULL AND p.body #> '{sanitization,excludedMedia,0}' IS NOT NULL AND h.hardware_type <> 'fake'`,
  );
  const excluded = new Map<
    string,
    { readonly hostId: string; readonly serial: string; readonly all: boolean }
  >();
  for (const { hostId, serial, rules, device } of listings.parse(rows)) {
    const key = `${hostId} ${serial}`;
    const isOut =
      device.transport !== null && exclusion({ ...device, transport: device.transport }, rules) !== null;
    excluded.set(key, { hostId, serial, all: isOut && excluded.get(key)?.all !== false });
  }
  const out = [...excluded.values()].filter(({ all }) => all);
  return { hostIds: out.map(({ hostId }) => hostId), serials: out.map(({ serial }) => serial) };
}
