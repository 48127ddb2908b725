-- The same check, whose last part finds a drive's results by index: its condition was one OR of the results of this plan and, for a recheck without a plan, of
-- this host, for which PostgreSQL read all results (docs/adr/0142-the-path-of-a-return.md).
CREATE OR REPLACE FUNCTION ready_is_not_of_an_older_rule() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text;
BEGIN
  IF NEW.context #>> '{proven,cleaningSkipped}' = 'true' OR EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake') THEN
    RETURN NULL;
  END IF;

  SELECT q.name INTO what
    FROM reclamation c
    CROSS JOIN LATERAL jsonb_array_elements_text(CASE WHEN jsonb_typeof(c.policy -> 'requiredSteps') = 'array' THEN c.policy -> 'requiredSteps' ELSE '[]' END) q(name)
   WHERE c.id = NEW.reclamation_id AND (c.kind <> 'recheck' OR c.plan_epoch > 0)
     AND NOT EXISTS (
       SELECT 1 FROM step_run t
        WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.interface || '.' || t.step = q.name AND t.status = 'succeeded')
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: the site requires %, which did not succeed', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;

  PERFORM 1 FROM reclamation c
   WHERE c.id = NEW.reclamation_id AND coalesce(c.devices -> 'expected', '[]') = '[]'
     AND (SELECT g.hardware_managers FROM agent_session g WHERE g.host_id = NEW.host_id ORDER BY g.boot_epoch DESC LIMIT 1) @> '[{"name": "ironic-python-agent"}]';
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: no storage device is known, and Ironic''s agent lists block devices only', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;

  PERFORM 1 FROM gate q
   WHERE q.reclamation_id = NEW.reclamation_id AND q.gate = 'infinibandClean' AND q.status = 'not required'
     AND q.reason = 'the host has no InfiniBand device of its own'
     AND (SELECT g.hardware_managers FROM agent_session g WHERE g.host_id = NEW.host_id ORDER BY g.boot_epoch DESC LIMIT 1) @> '[{"name": "ironic-python-agent"}]';
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: Ironic''s agent reports no InfiniBand device, also where there is one', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;

  SELECT d.serial INTO what
    FROM (
      SELECT DISTINCT ON (r.serial, r.model) r.serial, r.verdict, r.technique
        FROM reclamation c
        CROSS JOIN LATERAL jsonb_path_query(c.devices, '$.expected[*]') x(drive)
        CROSS JOIN LATERAL (
          SELECT o.id, o.serial, o.model, o.verdict, o.technique FROM device_result o
           WHERE o.reclamation_id = c.id AND o.plan_epoch = c.plan_epoch AND o.serial = x.drive ->> 'serial' AND o.model = x.drive ->> 'model'
          UNION ALL
          SELECT o.id, o.serial, o.model, o.verdict, o.technique FROM device_result o
           WHERE c.kind = 'recheck' AND c.plan_epoch = 0 AND o.host_id = c.host_id AND o.serial = x.drive ->> 'serial' AND o.model = x.drive ->> 'model'
        ) r
       WHERE c.id = NEW.reclamation_id
       ORDER BY r.serial, r.model, r.id DESC
    ) d
   WHERE d.verdict = 'sanitized' AND d.technique = 'scsi-format'
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: drive % was erased by scsi-format, which never counts', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
