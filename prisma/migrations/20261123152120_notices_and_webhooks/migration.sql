-- Notices of the provider, and events to webhooks (docs/adr/0095-break-fix.md).
CREATE TABLE "notice" (
  "id" UUID NOT NULL,
  "ref" TEXT NOT NULL,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('maintenance', 'retirement', 'replacement')),
  "site_id" UUID NOT NULL,
  "rack" TEXT,
  "host_id" UUID,
  "immediate" BOOLEAN NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3),
  "message" TEXT NOT NULL,
  "note" TEXT NOT NULL DEFAULT '',
  "ended" TEXT CHECK ("ended" IN ('done', 'cancelled')),
  "ended_at" TIMESTAMPTZ(3),
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "notice_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notice_times" CHECK ("ends_at" IS NULL OR "ends_at" > "starts_at"),
  CONSTRAINT "notice_ended" CHECK (("ended" IS NULL) = ("ended_at" IS NULL))
);
CREATE UNIQUE INDEX "notice_ref_key" ON "notice" ("ref");
CREATE INDEX "notice_created_at_id_idx" ON "notice" ("created_at", "id");

CREATE TABLE "notice_ack" (
  "notice_id" UUID NOT NULL,
  "tenant_id" UUID NOT NULL,
  "by" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "notice_ack_pkey" PRIMARY KEY ("notice_id", "tenant_id"),
  CONSTRAINT "notice_ack_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notice"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "webhook" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "tenant_id" UUID,
  "url" TEXT NOT NULL,
  "secret" BYTEA NOT NULL,
  "kinds" TEXT[] NOT NULL DEFAULT '{}',
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "failing_since" TIMESTAMPTZ(3),
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_reason" TEXT,
  "busy_until" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);
-- One name for the provider, and one for each tenant: a name tells nothing of another's.
CREATE UNIQUE INDEX "webhook_name_key" ON "webhook" (coalesce("tenant_id", '00000000-0000-0000-0000-000000000000'::uuid), "name");

CREATE TABLE "webhook_delivery" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "seq" BIGSERIAL NOT NULL,
  "webhook_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "attempted_at" TIMESTAMPTZ(3),
  "status" INTEGER,
  "error" TEXT,
  "delivered_at" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_delivery_webhook_id_seq_idx" ON "webhook_delivery" ("webhook_id", "seq");
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery" ("created_at");
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery" ("webhook_id", "seq") WHERE "delivered_at" IS NULL;
