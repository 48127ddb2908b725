-- What a reclamation knows of its drives' content: keyed digests, their secret, and the boot that found them unchanged
-- (docs/adr/0021-content-fingerprints.md). Null: a plan of an earlier version, which proves nothing without one.
ALTER TABLE "reclamation" ADD COLUMN "content" JSONB;

-- Somebody may have touched the machine since its content was read (docs/adr/0028-recheck-after-maintenance.md).
ALTER TABLE "host_run" ADD COLUMN "touched" BOOLEAN NOT NULL DEFAULT false;
UPDATE "host_run" SET "touched" = true WHERE "maintenance" AND NOT "allocatable";
-- The last line of defence: whoever writes it, a host that was touched is not allocated.
ALTER TABLE "host_run" ADD CONSTRAINT "touched_not_allocatable" CHECK (NOT ("allocatable" AND "touched"));

-- What people stated instead of a recheck.
CREATE TABLE "untouched_statement" (
  "id" BIGSERIAL PRIMARY KEY,
  "host_id" UUID NOT NULL,
  "host_serial" TEXT,
  "state" TEXT NOT NULL,
  "maintenance_reason" TEXT,
  "reason" TEXT NOT NULL,
  "person_id" UUID,
  "person_name" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT now()
);
CREATE INDEX "untouched_statement_host_id_at_idx" ON "untouched_statement" ("host_id", "at");
