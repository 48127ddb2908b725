-- The statement that makes a host Decommissioned deletes the host, too (docs/adr/0059-decommission.md). This trigger fires at the end of it, when
-- the row of the host is gone: what the host was is read of its reclamation, and of the record that its deletion has just written.
CREATE OR REPLACE FUNCTION "decommissioned_is_proven"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.id = NEW.reclamation_id AND c.host_id = NEW.host_id AND c.kind = 'decommission') THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: no decommission was begun', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
    SELECT 1 FROM (
      SELECT h.serial FROM host h WHERE h.id = NEW.host_id
      UNION SELECT o.serial FROM gone_host o WHERE o.host_id = NEW.host_id
      UNION SELECT c.host_serial FROM reclamation c WHERE c.id = NEW.reclamation_id) AS known
    JOIN debt d ON d.chassis_serial = known.serial WHERE d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake'
    UNION ALL SELECT 1 FROM gone_host o WHERE o.host_id = NEW.host_id AND o.hardware_type = 'fake') THEN
    SELECT string_agg(w.gate, ', ') INTO missing
      FROM unnest(ARRAY['cleanupCompleted', 'storageSanitized', 'memoryOverwritten']) AS w(gate)
      WHERE NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = w.gate AND g.status IN ('satisfied', 'excepted'));
    IF missing IS NOT NULL THEN
      RAISE EXCEPTION 'host % cannot be Decommissioned: % not proven', NEW.host_id, missing USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
