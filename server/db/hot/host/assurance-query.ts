// SQL for what makes procedures due on a host, and their records; `r` is its row. Used by claims and by pages (docs/adr/0102).
import { ms } from "@/server/db/hot/host/columns";

const list = (rows: string): string => `coalesce((${rows}), '[]')`;

/** Reclamations of the host since it last passed its gates, including the open one. */
const sincePassed = `reclamation q WHERE q.host_id = r.host_id AND q.kind <> 'manualCleaning' AND q.started_at >= coalesce(
  (SELECT max(x.ended_at) FROM reclamation x WHERE x.host_id = r.host_id AND x.outcome IN ('ready', 'handedToRepair')), '-infinity')`;

/** The tenant that has the host now, and those whose instances ended since. */
const tenants = `SELECT q.tenant_id FROM ${sincePassed} UNION SELECT n.tenant_id FROM instance n WHERE n.host_id = r.host_id AND n.ended_at IS NULL`;

/** The records of repairs say who took the host to repair it, whatever the release says about itself. */
const repaired = `EXISTS (SELECT FROM ${sincePassed} AND (q.kind = 'repairRelease' OR EXISTS (SELECT FROM repair p WHERE p.instance_id = q.instance_id)))
  OR EXISTS (SELECT FROM instance n JOIN repair p ON p.instance_id = n.id WHERE n.host_id = r.host_id AND n.ended_at IS NULL)`;

/** For a host without drives, which cannot hold a system that runs again: after its instance ended or, without one, since the reclamation began. */
const afterTenant = `d.done_from >= CASE WHEN c.instance_id IS NULL THEN c.started_at
  ELSE (SELECT n.ended_at FROM instance n WHERE n.id = c.instance_id) END`;

/**
 * Performed and recorded after the last erase of the plan in force: until then a tenant's system may run again from the drives, whatever a drain
 * emptied before. Also compared by row order, because the database's clock may be set. A new plan has no erase yet.
 */
const afterErase = `coalesce(d.reclamation_id = c.id AND CASE
  WHEN jsonb_array_length(c.devices -> 'expected') = 0 AND jsonb_array_length(c.devices -> 'excluded') = 0 THEN ${afterTenant}
  ELSE (SELECT d.after_result >= max(x.id) AND d.done_from >= max(x.at) FROM device_result x
    WHERE x.reclamation_id = c.id AND x.plan_epoch = c.plan_epoch) END, false)`;

/** A record `d` with its approval `a`. */
const record = (own: string, after: string): string => `json_build_object(
  'id', d.id, 'procedure', d.procedure, 'version', d.version, 'recordedAtMs', ${ms("d.recorded_at")},
  'operator', d.operator_name, 'own', coalesce(${own}, false), 'reusableUntilMs', ${ms("d.reusable_until")}, 'afterErase', ${after},
  'decision', a.decision, 'decidedBy', a.decided_by_name, 'decidedReason', a.decided_reason, 'voided', a.voided_at IS NOT NULL)`;

/** The procedure in the record equals the policy's, even if two texts had the same version. */
const sameText = `EXISTS (SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(c.policy -> 'procedures') = 'array' THEN c.policy -> 'procedures' ELSE '[]' END) p
  WHERE p ->> 'name' = d.procedure AND ARRAY[p -> 'title', p -> 'checklist', p -> 'evidence', p -> 'reusableDays']
    = ARRAY[d.definition -> 'title', d.definition -> 'checklist', d.definition -> 'evidence', d.definition -> 'reusableDays'])`;

const ofReclamation = `
  SELECT json_agg(${record("d.reclamation_id = c.id OR d.instance_id = c.instance_id", afterErase)} ORDER BY d.recorded_at, d.id)
  FROM reclamation c JOIN procedure_record d ON d.host_id = c.host_id JOIN approval a ON a.id = d.approval_id
  WHERE c.host_id = r.host_id AND c.ended_at IS NULL
    AND (d.reclamation_id = c.id OR d.instance_id = c.instance_id OR d.reusable_until > now())
    AND ${sameText} -- safety: procedures: a record of another text
`;

const ofInstance = `
  SELECT json_agg(${record("true", "false")} ORDER BY d.recorded_at, d.id)
  FROM instance n JOIN procedure_record d ON d.instance_id = n.id JOIN approval a ON a.id = d.approval_id
  WHERE n.host_id = r.host_id AND n.ended_at IS NULL`;

const facts = (records: string): string => `json_build_object(
  'tenants', ${list(`SELECT json_agg(DISTINCT t.org) FROM tenant t WHERE t.id IN (${tenants})`)},
  'repaired', ${repaired},
  'failures', ${list(`
    SELECT json_agg(DISTINCT substr(y.state, 8)) FROM state_history y
    WHERE y.reclamation_id IN (SELECT q.id FROM ${sincePassed}) AND y.state LIKE 'Failed/%'`)},
  'records', ${list(records)})`;

/** For a host in a reclamation: part of a claim. */
export const assurance = facts(ofReclamation);

/** For a host that a repair tenant holds: belongs to the reclamation that its release begins. */
export const assuranceOfInstance = facts(ofInstance);
