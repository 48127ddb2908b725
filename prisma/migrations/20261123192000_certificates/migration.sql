-- Certificates (docs/adr/0103-certificates.md). Reclamations that ended before have none.
CREATE TABLE "certificate" (
  "id" UUID NOT NULL,
  "reclamation_id" UUID NOT NULL,
  "host_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "statement" TEXT NOT NULL,
  "sha256" TEXT NOT NULL,
  "made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "tenant_id" UUID,
  "instance_id" UUID,
  "event_id" UUID,
  "bundle" TEXT,
  "signed_at" TIMESTAMPTZ(3),
  CONSTRAINT "certificate_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "certificate_reclamation_id_kind_key" ON "certificate" ("reclamation_id", "kind");
CREATE INDEX "certificate_host_id_idx" ON "certificate" ("host_id");
CREATE INDEX "certificate_instance_id_idx" ON "certificate" ("instance_id");
CREATE INDEX "certificate_made_at_id_idx" ON "certificate" ("made_at", "id");
CREATE INDEX "certificate_unsigned" ON "certificate" ("made_at") WHERE "bundle" IS NULL;

CREATE TABLE "certificate_due" (
  "reclamation_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "trouble" TEXT,
  CONSTRAINT "certificate_due_pkey" PRIMARY KEY ("reclamation_id")
);

CREATE FUNCTION certificate_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_due (reclamation_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- A cleaning by hand proves nothing and leads to no Ready.
CREATE TRIGGER certificate_due_of_ended AFTER UPDATE OF ended_at ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL AND NEW.kind <> 'manualCleaning') EXECUTE FUNCTION certificate_is_due();
CREATE TRIGGER certificate_due_of_begun AFTER INSERT ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND NEW.kind <> 'manualCleaning') EXECUTE FUNCTION certificate_is_due();

-- What was stated, of whom, and what was signed, stays: tenant_id decides who reads a receipt.
CREATE FUNCTION certificate_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE'
     OR ROW(NEW.id, NEW.reclamation_id, NEW.host_id, NEW.kind, NEW.type, NEW.statement, NEW.sha256, NEW.made_at, NEW.tenant_id, NEW.instance_id)
       IS DISTINCT FROM
       ROW(OLD.id, OLD.reclamation_id, OLD.host_id, OLD.kind, OLD.type, OLD.statement, OLD.sha256, OLD.made_at, OLD.tenant_id, OLD.instance_id)
     OR (OLD.event_id IS NOT NULL AND NEW.event_id IS DISTINCT FROM OLD.event_id)
     OR (OLD.bundle IS NOT NULL AND ROW(NEW.bundle, NEW.signed_at) IS DISTINCT FROM ROW(OLD.bundle, OLD.signed_at)) THEN
    RAISE EXCEPTION 'a certificate is never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER certificate_stays BEFORE UPDATE OR DELETE ON certificate FOR EACH ROW EXECUTE FUNCTION certificate_stays();
