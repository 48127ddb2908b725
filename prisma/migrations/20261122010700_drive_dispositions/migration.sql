-- What people state of drives that are owed or expected and that nobody finds (docs/adr/0023-drive-dispositions.md).

-- CreateTable
CREATE TABLE "drive_disposition" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "chassis_serial" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "model" TEXT NOT NULL DEFAULT '',
    "slot" TEXT,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "by_id" UUID,
    "by_name" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reclamation_id" UUID,
    "withdrawn_at" TIMESTAMPTZ(3),
    "withdrawn_by" UUID,
    "withdrawn_reason" TEXT,

    CONSTRAINT "drive_disposition_pkey" PRIMARY KEY ("id")
);

-- What Prisma has no words for: one standing statement of a drive of a chassis, found by chassis and, wherever the drive turns up again, by the drive.
CREATE UNIQUE INDEX "drive_disposition_standing" ON "drive_disposition" ("chassis_serial", "key") WHERE "withdrawn_at" IS NULL;
CREATE INDEX "drive_disposition_drive" ON "drive_disposition" ("key") WHERE "withdrawn_at" IS NULL;
CREATE INDEX "drive_disposition_host_id_idx" ON "drive_disposition"("host_id");
ALTER TABLE "drive_disposition" ADD CONSTRAINT "drive_disposition_kind" CHECK ("kind" IN ('removed-destroyed', 'removed-returned', 'removed-quarantined', 'misread'));
ALTER TABLE "drive_disposition" ADD CONSTRAINT "drive_disposition_reason" CHECK (btrim("reason") <> '');
ALTER TABLE "drive_disposition" ADD CONSTRAINT "drive_disposition_misread_slot" CHECK ("kind" <> 'misread' OR "slot" IS NOT NULL);

-- A statement is evidence: it is withdrawn, never changed or deleted.
CREATE FUNCTION "disposition_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.withdrawn_at IS NOT NULL
    OR (NEW.id, NEW.host_id, NEW.chassis_serial, NEW.key, NEW.model, NEW.slot, NEW.kind, NEW.reason, NEW.by_id, NEW.by_name, NEW.at, NEW.reclamation_id)
      IS DISTINCT FROM (OLD.id, OLD.host_id, OLD.chassis_serial, OLD.key, OLD.model, OLD.slot, OLD.kind, OLD.reason, OLD.by_id, OLD.by_name, OLD.at, OLD.reclamation_id) THEN
    RAISE EXCEPTION 'a drive disposition is withdrawn, never changed or deleted' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "disposition_stands" BEFORE UPDATE OR DELETE ON "drive_disposition" FOR EACH ROW EXECUTE FUNCTION "disposition_stands"();
