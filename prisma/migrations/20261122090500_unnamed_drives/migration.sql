-- A controller of the release before reads an agent's inventory without its unnamed drives (docs/adr/0024-rolling-upgrade.md): it must not make a
-- host Ready past one. What blocks in this release is a gate; this holds for both.
CREATE FUNCTION "ready_drives_are_named"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place text;
BEGIN
  SELECT u ->> 'place' INTO place
    FROM host_inventory i
    JOIN reclamation c ON c.id = NEW.reclamation_id AND c.devices IS NOT NULL
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(i.body -> 'unnamed') = 'array' THEN i.body -> 'unnamed' ELSE '[]' END) u
   WHERE i.host_id = NEW.host_id AND i.source = 'agent'
     AND NOT coalesce(c.devices -> 'resolved', '[]') @> jsonb_build_array(jsonb_build_object('source', 'agent', 'place', u -> 'place'))
     AND NOT coalesce(c.devices -> 'excluded', '[]') @> jsonb_build_array(jsonb_build_object('serial', u -> 'place'))
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: the agent sees a drive at % that it cannot name, and nobody answered for it', NEW.host_id, place USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ready_drives_are_named" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION "ready_drives_are_named"();
