-- What an exception let through was never proven. It is kept with the host; a host that is deleted leaves it to its chassis as a debt, whoever enrols that next.
-- A host that leaves the fleet is proven, and has forgotten it by then.
CREATE FUNCTION "exception_outlives_host"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.serial IS NOT NULL AND EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = OLD.id AND r.context ? 'exceptedUntil') THEN
    INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), OLD.serial, '{}');
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "exception_outlives_host" BEFORE DELETE ON "host" FOR EACH ROW EXECUTE FUNCTION "exception_outlives_host"();
