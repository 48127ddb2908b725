-- A repair tenant claims hosts that are not Ready (docs/adr/0093-repair.md), which no trigger on Ready guards: whoever writes, a machine that owes a
-- sanitization is nobody's. A Ready host owes none ("ready_is_proven").
CREATE FUNCTION "no_instance_while_owed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be allocated: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "no_instance_while_owed" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION "no_instance_while_owed"();
