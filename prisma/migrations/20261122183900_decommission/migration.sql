-- Decommission, and the record of every host that is gone (docs/adr/0059-decommission.md).

-- CreateTable
CREATE TABLE "gone_host" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "serial" TEXT,
    "system_uuid" UUID,
    "manufacturer" TEXT,
    "model" TEXT,
    "hardware_type" TEXT NOT NULL,
    "sku" TEXT,
    "site" TEXT NOT NULL,
    "rack" TEXT,
    "slot" TEXT,
    "bmc_address" TEXT,
    "macs" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "how" TEXT NOT NULL,
    "reason" TEXT,
    "by_id" UUID,
    "by_name" TEXT,
    "leftovers" JSONB NOT NULL DEFAULT '[]',
    "reclamation_id" UUID,
    "enrolled_at" TIMESTAMPTZ(3) NOT NULL,
    "gone_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gone_host_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "gone_host_gone_at_id_idx" ON "gone_host"("gone_at", "id");

-- CreateIndex
CREATE INDEX "gone_host_host_id_idx" ON "gone_host"("host_id");

-- CreateIndex
CREATE INDEX "gone_host_name_idx" ON "gone_host"("name");

-- CreateIndex
CREATE INDEX "gone_host_serial_idx" ON "gone_host"("serial");

ALTER TABLE "gone_host" ADD CONSTRAINT "gone_host_how" CHECK ("how" IN ('decommissioned', 'deleted'));

-- The record of a host is written once, by whatever deletes the host, and stays.
CREATE FUNCTION "host_is_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run host_run%ROWTYPE;
  leaving jsonb;
BEGIN
  SELECT * INTO run FROM host_run r WHERE r.host_id = OLD.id;
  leaving := run.context->'leaving';
  INSERT INTO gone_host (host_id, name, serial, system_uuid, manufacturer, model, hardware_type, sku, site, rack, slot, bmc_address, macs,
    how, reason, by_id, by_name, leftovers, reclamation_id, enrolled_at)
  VALUES (OLD.id, OLD.name, OLD.serial, OLD.system_uuid, OLD.manufacturer, OLD.model, OLD.hardware_type,
    (SELECT k.name FROM sku k WHERE k.id = OLD.sku_id), (SELECT s.name FROM site s WHERE s.id = OLD.site_id),
    OLD.rack, OLD.slot, OLD.bmc_address, OLD.macs,
    CASE WHEN run.state = 'Decommissioned' THEN 'decommissioned' ELSE 'deleted' END,
    leaving->>'reason',
    coalesce(run.context#>>'{deletedBy,personId}', CASE WHEN run.state = 'Decommissioned' THEN leaving#>>'{by,personId}' END)::uuid,
    coalesce(run.context#>>'{deletedBy,name}', CASE WHEN run.state = 'Decommissioned' THEN leaving#>>'{by,name}' END),
    coalesce(leaving->'leftovers', '[]'), run.reclamation_id, OLD.created_at);
  DELETE FROM step_override o WHERE o.scope = 'host' AND o.scope_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER "host_is_gone" BEFORE DELETE ON "host" FOR EACH ROW EXECUTE FUNCTION "host_is_gone"();

CREATE FUNCTION "gone_host_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a host that is gone is neither changed nor deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "gone_host_stands" BEFORE UPDATE OR DELETE ON "gone_host" FOR EACH ROW EXECUTE FUNCTION "gone_host_stands"();

-- The last line of defence: no statement, whoever wrote it, makes a host Decommissioned unless its data is proven gone, it owes nothing and nobody holds it.
CREATE FUNCTION "decommissioned_is_proven"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.id = NEW.reclamation_id AND c.host_id = NEW.host_id AND c.kind = 'decommission') THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: no decommission was begun', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake') THEN
    SELECT string_agg(w.gate, ', ') INTO missing
      FROM unnest(ARRAY['cleanupCompleted', 'storageSanitized', 'memoryOverwritten']) AS w(gate)
      WHERE NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = w.gate AND g.status IN ('satisfied', 'excepted'));
    IF missing IS NOT NULL THEN
      RAISE EXCEPTION 'host % cannot be Decommissioned: % not proven', NEW.host_id, missing USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "decommissioned_is_proven" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Decommissioned') EXECUTE FUNCTION "decommissioned_is_proven"();

-- No controller, also none of an earlier release, takes a host that leaves back into allocation.
ALTER TABLE "reclamation" ADD CONSTRAINT "decommission_is_not_ready" CHECK ("kind" <> 'decommission' OR "outcome" IS DISTINCT FROM 'ready');
