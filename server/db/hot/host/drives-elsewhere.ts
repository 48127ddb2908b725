// SQL: which drives of a host belong to another one. One look for the claim, whose gates ask for it, and for what waits in Ready (docs/adr/0121-ready-lasts.md).
import { literals } from "@/server/db/hot/host/columns";
import { placeholderSerial } from "@/server/domain/hosts/inventory/placeholder-serial";
import { neverCounts, techniques } from "@/server/domain/cleaning/sanitization/techniques";

/** By today's rules: an earlier release may have counted a technique that never counts. */
export const neverCounting = literals(techniques.filter(neverCounts));

/** Serials of all drives in its inventories. If one of them is owed, or was stated to be removed from a host, this host owes a sanitization. */
export const listedSerials = `ARRAY(
  SELECT v ->> 'serial' FROM host_inventory i, jsonb_array_elements(i.body -> 'storage') v
  WHERE i.host_id = r.host_id)`;

/** Enough to act on; the next look shows the rest. */
const most = 8;

/**
 * As a JSON list, of the host `r` whose drives have these serials. A debt of this chassis is not elsewhere: the host owes it itself. Nor is one from before
 * this host erased the drive: what was owed of this drive is done.
 */
export const drivesElsewhere = (serials: string): string => `(
  SELECT coalesce(json_agg(x), '[]')
  FROM (SELECT ARRAY(
      SELECT s FROM unnest(${serials}) s
      WHERE s !~* '${placeholderSerial}' -- safety: elsewhere: a placeholder names no drive
    ) AS serials OFFSET 0) own CROSS JOIN LATERAL (
    SELECT s.serial, 'owed' AS why, d.chassis_serial AS host FROM debt d CROSS JOIN LATERAL unnest(d.drive_serials) s(serial)
    WHERE d.cleared_at IS NULL AND d.drive_serials && own.serials AND s.serial = ANY(own.serials)
      AND d.chassis_serial IS DISTINCT FROM (SELECT k.serial FROM host k WHERE k.id = r.host_id)
      AND NOT EXISTS (SELECT 1 FROM device_result v WHERE v.serial = s.serial AND v.host_id = r.host_id AND v.verdict = 'sanitized'
        AND v.technique NOT IN ${neverCounting}
        AND v.at > d.created_at -- safety: elsewhere: an erase from before the debt does not pay it
      )
    UNION ALL
    SELECT s.serial, 'held', coalesce((SELECT k.name FROM host k WHERE k.id = n.host_id), n.host_id::text)
    FROM instance n CROSS JOIN LATERAL unnest(n.drive_serials) s(serial)
    WHERE n.ended_at IS NULL AND n.host_id <> r.host_id AND n.drive_serials && own.serials AND s.serial = ANY(own.serials)
    LIMIT ${most}
  ) x)`;
