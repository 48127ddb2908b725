// Where the entries of a timeline come from: one query per kind of record. Each gives id, at, kind, what, detail, who and host.
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { issueAction } from "@/server/domain/assurance/certificates/bundle";

export type Source = RawBuilder<unknown>;

/** Names of the columns, which each query gives in this order. */
export const entry = sql`t(id, at, kind, what, detail, who, host)`;

const hostName = (id: RawBuilder<unknown>) =>
  sql`coalesce((SELECT h.name FROM host h WHERE h.id = ${id}), (SELECT g.name FROM gone_host g WHERE g.host_id = ${id} ORDER BY g.gone_at DESC, g.id DESC LIMIT 1))`;

const none = sql`NULL::text`;

const states = (where: Source): Source => sql`
    SELECT 's:' || s.host_id || ':' || s.version AS id, s.at, 'state' AS kind, s.state AS what, s.reason AS detail, ${none} AS who, ${none} AS host
    FROM state_history s WHERE ${where}`;

/** Issuing has entries of its own. */
const acts = (targets: Source): Source => sql`
    SELECT 'a:' || e.id, e.at, 'act', e.action, coalesce(e.after ->> 'reason', CASE WHEN e.outcome = 'refused' THEN 'refused: ' || coalesce(e.after ->> 'detail', '') END), e.actor_name, ${none}
    FROM audit_event e WHERE e.target_id IN (${targets}) AND e.action <> ${issueAction}`;

const approvals = (where: Source): Source => sql`
    SELECT 'q:' || a.id, a.asked_at, 'approval', 'asked:' || a.kind, a.reason, a.asked_by_name, ${none} FROM approval a WHERE ${where}
    UNION ALL SELECT 'd:' || a.id, a.decided_at, 'approval', a.decision || ':' || a.kind, a.decided_reason, a.decided_by_name, ${none}
      FROM approval a WHERE ${where} AND a.decided_at IS NOT NULL
    UNION ALL SELECT 'v:' || a.id, a.voided_at, 'approval', 'voided:' || a.kind, a.voided_reason, NULL, ${none}
      FROM approval a WHERE ${where} AND a.voided_at IS NOT NULL`;

const certificates = (where: Source): Source => sql`
    SELECT 'k:' || k.id, coalesce(k.signed_at, k.made_at), 'certificate', k.kind || ':' || k.type, 'C-' || l.seq, ${none}, ${hostName(sql`k.host_id`)}
    FROM certificate k LEFT JOIN audit_leaf l ON l.event_id = k.event_id WHERE ${where}`;

/** @param of the instance's own events; the person who released it is the tenant's or the provider's */
const instances = (where: Source): Source => sql`
    SELECT 'c:' || i.id, i.created_at, 'instance', 'created', i.name, ${none}, ${hostName(sql`i.host_id`)} FROM instance i WHERE ${where}
    UNION ALL SELECT 'r:' || i.id, i.release_requested_at, 'instance', 'released', i.name, (SELECT p.name FROM person p WHERE p.id = i.released_by), ${hostName(sql`i.host_id`)}
      FROM instance i WHERE ${where} AND i.release_requested_at IS NOT NULL
    UNION ALL SELECT 'e:' || i.id, i.ended_at, 'instance', 'ended', i.name, ${none}, ${hostName(sql`i.host_id`)} FROM instance i WHERE ${where} AND i.ended_at IS NOT NULL`;

/** Repeats are merged into one, at the time of the last. */
const security = (where: Source): Source => sql`
    SELECT 'x:' || x.id, x.last_at, 'security', x.kind, concat_ws(', ', x.tried[1], 'from ' || x.address, CASE WHEN x.count > 1 THEN x.count || ' times' END), ${none}, x.host_name
    FROM security_event x WHERE ${where}`;

/** Of a host: all of its tenancies, too. */
export const ofHost = (hostId: string): readonly Source[] => {
  const id = sql`${hostId}::uuid`;
  return [
    states(sql`s.host_id = ${id}`),
    acts(sql`SELECT ${hostId}::text UNION ALL SELECT i.id::text FROM instance i WHERE i.host_id = ${id}`),
    approvals(sql`a.host_id = ${id}`),
    certificates(sql`k.host_id = ${id} AND k.kind = 'certificate'`),
    instances(sql`i.host_id = ${id}`),
    security(sql`x.host_id = ${id}`),
  ];
};

/** Of a return: its host's, from the release until its certificate was signed. */
export const ofReturn = (
  hostId: string,
  { from, until }: { readonly from: Date; readonly until: Date | null },
): readonly Source[] => {
  const within =
    until === null
      ? sql`t.at >= ${from}::timestamptz`
      : sql`t.at >= ${from}::timestamptz AND t.at <= ${until}::timestamptz`;
  return ofHost(hostId).map((source) => sql`SELECT * FROM (${source}) ${entry} WHERE ${within}`);
};

/** Of a drive: where it was, what was done to it, what people stated of it, and the certificates that name it. */
export const ofDrive = ({
  id,
  serial,
  model,
}: {
  readonly id: string;
  readonly serial: string;
  readonly model: string;
}): readonly Source[] => [
  sql`
    SELECT 'y:' || y.id AS id, y.from_at AS at, 'drive' AS kind, 'in' AS what, y.slot AS detail, ${none} AS who, ${hostName(sql`y.host_id`)} AS host
    FROM drive_stay y WHERE y.drive_id = ${id}::uuid
    UNION ALL SELECT 'z:' || y.id, y.until_at, 'drive', 'out', y.slot, ${none}, ${hostName(sql`y.host_id`)} FROM drive_stay y WHERE y.drive_id = ${id}::uuid AND y.until_at IS NOT NULL`,
  sql`
    SELECT 'v:' || v.id, v.at, 'drive', v.verdict, concat_ws(', ', v.technique, v.level, v.reason), ${none}, ${hostName(sql`v.host_id`)}
    FROM device_result v WHERE v.serial = ${serial}::text AND v.model = ${model}::text`,
  sql`
    SELECT 'p:' || p.id, p.at, 'drive', 'stated', p.kind || ': ' || p.reason, p.by_name, ${hostName(sql`p.host_id`)}
    FROM drive_disposition p WHERE p.key = ${serial}::text AND p.model IN ('', ${model}::text)`,
  approvals(
    sql`a.id IN (SELECT x.approval_id FROM gate_exception x WHERE x.drive_serial = ${serial}::text AND coalesce(x.drive_model, ${model}::text) = ${model}::text)`,
  ),
  certificates(
    sql`k.kind = 'certificate' AND k.reclamation_id IN (SELECT v.reclamation_id FROM device_result v WHERE v.serial = ${serial}::text AND v.model = ${model}::text)`,
  ),
];

/** Of a tenant: its instances, and its receipts. */
export const ofTenant = (tenantId: string): readonly Source[] => {
  const own = sql`i.tenant_id = ${tenantId}::uuid`;
  return [
    instances(own),
    certificates(
      sql`k.kind = 'receipt' AND k.tenant_id = ${tenantId}::uuid AND k.instance_id IN (SELECT i.id FROM instance i WHERE ${own})`,
    ),
  ];
};

/** As its tenant reads it: its instance and its receipt, and nothing of the host. */
export const ofInstance = (instanceId: string): readonly Source[] => [
  instances(sql`i.id = ${instanceId}::uuid`),
  certificates(sql`k.kind = 'receipt' AND k.instance_id = ${instanceId}::uuid`),
];
