-- The self-audit that is asked for or in progress (docs/adr/0111-the-self-audit-replays-states.md): one row, or none. Its result is an event of the log.
CREATE TABLE "audit_check" (
  "one" BOOLEAN NOT NULL DEFAULT true,
  "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "asked_by" TEXT,
  "started_at" TIMESTAMPTZ(3),
  "beat_at" TIMESTAMPTZ(3),
  "stage" TEXT,
  "done" BIGINT NOT NULL DEFAULT 0,
  "total" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "audit_check_pkey" PRIMARY KEY ("one"),
  CONSTRAINT "audit_check_one" CHECK ("one")
);
