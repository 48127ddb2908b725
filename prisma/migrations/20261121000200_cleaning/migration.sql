-- Cleaning: overrides, manual cleaning, runbooks, admission, brake, acts on many hosts, groups of failures.

-- AlterTable
ALTER TABLE "host" ADD COLUMN "automated_clean" BOOLEAN,
ADD COLUMN "network_segment" TEXT,
ADD COLUMN "power_domain" TEXT,
ADD COLUMN "traits" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "tenant" ADD COLUMN "instance_quota" INTEGER;

-- AlterTable
ALTER TABLE "reclamation" ADD COLUMN "runbook_id" UUID,
ADD COLUMN "runbook_name" TEXT,
ADD COLUMN "bulk_id" UUID,
ADD COLUMN "paused_ms" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "paused_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "step_run" ADD COLUMN "abortable" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "time_limit_ms" INTEGER;

-- CreateTable
CREATE TABLE "step_override" (
    "scope" TEXT NOT NULL,
    "scope_id" UUID NOT NULL,
    "interface" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_by" UUID,

    CONSTRAINT "step_override_pkey" PRIMARY KEY ("scope_id","interface","step")
);

-- CreateTable
CREATE TABLE "runbook" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "traits" TEXT[],
    "steps" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" UUID,

    CONSTRAINT "runbook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "brake" (
    "id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "failed" INTEGER NOT NULL,
    "started" INTEGER NOT NULL,
    "message" TEXT NOT NULL,
    "engaged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lifted_at" TIMESTAMPTZ(3),
    "lifted_by" UUID,

    CONSTRAINT "brake_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_act" (
    "id" UUID NOT NULL,
    "intent" TEXT NOT NULL,
    "args" JSONB NOT NULL DEFAULT '{}',
    "filter" TEXT,
    "total" INTEGER NOT NULL,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID,
    "created_by_name" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_act_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bulk_act_host" (
    "bulk_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state_version" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bulk_act_host_pkey" PRIMARY KEY ("bulk_id","host_id")
);

-- CreateTable
CREATE TABLE "intent_refusal" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "intent" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "intent_refusal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "failure_note" (
    "digest" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "owner_id" UUID,
    "owner_name" TEXT,
    "note" TEXT NOT NULL DEFAULT '',
    "snoozed_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" UUID,

    CONSTRAINT "failure_note_pkey" PRIMARY KEY ("digest")
);

-- CreateIndex
CREATE UNIQUE INDEX "runbook_name_key" ON "runbook"("name");

-- CreateIndex
CREATE INDEX "bulk_act_created_at_idx" ON "bulk_act"("created_at");

-- CreateIndex
CREATE INDEX "intent_refusal_request_id_idx" ON "intent_refusal"("request_id");

-- CreateIndex
CREATE INDEX "reclamation_bulk_id_idx" ON "reclamation"("bulk_id");

-- AddForeignKey
ALTER TABLE "brake" ADD CONSTRAINT "brake_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bulk_act_host" ADD CONSTRAINT "bulk_act_host_bulk_id_fkey" FOREIGN KEY ("bulk_id") REFERENCES "bulk_act"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma has no words for.
-- One brake of a group at a time; the controller reads those in force with each claim of a queued host.
CREATE UNIQUE INDEX "brake_in_force" ON "brake" ("site_id", "dimension", "value") WHERE "lifted_at" IS NULL;
ALTER TABLE "step_override" ADD CONSTRAINT "step_override_scope" CHECK ("scope" IN ('site', 'sku', 'host') AND "priority" BETWEEN 0 AND 1000);
-- A manual cleaning is never what makes a host Ready.
ALTER TABLE "reclamation" ADD CONSTRAINT "manual_is_not_ready" CHECK ("kind" <> 'manualCleaning' OR "outcome" IS DISTINCT FROM 'ready');
