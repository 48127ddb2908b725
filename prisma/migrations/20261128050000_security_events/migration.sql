-- What outsiders and machines tried, with repeats merged (docs/security.md#security-events).
CREATE TABLE "security_event" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "kind" TEXT NOT NULL,
  "host_id" UUID,
  "host_name" TEXT,
  "site_id" UUID,
  "address" TEXT NOT NULL,
  "others" TEXT,
  "tried" TEXT[] NOT NULL,
  "paths" TEXT[] NOT NULL,
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "first_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "count" BIGINT NOT NULL DEFAULT 1,
  "merge_key" TEXT NOT NULL,
  "acknowledged_at" TIMESTAMPTZ(3),
  "acknowledged_by" TEXT,
  "note" TEXT,
  CONSTRAINT "security_event_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "security_event_others_check" CHECK ("others" IN ('addresses', 'hosts')),
  CONSTRAINT "security_event_acknowledged_check" CHECK (("acknowledged_at" IS NULL) = ("acknowledged_by" IS NULL))
);
-- What repeats after somebody acknowledged it is a new event.
CREATE UNIQUE INDEX "security_event_merge_key_key" ON "security_event"("merge_key") WHERE "acknowledged_at" IS NULL;
CREATE INDEX "security_event_kind_hour_host_id_idx" ON "security_event"("kind", "hour", "host_id");
CREATE INDEX "security_event_kind_hour_address_idx" ON "security_event"("kind", "hour", "address");
CREATE INDEX "security_event_host_id_last_at_idx" ON "security_event"("host_id", "last_at");
CREATE INDEX "security_event_last_at_id_idx" ON "security_event"("last_at", "id");
