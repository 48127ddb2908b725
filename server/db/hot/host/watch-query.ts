// SQL: what is known of a host that waits in Ready (docs/adr/0121-ready-lasts.md).
import { ms } from "@/server/db/hot/host/columns";
import { drivesElsewhere, listedSerials } from "@/server/db/hot/host/drives-elsewhere";

const ofBmc = `host_inventory i WHERE i.host_id = r.host_id AND i.source = 'bmc'`;

/** The drives of the BMC's inventory, as its reclamation compared them; null: there is none. */
const inventory = `(SELECT json_build_object(
    'drives', (SELECT json_agg(json_build_object('serial', v ->> 'serial', 'model', v ->> 'model')) FROM jsonb_array_elements(i.body -> 'storage') v),
    'unnamed', coalesce((SELECT json_agg(v ->> 'key') FROM jsonb_array_elements(i.body -> 'unresolved') v), '[]'))
  FROM ${ofBmc})`;

/** Of the host `r`, which waits in Ready or for a repair. */
export const readyWatch = `json_build_object(
  'last', (SELECT w.reading FROM ready_watch w WHERE w.host_id = r.host_id AND w.reclamation_id = r.reclamation_id),
  'agentRestarts', r.state = 'Ready',
  'readySinceMs', ${ms("r.state_since")},
  'orderedMark', r.context ->> 'resetMark',
  'orderedReadAt', r.context #>> '{markClock,readAt}',
  'inventory', ${inventory},
  'elsewhere', ${drivesElsewhere(listedSerials)})`;
