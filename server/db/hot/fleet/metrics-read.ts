// Fleet metrics, counted when they are fetched (docs/design/datapath.md#counts).
import { measurementStates } from "@/server/domain/attestation/measurement";
import { rolloutHostState, rolloutIsOpen } from "@/server/db/firmware-in-force";
import { hostStandingSql } from "@/server/db/host-standing";
import { named } from "@/server/db/hot/pool";

/** On `host_run`, the only table here with a column `health`: false if an alert of the host suppresses paging (docs/repair.md#classifications). */
const paged = `(health @> '{"classifications": ["SuppressExternalAlerting"]}') IS NOT TRUE`;

export const countHosts = named<
  { readonly site: string; readonly state: string; readonly hosts: number; readonly above: number },
  []
>(
  "metrics_hosts",
  `SELECT t.name AS site, c.state, c.hosts, c.above
     FROM (SELECT site_id, state, count(*)::int AS hosts, (count(*) FILTER (WHERE limit_at <= now() AND ${paged}))::int AS above FROM host_run GROUP BY site_id, state) c
     JOIN site t ON t.id = c.site_id`,
);

/** What is proven of the hosts. The newest reclamation of each is read by index. */
export const countStandings = named<
  { readonly site: string; readonly standing: string; readonly ready: boolean; readonly hosts: number },
  []
>(
  "metrics_standings",
  `SELECT t.name AS site, c.standing, c.ready, c.hosts FROM (
     SELECT r.site_id, ${hostStandingSql} AS standing, r.state = 'Ready' AS ready, count(*)::int AS hosts
     FROM host h JOIN host_run r ON r.host_id = h.id GROUP BY 1, 2, 3) c JOIN site t ON t.id = c.site_id`,
);

export const countDue = named<{ readonly hosts: number; readonly lag_seconds: number }, []>(
  "metrics_due",
  `SELECT count(*)::int AS hosts, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS lag_seconds
     FROM host_run WHERE due_at <= now() AND (lease_owner IS NULL OR lease_until < now())`,
);

/** Like `overdueMs` (domain/cleaning/clocks.ts). A site without any is 0, so that an alert ends. */
export const countOverdue = named<{ readonly site: string; readonly hosts: number }, []>(
  "metrics_overdue",
  `SELECT t.name AS site, (SELECT count(*)::int FROM reclamation c JOIN host_run r ON r.host_id = c.host_id
     WHERE r.site_id = t.id AND c.ended_at IS NULL AND c.limit_at < coalesce(c.paused_at, now())
     AND (r.health @> '{"classifications": ["ExcludeFromStateMachineSla"]}') IS NOT TRUE AND ${paged}) AS hosts FROM site t`,
);

/** Hosts with an alert that keeps them out of allocation and is not suppressed for people. A site without any is 0, so that an alert ends. */
export const countAlerted = named<{ readonly site: string; readonly hosts: number }, []>(
  "metrics_alerted",
  `SELECT t.name AS site, (SELECT count(*)::int FROM host_health e JOIN host_run r ON r.host_id = e.host_id WHERE r.site_id = t.id AND e.paged) AS hosts FROM site t`,
);

/** Hosts held by repair systems, and how many of them should be back. A site without any is 0, so that an alert ends. */
export const countLeased = named<
  { readonly site: string; readonly hosts: number; readonly overdue: number },
  []
>(
  "metrics_leased",
  `SELECT t.name AS site, coalesce(l.hosts, 0) AS hosts, coalesce(l.overdue, 0) AS overdue FROM site t LEFT JOIN (
     SELECT r.site_id, count(*)::int AS hosts, (count(*) FILTER (WHERE l.until < now()))::int AS overdue
     FROM host_run r JOIN repair_lease l ON l.id = r.outside_lease WHERE r.outside_lease IS NOT NULL GROUP BY r.site_id) l ON l.site_id = t.id`,
);

/** Brakes that are on, and those that ask whether they should be. A site without any is 0, so that an alert ends. */
export const countBrakes = named<{ readonly site: string; readonly on: number; readonly asking: number }, []>(
  "metrics_brakes",
  `SELECT t.name AS site, count(b.id) FILTER (WHERE b.asks = '{}')::int AS "on", count(b.id) FILTER (WHERE b.asks <> '{}')::int AS asking
     FROM site t LEFT JOIN brake b ON b.site_id = t.id AND b.lifted_at IS NULL GROUP BY t.id, t.name`,
);

