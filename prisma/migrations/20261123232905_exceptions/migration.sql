-- Exceptions: one gate, or one drive, of one reclamation let through on purpose (docs/adr/0105-exceptions-and-dispositions.md).

CREATE TABLE "gate_exception" (
  "id" UUID NOT NULL,
  "site_id" UUID NOT NULL,
  "host_id" UUID NOT NULL,
  "host_name" TEXT NOT NULL,
  "reclamation_id" UUID NOT NULL,
  "gate" TEXT NOT NULL,
  "drive_serial" TEXT,
  "drive_model" TEXT,
  "found" JSONB NOT NULL,
  "measure" TEXT NOT NULL,
  "risk" TEXT NOT NULL,
  "approval_id" UUID NOT NULL,
  CONSTRAINT "gate_exception_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "gate_exception_gate_check" CHECK ("gate" IN ('cleanupCompleted', 'storageSanitized', 'memoryOverwritten', 'infinibandClean', 'platformAtBaseline', 'attestationPassed', 'inventoryMatches', 'validationPassed', 'assuranceSigned')),
  CONSTRAINT "gate_exception_drive_check" CHECK (("gate" = 'storageSanitized') = ("drive_serial" IS NOT NULL) AND ("drive_serial" IS NULL) = ("drive_model" IS NULL)),
  CONSTRAINT "gate_exception_words_check" CHECK (btrim("measure") <> '' AND btrim("risk") <> '')
);
CREATE UNIQUE INDEX "gate_exception_approval_id_key" ON "gate_exception" ("approval_id");
CREATE INDEX "gate_exception_reclamation_id_idx" ON "gate_exception" ("reclamation_id");
-- Wherever the drive turns up again.
CREATE INDEX "gate_exception_drive_idx" ON "gate_exception" ("drive_serial") WHERE "drive_serial" IS NOT NULL;

CREATE FUNCTION "gate_exception_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an exception is never changed or deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "gate_exception_is_kept" BEFORE UPDATE OR DELETE ON "gate_exception" FOR EACH ROW EXECUTE FUNCTION "gate_exception_is_kept"();

-- An exception without an end would be a change of policy, and one without a second person none at all.
CREATE FUNCTION "exception_has_an_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM approval a WHERE a.id = NEW.approval_id AND a.kind = 'exception' AND a.subject_id = NEW.id AND a.valid_until IS NOT NULL) THEN
    RAISE EXCEPTION 'exception % has no request with an end', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "exception_has_an_end" BEFORE INSERT ON "gate_exception" FOR EACH ROW EXECUTE FUNCTION "exception_has_an_end"();

-- Gates of a reclamation that read `excepted`, and on which no exception stands: each that the gate names must be of this gate, approved by another person, not
-- voided and not over by more than the grace.
CREATE FUNCTION "unfounded_exception"(reclamation UUID, grace INTERVAL) RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT g.gate FROM gate g
   WHERE g.reclamation_id = reclamation AND g.status = 'excepted'
     AND (coalesce(jsonb_array_length(CASE WHEN jsonb_typeof(g.evidence -> 'exceptions') = 'array' THEN g.evidence -> 'exceptions' END), 0) = 0
       OR EXISTS (
         SELECT 1 FROM jsonb_array_elements(g.evidence -> 'exceptions') e(named)
          WHERE NOT EXISTS (
            SELECT 1 FROM gate_exception x JOIN approval a ON a.id = x.approval_id
             WHERE x.id::text = e.named ->> 'id' AND x.reclamation_id = g.reclamation_id
               -- A step that stopped at a drive goes with the drive.
               AND (x.gate = g.gate OR g.gate = 'cleanupCompleted' AND x.gate = 'storageSanitized')
               AND a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > clock_timestamp() - grace)))
   LIMIT 1
$$;

CREATE FUNCTION "exceptions_stand"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A decision was made a moment before it is stored. Nobody gets the host in that moment: see below.
  what text := unfounded_exception(NEW.reclamation_id, interval '1 minute');
