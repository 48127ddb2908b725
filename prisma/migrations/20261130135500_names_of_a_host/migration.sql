-- The names that sources tell of a host, and those that a person confirmed (docs/machine-names.md). Triggers note what is told, so what any release reads
-- counts. Release 0.2.0 neither reads nor writes it: a host with another name than its own stays refused there.
CREATE TABLE "host_name" (
  "host_id" UUID NOT NULL,
  "source" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "value" TEXT NOT NULL,
  "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "confirmed_at" TIMESTAMPTZ(3),
  "confirmed_by" TEXT,
  "reason" TEXT,
  CONSTRAINT "host_name_pkey" PRIMARY KEY ("host_id", "source", "kind", "value"),
  CONSTRAINT "host_name_source_check" CHECK ("source" IN ('bmc', 'firmware', 'agent')),
  CONSTRAINT "host_name_kind_check" CHECK ("kind" IN ('serial', 'uuid', 'mac')),
  -- What firmware tells a boot server is proven by nothing, and MAC addresses are learned from the BMC or given as ports.
  CONSTRAINT "host_name_confirmed_check" CHECK ("confirmed_at" IS NULL OR ("source" <> 'firmware' AND "kind" <> 'mac' AND "confirmed_by" IS NOT NULL AND "reason" IS NOT NULL))
);
ALTER TABLE "host_name" ADD CONSTRAINT "host_name_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "host_name_confirmed_of_host" ON "host_name" ("host_id") WHERE "confirmed_at" IS NOT NULL;
CREATE INDEX "host_name_confirmed_value" ON "host_name" ("kind", "value") WHERE "confirmed_at" IS NOT NULL;

-- Whoever tells many names drives out only the oldest of them.
CREATE FUNCTION host_names_are_few() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM host_name n WHERE n.host_id = NEW.host_id AND n.source = NEW.source AND n.kind = NEW.kind AND n.confirmed_at IS NULL
    AND n.value IN (SELECT o.value FROM host_name o WHERE o.host_id = NEW.host_id AND o.source = NEW.source AND o.kind = NEW.kind AND o.confirmed_at IS NULL
      ORDER BY o.last_seen_at DESC, o.value OFFSET CASE NEW.kind WHEN 'mac' THEN 64 ELSE 8 END);
  RETURN NULL;
END $$;
CREATE TRIGGER host_names_are_few AFTER INSERT ON host_name FOR EACH ROW EXECUTE FUNCTION host_names_are_few();

