-- Hosts of the hardware type `fake`: no machine stands behind them, so nothing of a machine may be theirs (docs/adr/0015-fake-hardware.md).

-- Its serial and system UUID are made of its own id: no debt, no erase and no agent of a machine finds a fake host, and none of its records finds a machine.
ALTER TABLE "host" ADD CONSTRAINT "host_fake_identity" CHECK (
  CASE WHEN "hardware_type" = 'fake' THEN coalesce("serial", 'fake-' || "id"::text) = 'fake-' || "id"::text AND coalesce("system_uuid", "id") = "id"
       ELSE coalesce("serial", '') NOT LIKE 'fake-%' END);

-- A host that is a machine never becomes fake, nor the other way round.
CREATE FUNCTION "fake_stays_fake"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'host % cannot change its hardware type from % to %', NEW.id, OLD.hardware_type, NEW.hardware_type USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "fake_stays_fake" BEFORE UPDATE OF "hardware_type" ON "host"
  FOR EACH ROW WHEN (OLD.hardware_type IS DISTINCT FROM NEW.hardware_type AND 'fake' IN (OLD.hardware_type, NEW.hardware_type)) EXECUTE FUNCTION "fake_stays_fake"();

-- The last line of defence, as before; and a gate that is not required because the hardware is fake holds for a fake host only.
CREATE OR REPLACE FUNCTION "ready_is_proven"() RETURNS trigger LANGUAGE plpgsql AS $$
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
      AND NOT (g.status IN ('satisfied', 'not required', 'excepted')
               OR (g.status = 'not implemented' AND EXISTS (SELECT 1 FROM site s WHERE s.id = NEW.site_id AND s.demo))
               OR (g.status = 'not required: fake hardware' AND EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake')));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be Ready: %', NEW.host_id, missing USING ERRCODE = 'check_violation';
  END IF;
  IF (SELECT count(*) FROM gate g WHERE g.reclamation_id = NEW.reclamation_id) <> 14 THEN
    RAISE EXCEPTION 'host % cannot be Ready: not every gate was evaluated', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;

-- No debt is cleared by what was done to a fake host.
CREATE FUNCTION "fake_clears_no_debt"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM reclamation c JOIN host h ON h.id = c.host_id WHERE c.id = NEW.cleared_by AND h.hardware_type = 'fake') THEN
    RAISE EXCEPTION 'debt % cannot be cleared by a fake host', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "fake_clears_no_debt" BEFORE INSERT OR UPDATE OF "cleared_by" ON "debt"
  FOR EACH ROW WHEN (NEW.cleared_by IS NOT NULL) EXECUTE FUNCTION "fake_clears_no_debt"();
