-- What the fleet page compares with: counts of hosts over time, and failures over time by cause.

-- CreateTable
CREATE TABLE "fleet_sample" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "site_id" UUID NOT NULL,
    "sku_id" UUID,
    "tenant_id" UUID,
    "ready" INTEGER NOT NULL,
    "coming_back" INTEGER NOT NULL,
    "need_person" INTEGER NOT NULL,
    CONSTRAINT "fleet_sample_pkey" PRIMARY KEY ("id")
);

-- One row per moment and group, whichever of the servers writes it first.
CREATE UNIQUE INDEX "fleet_sample_at" ON "fleet_sample" ("at", "site_id", "sku_id", "tenant_id") NULLS NOT DISTINCT;

-- Failures are a small part of the history of states.
CREATE INDEX "state_history_failed" ON "state_history" ("at") WHERE "state" LIKE 'Failed/%';
