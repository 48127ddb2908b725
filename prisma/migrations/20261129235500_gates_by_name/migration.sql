-- The release before evaluates every gate but `deviceMemoryCleared`. A count of 14 or 15 also let a release pass that has it and left another one out.
CREATE OR REPLACE FUNCTION ready_is_proven() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.retired) THEN
    RAISE EXCEPTION 'host % cannot be Ready: it is retired', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  SELECT string_agg(g.gate || ' ' || g.status, ', ') INTO missing FROM gate g
    WHERE g.reclamation_id = NEW.reclamation_id
      AND NOT (g.status IN ('satisfied', 'not required', 'waived', 'excepted')
               OR (g.status = 'not implemented' AND EXISTS (SELECT 1 FROM site s WHERE s.id = NEW.site_id AND s.demo))
               OR (g.status = 'not required: fake hardware' AND EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake')));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be Ready: %', NEW.host_id, missing USING ERRCODE = 'check_violation';
  END IF;
  IF (SELECT count(*) FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate NOT IN ('deviceMemoryCleared')) <> 14 THEN
    RAISE EXCEPTION 'host % cannot be Ready: not every gate was evaluated', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION recorded_standing(which uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  worst_first CONSTANT text[] := ARRAY['notChecked', 'notProven', 'notSanitized', 'provenWithExceptions', 'proven'];
  c reclamation;
  own text;
  basis text;
BEGIN
  SELECT * INTO c FROM reclamation r WHERE r.id = which;
  IF NOT FOUND OR c.ended_at IS NULL THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = c.host_id AND h.hardware_type = 'fake')
     OR EXISTS (SELECT 1 FROM gone_host o WHERE o.host_id = c.host_id AND o.hardware_type = 'fake') THEN
    RETURN 'notChecked';
  END IF;
  IF c.kind = 'manualCleaning' OR c.outcome IS DISTINCT FROM 'ready'
     OR (SELECT count(*) FROM gate g WHERE g.reclamation_id = c.id AND g.gate NOT IN ('deviceMemoryCleared')) <> 14
     OR EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.status NOT IN ('satisfied', 'not required', 'waived', 'excepted', 'not implemented')) THEN
    RETURN 'notProven';
  END IF;
  own := CASE
    WHEN drive_is_unsanitized(c) OR coalesce(c.devices -> 'missing', '[]') <> '[]'
      OR NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'storageSanitized' AND g.status = 'satisfied')
      OR EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'cleanupCompleted' AND gate_is_waived(g.status, g.reason)) THEN 'notSanitized'
    WHEN coalesce(c.devices -> 'answered', '[]') <> '[]'
      OR EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND (g.status IN ('excepted', 'not implemented') OR gate_is_waived(g.status, g.reason))) THEN 'provenWithExceptions'
    ELSE 'proven' END;
  IF c.kind = 'recheck' AND c.plan_epoch = 0 THEN
    SELECT p.standing INTO basis FROM reclamation p
     WHERE p.host_id = c.host_id AND p.id <> c.id AND p.outcome = 'ready' AND p.ended_at <= c.started_at
     ORDER BY p.ended_at DESC LIMIT 1;
    basis := coalesce(basis, 'notSanitized');
    RETURN worst_first[least(array_position(worst_first, own), array_position(worst_first, basis))];
  END IF;
  RETURN own;
END $$;