CREATE FUNCTION note_host_names(of_host uuid, told_by text, told_serial text, told_uuid text, told_macs jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO host_name AS n (host_id, source, kind, value)
  SELECT h.id, told_by, t.kind, t.value FROM (
    SELECT 'serial' AS kind, told_serial AS value UNION SELECT 'uuid', lower(told_uuid)
    UNION SELECT 'mac', lower(m) FROM jsonb_array_elements_text(CASE jsonb_typeof(told_macs) WHEN 'array' THEN told_macs ELSE '[]' END) m) t
    JOIN host h ON h.id = of_host
  WHERE trim(t.value) <> ''
  ORDER BY t.kind, t.value
  ON CONFLICT (host_id, source, kind, value) DO UPDATE SET last_seen_at = excluded.last_seen_at
$$;

-- What a BMC told in a complete answer, also if the host was refused by it.
CREATE FUNCTION bmc_names_are_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_host_names(NEW.host_id, 'bmc', NEW.result #>> '{value,system,serial}', NEW.result #>> '{value,system,uuid}', NEW.result #> '{value,macs}');
  RETURN NULL;
END $$;
CREATE TRIGGER bmc_names_are_noted AFTER UPDATE OF result ON effect FOR EACH ROW
  WHEN (NEW.kind = 'verify' AND NEW.status = 'done' AND OLD.status IS DISTINCT FROM 'done') EXECUTE FUNCTION bmc_names_are_noted();

CREATE FUNCTION agent_names_are_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_host_names(NEW.host_id, 'agent', NEW.identity ->> 'serial', NEW.identity ->> 'systemUuid', NEW.identity -> 'macs');
  RETURN NULL;
END $$;
CREATE TRIGGER agent_names_are_noted AFTER INSERT ON agent_session FOR EACH ROW EXECUTE FUNCTION agent_names_are_noted();

-- A name is of one host, whichever of the two tables has it. Whoever confirms a name waits for whoever makes it a host's own, and the other way round, so
-- that each sees what the other wrote. Reclaim makes no host with names of its own: they are learned from its BMC.
CREATE FUNCTION lock_name(of_kind text, of_value text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(of_kind || ' ' || least(of_value, CASE of_kind WHEN 'uuid' THEN regexp_replace(of_value, '^(..)(..)(..)(..)-(..)(..)-(..)(..)', '\4\3\2\1-\6\5-\8\7') END), 0))
  WHERE of_value IS NOT NULL
$$;
CREATE FUNCTION confirmed_name_is_of_one() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names text[] := CASE NEW.kind WHEN 'uuid' THEN ARRAY[NEW.value, regexp_replace(NEW.value, '^(..)(..)(..)(..)-(..)(..)-(..)(..)', '\4\3\2\1-\6\5-\8\7')] ELSE ARRAY[NEW.value] END;
  other text;
BEGIN
  PERFORM lock_name(NEW.kind, NEW.value);
  IF NEW.kind = 'serial' THEN
    SELECT h.name INTO other FROM host h WHERE h.serial = NEW.value AND h.id <> NEW.host_id LIMIT 1;
  ELSE
    SELECT h.name INTO other FROM host h WHERE h.system_uuid = ANY(names::uuid[]) AND h.id <> NEW.host_id LIMIT 1;
  END IF;
  IF other IS NULL THEN
    SELECT h.name INTO other FROM host_name n JOIN host h ON h.id = n.host_id
      WHERE n.confirmed_at IS NOT NULL AND n.kind = NEW.kind AND n.value = ANY(names) AND n.host_id <> NEW.host_id LIMIT 1;
  END IF;
  IF other IS NOT NULL THEN
    RAISE EXCEPTION '% % is of host %', NEW.kind, NEW.value, other USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER confirmed_name_is_of_one BEFORE UPDATE OF confirmed_at ON host_name FOR EACH ROW WHEN (NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION confirmed_name_is_of_one();
CREATE TRIGGER new_confirmed_name_is_of_one BEFORE INSERT ON host_name FOR EACH ROW WHEN (NEW.confirmed_at IS NOT NULL) EXECUTE FUNCTION confirmed_name_is_of_one();

CREATE FUNCTION own_name_is_of_one() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  other text;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM lock_name('serial', NEW.serial);
    PERFORM lock_name('uuid', NEW.system_uuid::text);
  END IF;
  SELECT h.name INTO other FROM host_name n JOIN host h ON h.id = n.host_id
    WHERE n.confirmed_at IS NOT NULL AND n.kind = 'serial' AND n.value = NEW.serial AND n.host_id <> NEW.id LIMIT 1;
  IF other IS NULL THEN
    SELECT h.name INTO other FROM host_name n JOIN host h ON h.id = n.host_id
      WHERE n.confirmed_at IS NOT NULL AND n.kind = 'uuid' AND n.host_id <> NEW.id
        AND n.value IN (NEW.system_uuid::text, regexp_replace(NEW.system_uuid::text, '^(..)(..)(..)(..)-(..)(..)-(..)(..)', '\4\3\2\1-\6\5-\8\7')) LIMIT 1;
  END IF;
  IF other IS NOT NULL THEN
    RAISE EXCEPTION 'serial % or UUID % is a confirmed name of host %', NEW.serial, NEW.system_uuid, other USING ERRCODE = 'unique_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER own_name_is_of_one BEFORE UPDATE OF serial, system_uuid ON host FOR EACH ROW
  WHEN ((NEW.serial IS NOT NULL AND NEW.serial IS DISTINCT FROM OLD.serial) OR (NEW.system_uuid IS NOT NULL AND NEW.system_uuid IS DISTINCT FROM OLD.system_uuid)) EXECUTE FUNCTION own_name_is_of_one();
CREATE TRIGGER own_name_of_new_host_is_of_one BEFORE INSERT ON host FOR EACH ROW WHEN (NEW.serial IS NOT NULL OR NEW.system_uuid IS NOT NULL) EXECUTE FUNCTION own_name_is_of_one();
