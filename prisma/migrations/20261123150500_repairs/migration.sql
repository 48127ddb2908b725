-- Repairs as records (docs/adr/0097-repairs-are-records.md).

CREATE TABLE "repair" (
    "id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "host_name" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "released_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "ticket" TEXT,
    "summary" TEXT,
    "issue_category" TEXT,
    "issue_summary" TEXT,
    "issue_details" TEXT,
    "asked_at" TIMESTAMPTZ(3),
    "new_issue" TEXT,
    CONSTRAINT "repair_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "repair_instance_id_key" ON "repair"("instance_id");
CREATE INDEX "repair_host_id_released_at_idx" ON "repair"("host_id", "released_at");
CREATE INDEX "repair_tenant_id_released_at_idx" ON "repair"("tenant_id", "released_at");
CREATE INDEX "repair_released_at_idx" ON "repair"("released_at");

-- What history allows: that a repair ended, and when. Its outcome was a label, which may have changed since.
INSERT INTO "repair" ("id", "instance_id", "host_id", "host_name", "tenant_id", "claimed_at", "released_at")
SELECT gen_random_uuid(), i.id, i.host_id, coalesce(h.name, i.host_id::text), i.tenant_id, i.created_at, coalesce(i.release_requested_at, i.ended_at)
FROM "instance" i LEFT JOIN "host" h ON h.id = i.host_id
WHERE i.repair_release AND coalesce(i.release_requested_at, i.ended_at) IS NOT NULL;

-- The hosts that ask for a repair, among those of every report.
CREATE INDEX "health_report_repair" ON "health_report"("host_id") WHERE "source" IN ('tenant-reported-issue', 'repair-request') AND "mode" = 'merge';
