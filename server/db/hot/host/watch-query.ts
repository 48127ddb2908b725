// SQL: what is known of a host that waits in Ready, and whether one of its drives belongs elsewhere (docs/adr/0121-ready-lasts.md).
import { ms } from "@/server/db/hot/host/columns";

const ofBmc = `host_inventory i WHERE i.host_id = r.host_id AND i.source = 'bmc'`;

/** The drives of the BMC's inventory, as its reclamation compared them; null: there is none. */
const inventory = `(SELECT json_build_object(
    'drives', (SELECT json_agg(json_build_object('serial', v ->> 'serial', 'model', v ->> 'model')) FROM jsonb_array_elements(i.body -> 'storage') v),
    'unnamed', coalesce((SELECT json_agg(v ->> 'key') FROM jsonb_array_elements(i.body -> 'unresolved') v), '[]'))
  FROM ${ofBmc})`;

const serials = `ARRAY(SELECT v ->> 'serial' FROM host_inventory i, jsonb_array_elements(i.body -> 'storage') v
  WHERE i.host_id = r.host_id AND i.source = 'bmc')`;

/** Where a drive of this host belongs besides it, in words; null: nowhere. A debt of this chassis is not elsewhere: the host owes it itself. */
const elsewhere = `(SELECT x.text FROM (SELECT ${serials} AS own OFFSET 0) l CROSS JOIN LATERAL (
    SELECT 'drive ' || (SELECT s FROM unnest(d.drive_serials) s WHERE s = ANY(l.own) LIMIT 1) || ' is owed a sanitization by the host with serial ' || d.chassis_serial AS text
    FROM debt d WHERE d.cleared_at IS NULL AND d.drive_serials && l.own
    UNION ALL
    SELECT 'drive ' || (SELECT s FROM unnest(n.drive_serials) s WHERE s = ANY(l.own) LIMIT 1) || ' belongs to host ' || coalesce((SELECT o.name FROM host o WHERE o.id = n.host_id), n.host_id::text) || ', which a tenant has'
    FROM instance n WHERE n.ended_at IS NULL AND n.host_id <> r.host_id AND n.drive_serials && l.own
  ) x LIMIT 1)`;

/** Of the Ready host `r`. */
export const readyWatch = `json_build_object(
  'last', (SELECT w.reading FROM ready_watch w WHERE w.host_id = r.host_id AND w.reclamation_id = r.reclamation_id),
  'readySinceMs', ${ms("r.state_since")},
  'orderedMark', r.context ->> 'resetMark',
  'orderedReadAt', r.context #>> '{markClock,readAt}',
  'inventory', ${inventory},
  'elsewhere', ${elsewhere})`;
