-- When a person asked that a host's health be read at once; null: nobody waits (docs/bmc-health.md#when).
ALTER TABLE "bmc_health" ADD COLUMN "wanted_at" TIMESTAMPTZ(3);

CREATE INDEX "bmc_health_wanted" ON "bmc_health" ("host_id") WHERE "wanted_at" IS NOT NULL;
