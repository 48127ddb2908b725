-- How far the database has come, so that an older one is noticed after a restore, and what is refused until somebody has dealt with it
-- (docs/adr/0026-a-restored-database.md).
ALTER TABLE "database_state"
    ADD COLUMN "lineage" UUID NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "sequence" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "confirmed_until" TIMESTAMPTZ(3),
    ADD COLUMN "stopped_at" TIMESTAMPTZ(3),
    ADD COLUMN "stopped_cause" TEXT,
    ADD COLUMN "stopped_message" TEXT,
    ADD COLUMN "seen_epoch" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "database_state" ADD CONSTRAINT "database_state_stopped" CHECK (("stopped_at" IS NULL) = ("stopped_cause" IS NULL) AND ("stopped_at" IS NULL) = ("stopped_message" IS NULL));

-- Whether a process that keeps a high-water mark has lately held it against this database. Without one that ever did (sequence 0) there is nothing to hold against.
CREATE FUNCTION "database_is_current"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM database_state d WHERE d.id = 1 AND d.stopped_at IS NULL AND (d.sequence = 0 OR d.confirmed_until > now()))
$$;
CREATE FUNCTION "database_is_stopped"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM database_state d WHERE d.id = 1 AND d.stopped_at IS NULL)
$$;

-- Whoever writes: while the database is stopped no host enters Ready, none is allocated, and none becomes allocatable.
CREATE FUNCTION "no_ready_while_stopped"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN
    RAISE EXCEPTION 'host % cannot be Ready: the database was restored, see reclaim admin after-restore', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "no_ready_while_stopped" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION "no_ready_while_stopped"();

CREATE FUNCTION "no_instance_while_stopped"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN
    RAISE EXCEPTION 'no host can be allocated: the database was restored, see reclaim admin after-restore' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "no_instance_while_stopped" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION "no_instance_while_stopped"();

CREATE FUNCTION "not_allocatable_while_stopped"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN NEW.allocatable := false; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "not_allocatable_while_stopped" BEFORE UPDATE OF "allocatable" ON "host_run"
  FOR EACH ROW WHEN (NEW.allocatable AND NOT OLD.allocatable) EXECUTE FUNCTION "not_allocatable_while_stopped"();

-- After a restore nobody knows who had a machine that the database did not know: whatever is enrolled or identified from then on owes a sanitization.
CREATE FUNCTION "owes_since_restore"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.serial IS NOT NULL AND NEW.hardware_type <> 'fake' AND (TG_OP = 'INSERT' OR OLD.serial IS DISTINCT FROM NEW.serial)
    AND EXISTS (SELECT 1 FROM database_state d WHERE d.epoch > 1)
    AND NOT EXISTS (SELECT 1 FROM debt d WHERE d.chassis_serial = NEW.serial AND d.cleared_at IS NULL) THEN
    INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), NEW.serial, '{}');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "owes_since_restore" AFTER INSERT OR UPDATE OF "serial" ON "host" FOR EACH ROW EXECUTE FUNCTION "owes_since_restore"();