BEGIN
  IF what IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot go on: no exception stands for %', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state = 'Decommissioning/RemovingLeftovers' AND EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.status = 'excepted') THEN
    RAISE EXCEPTION 'host % cannot leave the fleet: a gate is excepted', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "exceptions_stand" AFTER UPDATE OF "state" ON "host_run" FOR EACH ROW
  WHEN (NEW.state IN ('Ready', 'ReturnToAllocation/AwaitingRepair', 'Decommissioning/RemovingLeftovers') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION "exceptions_stand"();

-- Nobody gets a host whose exception is over, however long the controller that takes it out is away.
CREATE FUNCTION "no_instance_past_exception"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text;
BEGIN
  SELECT unfounded_exception(r.reclamation_id, interval '0') INTO what FROM host_run r WHERE r.host_id = NEW.host_id;
  IF what IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be allocated: the exception for % is over', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "no_instance_past_exception" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION "no_instance_past_exception"();

-- Another plan, or the end of the reclamation without Ready: what was asked for is not there any more.
CREATE FUNCTION "exceptions_are_void"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = CASE WHEN NEW.ended_at IS NULL THEN 'the plan was made anew' ELSE 'the reclamation ended as ' || coalesce(NEW.outcome, 'unknown') END
    FROM gate_exception x WHERE x.approval_id = a.id AND x.reclamation_id = NEW.id AND a.voided_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "exceptions_are_void" AFTER UPDATE ON "reclamation" FOR EACH ROW
  WHEN (NEW.plan_epoch <> OLD.plan_epoch OR (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.outcome NOT IN ('ready', 'handedToRepair')))
  EXECUTE FUNCTION "exceptions_are_void"();

-- What a gate says, without the numbers of boots, as `domain/gates/exceptions.ts` binds it.
CREATE FUNCTION "without_boots"(said JSONB) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF jsonb_typeof(said) = 'object' THEN
    RETURN coalesce((SELECT jsonb_object_agg(e.key, without_boots(e.value)) FROM jsonb_each(said) e WHERE e.key NOT IN ('epoch', 'readEpoch')), '{}');
  ELSIF jsonb_typeof(said) = 'array' THEN
    RETURN coalesce((SELECT jsonb_agg(without_boots(e.value) ORDER BY e.at) FROM jsonb_array_elements(said) WITH ORDINALITY e(value, at)), '[]');
  END IF;
  RETURN said;
END $$;

-- A gate that says something else now: whoever decides, or reads, is told. That it lets nothing through, the digest decides.
CREATE FUNCTION "exceptions_follow_gates"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'the gate now reads ' || g.status || ': ' || g.reason
    FROM gate_exception x JOIN recorded g ON g.reclamation_id = x.reclamation_id AND g.gate = x.gate
   WHERE x.approval_id = a.id AND a.voided_at IS NULL AND a.decision IS DISTINCT FROM 'rejected' AND x.drive_serial IS NULL AND g.status <> 'excepted'
     AND ((x.found ->> 'status') IS DISTINCT FROM g.status OR (x.found ->> 'reason') IS DISTINCT FROM g.reason
       OR (x.found -> 'evidence') IS DISTINCT FROM without_boots(g.evidence));
  RETURN NULL;
END $$;
CREATE TRIGGER "exceptions_follow_new_gates" AFTER INSERT ON "gate" REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION "exceptions_follow_gates"();
CREATE TRIGGER "exceptions_follow_gates" AFTER UPDATE ON "gate" REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION "exceptions_follow_gates"();

-- The same of a drive that has another result.
CREATE FUNCTION "exceptions_follow_results"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'drive ' || d.serial || ' has a new result, ' || d.verdict || ': ' || d.reason
    FROM gate_exception x JOIN recorded d ON d.reclamation_id = x.reclamation_id AND d.serial = x.drive_serial AND d.model = x.drive_model
   WHERE x.approval_id = a.id AND a.voided_at IS NULL AND a.decision IS DISTINCT FROM 'rejected'
     AND ((x.found ->> 'status') IS DISTINCT FROM d.verdict OR (x.found ->> 'reason') IS DISTINCT FROM d.reason);
  RETURN NULL;
END $$;
CREATE TRIGGER "exceptions_follow_results" AFTER INSERT ON "device_result" REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION "exceptions_follow_results"();
