-- Repairs that were under way when the records came (docs/adr/0097-repairs-are-records.md): an instance that is open on a host whose report asked for a
-- repair and kept it from everybody else before the claim. What was asked for is not known to be the same now.
INSERT INTO "repair" ("id", "instance_id", "host_id", "host_name", "tenant_id", "claimed_at", "asked_at")
SELECT gen_random_uuid(), i.id, i.host_id, h.name, i.tenant_id, i.created_at, asked.since
FROM "instance" i JOIN "host" h ON h.id = i.host_id CROSS JOIN LATERAL (
  SELECT min((a.value ->> 'inAlertSince')::timestamptz) AS since
  FROM "health_report" q CROSS JOIN LATERAL jsonb_array_elements(q.body -> 'alerts') a
  WHERE q.host_id = i.host_id AND q.mode = 'merge'
    AND (q.source, a.value ->> 'id') IN (('tenant-reported-issue', 'TenantReportedIssue'), ('repair-request', 'RequestRepair'))
    AND a.value -> 'classifications' ? 'PreventAllocations') asked
WHERE i.ended_at IS NULL AND i.release_requested_at IS NULL AND asked.since <= i.created_at
ON CONFLICT ("instance_id") DO NOTHING;
