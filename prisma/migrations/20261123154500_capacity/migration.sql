-- Why machines left and came back (docs/adr/0095-break-fix.md).
CREATE TABLE "capacity_host" (
  "host_id" UUID NOT NULL,
  "host_name" TEXT NOT NULL,
  "site_id" UUID NOT NULL,
  "in_service" BOOLEAN NOT NULL,
  "reason" TEXT,
  "ever" BOOLEAN NOT NULL DEFAULT false,
  "instance_id" UUID,
  "tenant_id" UUID,
  "mark" TEXT NOT NULL,
  CONSTRAINT "capacity_host_pkey" PRIMARY KEY ("host_id")
);
CREATE TABLE "capacity_event" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "seq" BIGSERIAL NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "direction" TEXT NOT NULL CHECK ("direction" IN ('added', 'removed')),
  "reason" TEXT NOT NULL,
  "host_id" UUID NOT NULL,
  "host_name" TEXT NOT NULL,
  "site_id" UUID NOT NULL,
  "tenant_id" UUID,
  "instance_id" UUID,
  "ticket" TEXT,
  "notice" TEXT,
  "planned" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "capacity_event_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "capacity_event_seq_key" ON "capacity_event" ("seq");
CREATE INDEX "capacity_event_tenant_id_seq_idx" ON "capacity_event" ("tenant_id", "seq");
-- What is there at the upgrade is not new: it is known from the beginning.
INSERT INTO "capacity_host" ("host_id", "host_name", "site_id", "in_service", "ever", "instance_id", "tenant_id", "mark")
SELECT r.host_id, r.name, r.site_id, r.allocatable OR i.id IS NOT NULL, true, i.id, i.tenant_id, ''
FROM "host_run" r LEFT JOIN "instance" i ON i.host_id = r.host_id AND i.ended_at IS NULL;
