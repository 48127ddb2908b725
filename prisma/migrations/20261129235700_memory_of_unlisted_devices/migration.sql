-- An agent that could not list GPUs or switches has not said that there are none. One of the release before lists no parts at all: its hosts are let
-- pass, or none would become Ready before that release's servers are replaced (docs/operations.md#stop-crash-upgrade).
CREATE OR REPLACE FUNCTION ready_memory_of_devices_is_judged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = 'deviceMemoryCleared')
    OR EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake') THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT 1 FROM host_inventory i, jsonb_path_query(i.body, '$.parts.found[*].kind') p(kind)
     WHERE i.host_id = NEW.host_id AND i.source = 'agent' AND p.kind #>> '{}' IN ('gpu', 'nvswitch')) THEN
    RAISE EXCEPTION 'host % cannot be Ready: nobody judged the memory of its GPUs', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
    SELECT 1 FROM host_inventory i
     WHERE i.host_id = NEW.host_id AND i.source = 'agent' AND i.body ? 'parts'
       AND NOT coalesce(i.body #> '{parts,told}', '[]') @> '["gpu", "nvswitch"]') THEN
    RAISE EXCEPTION 'host % cannot be Ready: its agent could not list its GPUs, and nobody judged their memory', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
