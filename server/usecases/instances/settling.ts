// Which reclamation settles what an instance left behind: the one that cleared its debt or, until then, the newest that its release began.
import { sql } from "kysely";

/**
 * Joins `settling` (id of the reclamation, and the debt) to instance `i` and host `h`. A return can be settled by a later reclamation than its own,
 * such as the one after a repair. The debt is looked up by each recorded chassis serial, which is indexed: an instance can end without a reclamation.
 */
export const settlingOfInstance = sql`LEFT JOIN LATERAL (
    SELECT coalesce(d.cleared_by, e.id) AS id, d.drive_serials, d.cleared_at
    FROM (SELECT (SELECT g.serial FROM gone_host g WHERE g.host_id = i.host_id ORDER BY g.gone_at DESC, g.id DESC LIMIT 1) AS gone_serial) one
      LEFT JOIN LATERAL (SELECT e.id, e.host_serial FROM reclamation e WHERE e.host_id = i.host_id AND e.instance_id = i.id AND e.kind <> 'manualCleaning'
        ORDER BY e.started_at DESC, e.number DESC LIMIT 1) e ON true
      LEFT JOIN LATERAL (SELECT * FROM debt d WHERE d.chassis_serial IN (e.host_serial, h.serial, one.gone_serial) AND d.instance_id = i.id
        ORDER BY d.created_at, d.id LIMIT 1) d ON true
  ) settling ON true`;