/** Security events that nobody has acknowledged. */
export const countSecurityEvents = named<{ readonly kind: string; readonly events: number }, []>(
  "metrics_security_events",
  `SELECT kind, count(*)::int AS events FROM security_event WHERE acknowledged_at IS NULL GROUP BY kind`,
);

export const countGates = named<{ readonly gate: string; readonly reclamations: number }, []>(
  "metrics_gates",
  `SELECT g.gate, count(*)::int AS reclamations FROM reclamation c JOIN gate g ON g.reclamation_id = c.id WHERE c.ended_at IS NULL AND g.status = 'unsatisfied' GROUP BY g.gate`,
);

/**
 * Hosts and GPUs that can be given to a tenant at once, and those that tenants have. GPUs as the agents list them; a host whose agent does not tell adds
 * none, and is counted. No document is read.
 */
export const countUse = named<
  {
    readonly site: string;
    readonly usable: number;
    readonly used: number;
    readonly gpus: number;
    readonly gpus_usable: number;
    readonly gpus_used: number;
    readonly untold: number;
  },
  []
>(
  "metrics_use",
  `SELECT t.name AS site, coalesce(c.usable, 0) AS usable, coalesce(c.used, 0) AS used, coalesce(c.gpus, 0) AS gpus,
     coalesce(c.gpus_usable, 0) AS gpus_usable, coalesce(c.gpus_used, 0) AS gpus_used, coalesce(c.untold, 0) AS untold
   FROM site t LEFT JOIN (
     SELECT site_id, (count(*) FILTER (WHERE free))::int AS usable, (count(*) FILTER (WHERE held))::int AS used,
       coalesce(sum(gpus), 0)::int AS gpus, coalesce(sum(gpus) FILTER (WHERE free), 0)::int AS gpus_usable,
       coalesce(sum(gpus) FILTER (WHERE held), 0)::int AS gpus_used, (count(*) FILTER (WHERE gpus IS NULL))::int AS untold
     FROM (
       SELECT r.site_id, n.gpus, i.host_id IS NOT NULL AS held, r.state = 'Ready' AND r.allocatable AND i.host_id IS NULL AS free
       FROM host_run r LEFT JOIN host_inventory n ON n.host_id = r.host_id AND n.source = 'agent'
       LEFT JOIN instance i ON i.host_id = r.host_id AND i.ended_at IS NULL) h
     GROUP BY site_id) c ON c.site_id = t.id`,
);

/** Hosts of open firmware rollouts. A site without any is 0, so that an alert ends. */
export const countFirmwareUpdates = named<
  { readonly site: string; readonly pending: number; readonly running: number; readonly failed: number },
  []
>(
  "metrics_firmware_updates",
  `SELECT s.name AS site, coalesce(c.pending, 0) AS pending, coalesce(c.running, 0) AS running, coalesce(c.failed, 0) AS failed
   FROM site s LEFT JOIN (
     SELECT o.site_id, (count(*) FILTER (WHERE o.state = 'pending'))::int AS pending,
       (count(*) FILTER (WHERE o.state = 'running'))::int AS running, (count(*) FILTER (WHERE o.state = 'failed'))::int AS failed
     FROM (
       SELECT r.site_id, ${rolloutHostState} AS state
       FROM firmware_rollout x JOIN approval a ON a.id = x.approval_id JOIN host h ON h.sku_id = x.sku_id JOIN host_run r ON r.host_id = h.id
         LEFT JOIN firmware_rollout_host t ON t.rollout_id = x.id AND t.host_id = h.id
       WHERE ${rolloutIsOpen}) o
     GROUP BY o.site_id) c ON c.site_id = s.id`,
);

/** The cheapest query. */
export const ping = named<{ readonly one: number }, []>("ping", "SELECT 1 AS one");

/** Hosts of sites that observe or require attestation, by how their newest boot was measured; `notAsked`: no boot was. Each state, so that an alert ends. */
export const countMeasured = named<{ site: string; state: string; hosts: number }, []>(
  "metrics_measured",
  `SELECT s.name AS site, n.state, (count(h.id) FILTER (WHERE coalesce(m.state, 'notAsked') = n.state))::int AS hosts
   FROM site s JOIN site_policy y ON y.site_id = s.id AND y.version = s.policy_version
     CROSS JOIN unnest(ARRAY['notAsked', ${measurementStates.map((state) => `'${state}'`).join(", ")}]) n(state)
     LEFT JOIN host h ON h.site_id = s.id AND h.hardware_type <> 'fake' LEFT JOIN host_measurement m ON m.host_id = h.id
   WHERE y.body ->> 'attestation' IN ('observe', 'required') GROUP BY s.name, n.state`,
);
