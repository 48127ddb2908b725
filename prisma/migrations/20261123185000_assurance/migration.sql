-- Approvals and the records of manual procedures (docs/adr/0102-approvals-and-procedures.md).

CREATE TABLE "approval" (
  "id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "subject_id" UUID NOT NULL,
  "evidence" TEXT NOT NULL,
  "site_id" UUID,
  "host_id" UUID,
  "asked_by" UUID NOT NULL,
  "asked_by_name" TEXT NOT NULL,
  "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "reason" TEXT NOT NULL,
  "valid_until" TIMESTAMPTZ(3),
  "decision" TEXT,
  "decided_by" UUID,
  "decided_by_name" TEXT,
  "decided_at" TIMESTAMPTZ(3),
  "decided_reason" TEXT,
  "voided_at" TIMESTAMPTZ(3),
  "voided_reason" TEXT,
  CONSTRAINT "approval_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "approval_kind_check" CHECK ("kind" IN ('signOff', 'exception', 'disposition', 'policyChange', 'bundlePromotion')),
  CONSTRAINT "approval_decision_check" CHECK ("decision" IN ('approved', 'rejected')),
  -- Two people, whatever the roles.
  CONSTRAINT "approval_two_people_check" CHECK ("decided_by" <> "asked_by"),
  CONSTRAINT "approval_decided_check" CHECK (
    ("decision" IS NULL) = ("decided_by" IS NULL) AND ("decision" IS NULL) = ("decided_by_name" IS NULL)
    AND ("decision" IS NULL) = ("decided_at" IS NULL) AND ("decision" IS NULL) = ("decided_reason" IS NULL)),
  CONSTRAINT "approval_voided_check" CHECK (("voided_at" IS NULL) = ("voided_reason" IS NULL))
);
CREATE INDEX "approval_subject_id_idx" ON "approval" ("subject_id");
CREATE INDEX "approval_host_id_idx" ON "approval" ("host_id");
-- Those that wait, oldest first.
CREATE INDEX "approval_waiting_idx" ON "approval" ("asked_at", "id") WHERE "decision" IS NULL AND "voided_at" IS NULL;

CREATE TABLE "procedure_record" (
  "id" UUID NOT NULL,
  "site_id" UUID NOT NULL,
  "host_id" UUID NOT NULL,
  "host_name" TEXT NOT NULL,
  "serial" TEXT NOT NULL,
  "reclamation_id" UUID,
  "instance_id" UUID,
  "procedure" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "definition" JSONB NOT NULL,
  "reason" TEXT NOT NULL,
  "operator_id" UUID NOT NULL,
  "operator_name" TEXT NOT NULL,
  "tenant_id" UUID,
  "done_from" TIMESTAMPTZ(3) NOT NULL,
  "done_until" TIMESTAMPTZ(3) NOT NULL,
  "place" TEXT NOT NULL,
  "answers" JSONB NOT NULL,
  "ticket" TEXT,
  "comment" TEXT NOT NULL,
  "files" JSONB NOT NULL DEFAULT '[]',
  "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "reusable_until" TIMESTAMPTZ(3),
  "approval_id" UUID NOT NULL,
  CONSTRAINT "procedure_record_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "procedure_record_of_one_check" CHECK (("reclamation_id" IS NULL) <> ("instance_id" IS NULL)),
  CONSTRAINT "procedure_record_times_check" CHECK ("done_from" <= "done_until" AND "done_until" <= "recorded_at" + interval '5 minutes')
);
CREATE UNIQUE INDEX "procedure_record_approval_id_key" ON "procedure_record" ("approval_id");
CREATE INDEX "procedure_record_host_id_recorded_at_idx" ON "procedure_record" ("host_id", "recorded_at");
CREATE INDEX "procedure_record_reclamation_id_idx" ON "procedure_record" ("reclamation_id");
CREATE INDEX "procedure_record_instance_id_idx" ON "procedure_record" ("instance_id");

-- When the password was last asked for in a session.
ALTER TABLE "session" ADD COLUMN "password_at" TIMESTAMPTZ(3);

CREATE FUNCTION "approval_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an approval is never deleted' USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.id, NEW.kind, NEW.subject_id, NEW.evidence, NEW.asked_by, NEW.asked_by_name, NEW.asked_at, NEW.reason)
       IS DISTINCT FROM (OLD.id, OLD.kind, OLD.subject_id, OLD.evidence, OLD.asked_by, OLD.asked_by_name, OLD.asked_at, OLD.reason)
     OR (NEW.site_id, NEW.host_id, NEW.valid_until) IS DISTINCT FROM (OLD.site_id, OLD.host_id, OLD.valid_until) THEN
    RAISE EXCEPTION 'what was asked of approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.decision, NEW.decided_by, NEW.decided_by_name, NEW.decided_at, NEW.decided_reason)
       IS DISTINCT FROM (OLD.decision, OLD.decided_by, OLD.decided_by_name, OLD.decided_at, OLD.decided_reason)
     AND (OLD.decision IS NOT NULL OR OLD.voided_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the decision on approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.voided_reason) IS DISTINCT FROM (OLD.voided_at, OLD.voided_reason) THEN
    RAISE EXCEPTION 'approval % was voided', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "approval_is_kept" BEFORE UPDATE OR DELETE ON "approval" FOR EACH ROW EXECUTE FUNCTION "approval_is_kept"();

CREATE FUNCTION "procedure_record_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a procedure never changes' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "procedure_record_is_kept" BEFORE UPDATE OR DELETE ON "procedure_record" FOR EACH ROW EXECUTE FUNCTION "procedure_record_is_kept"();

-- A controller of the release before knows no procedures: it must not make a host Ready past one (docs/adr/0024-rolling-upgrade.md). And whoever evaluated the
-- gate: each record that it rests on was approved, and still is.
CREATE FUNCTION "ready_procedures_are_signed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM reclamation c
    LEFT JOIN gate g ON g.reclamation_id = c.id AND g.gate = 'assuranceSigned'
   WHERE c.id = NEW.reclamation_id
     AND jsonb_typeof(c.policy -> 'procedures') = 'array' AND c.policy -> 'procedures' <> '[]'
     AND c.policy #> '{requires,assuranceSigned}' IS DISTINCT FROM 'false'
     AND g.status IS DISTINCT FROM 'excepted' AND NOT coalesce(g.evidence ? 'procedures', false)
     AND NOT EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake');
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: its procedures were not looked at', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  PERFORM 1 FROM gate g
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(g.evidence -> 'procedures') = 'array' THEN g.evidence -> 'procedures' ELSE '[]' END) p
   WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = 'assuranceSigned' AND g.status = 'satisfied'
     AND NOT EXISTS (
       SELECT 1 FROM procedure_record r JOIN approval a ON a.id = r.approval_id
        WHERE r.id::text = p ->> 'record' AND r.host_id = NEW.host_id AND a.decision = 'approved' AND a.voided_at IS NULL);
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: a procedure was not signed off', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ready_procedures_are_signed" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION "ready_procedures_are_signed"();
