-- The last restart of a host's BMC that a person asked for (docs/hardware.md#reset-bmc). Release 0.2.0 neither reads nor writes it.
CREATE TABLE "bmc_reset" (
  "host_id" UUID NOT NULL,
  "phase" TEXT NOT NULL DEFAULT 'requested',
  "requested_at" TIMESTAMPTZ(3) NOT NULL,
  "requested_by" TEXT NOT NULL,
  "reason" TEXT NOT NULL,
  "reset_type" TEXT,
  "before" JSONB,
  "answered" BOOLEAN NOT NULL DEFAULT false,
  "sent_at" TIMESTAMPTZ(3),
  "away_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "says" TEXT,
  "todo" TEXT,
  CONSTRAINT "bmc_reset_pkey" PRIMARY KEY ("host_id"),
  CONSTRAINT "bmc_reset_phase_check" CHECK ("phase" IN ('requested', 'sent', 'away', 'done', 'failed', 'unknown')),
  CONSTRAINT "bmc_reset_ended_check" CHECK (("ended_at" IS NULL) = ("phase" = 'requested' OR "phase" = 'sent' OR "phase" = 'away')),
  -- What proves the restart is stored before the request is sent.
  CONSTRAINT "bmc_reset_sent_check" CHECK (("sent_at" IS NOT NULL) = ("before" IS NOT NULL)),
  CONSTRAINT "bmc_reset_phases_check" CHECK ("sent_at" IS NOT NULL OR "phase" = 'requested' OR "phase" = 'failed')
);
ALTER TABLE "bmc_reset" ADD CONSTRAINT "bmc_reset_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "bmc_reset_open" ON "bmc_reset" ("requested_at") WHERE "ended_at" IS NULL;
