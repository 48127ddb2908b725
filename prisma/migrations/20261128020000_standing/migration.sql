-- One word for what a reclamation proved, written when it ends (docs/adr/0120-one-standing.md), and the gate status `waived`.

ALTER TABLE "reclamation" ADD COLUMN "standing" TEXT;
ALTER TABLE "reclamation" ADD CONSTRAINT "reclamation_standing_check" CHECK ("standing" IN ('proven', 'provenWithExceptions', 'notSanitized', 'notProven', 'notChecked'));

-- What applies to the host and was left out. The release before called it not required, as what does not apply: only its reason tells them apart.
CREATE FUNCTION "gate_is_waived"(status TEXT, reason TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT status = 'waived' OR status = 'not required' AND (
    reason LIKE 'automated cleaning off%' OR reason LIKE '%disabled by % override%' OR reason LIKE 'the site''s policy does not require %')
$$;

-- A drive of the list has no verified result. A recheck without a plan erases nothing and relies on what this host erased last.
CREATE FUNCTION "drive_is_unsanitized"(c reclamation) RETURNS BOOLEAN LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE WHEN jsonb_typeof(c.devices -> 'expected') = 'array' THEN c.devices -> 'expected' ELSE '[]' END) x(drive)
     WHERE NOT coalesce((
       SELECT d.verdict = 'sanitized' AND coalesce(d.technique, '') NOT IN ('nvme-format-none', 'delete-namespace', 'blkdiscard', 'scsi-format')
         FROM (
           SELECT r.id, r.verdict, r.technique FROM device_result r
            WHERE r.reclamation_id = c.id AND r.plan_epoch = c.plan_epoch AND r.serial = x.drive ->> 'serial' AND r.model = x.drive ->> 'model'
           UNION ALL
           SELECT r.id, r.verdict, r.technique FROM device_result r
            WHERE c.kind = 'recheck' AND c.plan_epoch = 0 AND r.host_id = c.host_id AND r.serial = x.drive ->> 'serial' AND r.model = x.drive ->> 'model') d
        ORDER BY d.id DESC LIMIT 1), false))
$$;

-- The standing by what is on record, as `domain/assurance/standing.ts` computes it; null: it has not ended. VOLATILE: it sees what its statement wrote.
CREATE FUNCTION "recorded_standing"(which UUID) RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
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
     OR (SELECT count(*) FROM gate g WHERE g.reclamation_id = c.id AND g.status IN ('satisfied', 'not required', 'waived', 'excepted', 'not implemented')) <> 14 THEN
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

-- What has ended: a recheck rests on the one before it, so in their order.
UPDATE reclamation SET standing = recorded_standing(id) WHERE ended_at IS NOT NULL AND NOT (kind = 'recheck' AND plan_epoch = 0 AND outcome = 'ready');
DO $$
DECLARE
  which uuid;
BEGIN
  FOR which IN SELECT id FROM reclamation WHERE ended_at IS NOT NULL AND standing IS NULL ORDER BY ended_at, number LOOP
    UPDATE reclamation SET standing = recorded_standing(which) WHERE id = which;
  END LOOP;
END $$;

CREATE INDEX "reclamation_standing_ended" ON "reclamation" ("standing", "ended_at") WHERE "ended_at" IS NOT NULL;

-- The last line of defence: no statement, whoever wrote it, says more of a reclamation than its records do. A controller of the release before writes none.
CREATE FUNCTION "standing_is_recorded"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  worst_first CONSTANT text[] := ARRAY['notChecked', 'notProven', 'notSanitized', 'provenWithExceptions', 'proven'];
  recorded text;
BEGIN
  IF NEW.standing IN ('notChecked', 'notProven') THEN
    RETURN NULL;
  END IF;
  recorded := recorded_standing(NEW.id);
  IF NEW.standing IS NULL THEN
    UPDATE reclamation SET standing = recorded WHERE id = NEW.id;
  ELSIF array_position(worst_first, NEW.standing) > array_position(worst_first, recorded) THEN
    RAISE EXCEPTION 'reclamation % cannot be %: by its records it is %', NEW.id, NEW.standing, recorded USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "standing_of_ended" AFTER UPDATE OF "ended_at" ON "reclamation"
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION "standing_is_recorded"();
CREATE TRIGGER "standing_of_begun" AFTER INSERT ON "reclamation"
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION "standing_is_recorded"();

-- An end is final, and so is what it proved.
CREATE FUNCTION "standing_stays"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the standing of a reclamation is written once, when it ends' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "standing_stays" BEFORE UPDATE OF "standing" ON "reclamation" FOR EACH ROW
  WHEN (OLD.standing IS NOT NULL AND NEW.standing IS DISTINCT FROM OLD.standing OR NEW.standing IS NOT NULL AND NEW.ended_at IS NULL)
  EXECUTE FUNCTION "standing_stays"();

-- As before, and a gate that was waived passes where it passed as not required.
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
      AND NOT (g.status IN ('satisfied', 'not required', 'waived', 'excepted')
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
