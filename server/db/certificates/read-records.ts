// Reads what statements are made from, for all reclamations of a batch at once.
import type { Pool } from "pg";
import { named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { certificateRecords } from "@/server/domain/assurance/certificates/records";
import type { CertificateRecords } from "@/server/domain/assurance/certificates/records";

/** Without the line breaks that `encode` adds. */
const base64 = (bytes: string): string => `replace(encode(${bytes}, 'base64'), E'\\n', '')`;

const rows = (query: string): string => `coalesce((${query}), '[]')`;

/**
 * A recheck without a plan erases nothing, so it relies on what this host erased last. As in the claim there are two arms, each with its index:
 * an OR of both would read every result.
 */
const results = rows(`
  SELECT json_agg(json_build_object('serial', d.serial, 'model', d.model, 'media', d.media, 'technique', d.technique, 'standard', d.standard,
    'level', d.level, 'techniqueTable', d.technique_table, 'verdict', d.verdict, 'reason', d.reason, 'report', d.report, 'at', d.at) ORDER BY d.serial)
  FROM (
    SELECT DISTINCT ON (u.serial, u.model) u.* FROM (
      SELECT r.* FROM device_result r WHERE r.reclamation_id = c.id AND r.plan_epoch = c.plan_epoch
      UNION ALL
      SELECT r.* FROM device_result r WHERE c.kind = 'recheck' AND c.plan_epoch = 0 AND r.host_id = c.host_id
        AND r.serial = ANY (ARRAY(SELECT x.drive ->> 'serial' FROM jsonb_path_query(c.devices, '$.expected[*]') x(drive)))
        AND EXISTS (SELECT FROM jsonb_path_query(c.devices, '$.expected[*]') x(drive)
          WHERE x.drive ->> 'serial' = r.serial AND x.drive ->> 'model' = r.model)) u
    ORDER BY u.serial, u.model, u.id DESC) d`);

/** If it did not end as Ready, only gates of the plan in force count: a gate that passed earlier says nothing about what was erased since. */
const gates = rows(`
  SELECT json_agg(json_build_object('gate', g.gate, 'status', g.status, 'reason', g.reason,
    'evidence', CASE WHEN g.status = 'excepted' THEN g.evidence END)) FROM gate g
  WHERE g.reclamation_id = c.id AND (c.outcome IS NULL OR c.outcome = 'ready' OR g.evaluated_at >= coalesce(
    (SELECT max(r.at) FROM device_result r WHERE r.reclamation_id = c.id AND r.plan_epoch = c.plan_epoch), '-infinity'))`);

const boots = rows(`
  SELECT json_agg(b ORDER BY b.number) FROM (
    SELECT k.boot_epoch AS number, k.opened_at AS "openedAt", k.reset_done_at AS "restartedAt", k.registered_at AS "registeredAt",
      k.agent_version AS "agentVersion", k.image_version AS image, k.image_sha256 AS "imageSha256"
    FROM reclamation_boot k WHERE k.reclamation_id = c.id
    UNION ALL
    SELECT w.boot_epoch, w.opened_at, w.reset_done_at, g.registered_at, g.agent_version, i.version, i.sha256
    FROM boot_window w LEFT JOIN agent_session g ON g.host_id = w.host_id AND g.boot_epoch = w.boot_epoch LEFT JOIN agent_image i ON i.id = w.image_id
    WHERE w.host_id = c.host_id AND w.opened_at >= c.started_at AND w.opened_at <= coalesce(c.ended_at, 'infinity')) b`);

const procedures = rows(`
  SELECT json_agg(json_build_object('procedure', p.procedure, 'version', p.version,
    'recordedBy', json_build_object('name', p.operator_name, 'at', p.recorded_at),
    'signedOffBy', json_build_object('name', a.decided_by_name, 'at', a.decided_at),
    'evidence', ${rows(`SELECT json_agg(coalesce(f ->> 'sha256', f #>> '{}')) FROM jsonb_array_elements(p.files) f`)}) ORDER BY p.recorded_at)
  FROM procedure_record p JOIN approval a ON a.id = p.approval_id
  WHERE (p.reclamation_id = c.id OR p.instance_id = c.instance_id) AND a.decision = 'approved' AND a.voided_at IS NULL`);

const exceptions = rows(`
  SELECT json_agg(json_build_object('id', x.id, 'measure', x.measure, 'risk', x.risk) ORDER BY x.id)
  FROM gate_exception x WHERE x.reclamation_id = c.id`);

/** Of the boot that the gate names, or of the present one while its gates are not stored yet: a later one has another quote. */
const measuredBoot = `
  SELECT json_build_object('boot', m.boot_epoch, 'measuredAt', m.measured_at,
    'bundle', json_build_object('id', b.id, 'name', b.name, 'expects', b.pcrs, 'requestedBy', a.asked_by_name, 'approvedBy', coalesce(a.decided_by_name, '')),
    'tpm', json_build_object('endorsementKeySha256', t.key_digest, 'acceptedAs', t.accepted_as, 'vouchedBy', t.verdict ->> 'authority'),
    'attestationKey', ${base64("t.attestation_key")}, 'nonce', ${base64("m.nonce")}, 'quote', ${base64("m.quote")}, 'signature', ${base64("m.signature")},
    'values', m.pcrs, 'eventLogSha256', encode(sha256(m.event_log), 'hex'))
  FROM host_measurement m JOIN host_tpm t ON t.host_id = m.host_id AND t.boot_epoch = m.boot_epoch
    JOIN attestation_bundle b ON b.id = m.bundle_id JOIN approval a ON a.id = b.approval_id
  WHERE m.host_id = c.host_id AND m.measured_at IS NOT NULL AND (
    c.ended_at IS NULL AND m.boot_epoch = (SELECT r.boot_epoch FROM host_run r WHERE r.host_id = c.host_id)
    OR EXISTS (SELECT FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'attestationPassed'
      AND g.evidence ->> 'bootEpoch' = m.boot_epoch::text AND g.evidence ->> 'bundle' = b.id::text))`;

const statement = named<
  { readonly id: string; readonly issuer: string | null; readonly records: unknown },
  [readonly string[]]
>(
  "certificate_records",
  `
  SELECT c.id::text, (SELECT k.origin FROM audit_key k ORDER BY k.id DESC LIMIT 1) AS issuer, json_build_object(
    'host', json_build_object('id', c.host_id, 'name', coalesce(h.name, o.name, c.host_serial), 'systemUuid', coalesce(h.system_uuid, o.system_uuid),
      'manufacturer', coalesce(h.manufacturer, o.manufacturer), 'model', coalesce(h.model, o.model), 'sku', coalesce(u.name, o.sku),
      'site', coalesce(s.name, o.site, ''), 'demo', coalesce(s.demo, false), 'rack', coalesce(h.rack, o.rack), 'slot', coalesce(h.slot, o.slot),
      'hardwareType', coalesce(h.hardware_type, o.hardware_type, ''), 'skuComponents', u.components),
    'reclamation', json_build_object('id', c.id, 'number', c.number::text, 'hostSerial', c.host_serial, 'kind', c.kind, 'instanceId', c.instance_id,
      'tenantId', c.tenant_id, 'requestedBy', (SELECT q.name FROM person q WHERE q.id = c.requested_by), 'startedAt', c.started_at,
      'endedAt', coalesce(c.ended_at, now()), 'outcome', c.outcome, 'message', c.message, 'policyVersion', c.policy_version, 'policy', c.policy,
      'devices', c.devices, 'standing', c.standing, 'cleanedNothing', c.kind = 'recheck' AND c.plan_epoch = 0,
      'restsOn', CASE WHEN c.kind = 'recheck' AND c.plan_epoch = 0 THEN (
        SELECT json_build_object('number', p.number::text, 'standing', p.standing) FROM reclamation p
        WHERE p.host_id = c.host_id AND p.id <> c.id AND p.outcome = 'ready' AND p.ended_at <= c.started_at
        ORDER BY p.ended_at DESC LIMIT 1) END),
    'results', ${results},
    'gates', ${gates},
    'measuredBoot', (${measuredBoot}),
    'exceptions', ${exceptions},
    'procedures', ${procedures},
    'boots', ${boots}) AS records
  FROM reclamation c LEFT JOIN host h ON h.id = c.host_id
    LEFT JOIN LATERAL (SELECT * FROM gone_host g WHERE g.host_id = c.host_id ORDER BY g.gone_at DESC, g.id DESC LIMIT 1) o ON true
    LEFT JOIN site s ON s.id = h.site_id OR s.name = o.site AND h.id IS NULL LEFT JOIN sku u ON u.id = h.sku_id
  WHERE c.id = ANY($1::uuid[])`,
);

export interface ReadRecords {
  /** The name of the log that the statement goes into. */
  readonly issuer: string;
  /** A text is the reason why they cannot be read. */
  readonly records: CertificateRecords | string;
}

/** By reclamation id. If records cannot be read, their value is the reason. */
export async function readCertificateRecords(
  database: HotDatabase | Pool,
  reclamations: readonly string[],
): Promise<ReadonlyMap<string, ReadRecords>> {
  const read = await statement(database, reclamations);
  return new Map(
    read.map(({ id, issuer, records }) => {
      const parsed = certificateRecords.safeParse(records);
      return [
        id,
        {
          issuer: issuer ?? "a log without a key yet",
          records: parsed.success
            ? parsed.data
            : `${parsed.error.issues[0]?.path.join(".") ?? ""}: ${parsed.error.issues[0]?.message ?? ""}`,
        },
      ];
    }),
  );
}
