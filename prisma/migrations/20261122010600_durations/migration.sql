-- When each drive of an attempt is expected to end its erase, by the database's clock: in ms, by serial; null: nobody knows. What agents send are
-- durations; they are anchored here when they are received (docs/adr/0022-durations-travel.md).
ALTER TABLE "step_attempt" ADD COLUMN "erase_ends" JSONB NOT NULL DEFAULT '{}';
-- When the numbers of a progress report were others than in the one before it, and those numbers.
ALTER TABLE "step_attempt" ADD COLUMN "moved_at" TIMESTAMPTZ(3);
ALTER TABLE "step_attempt" ADD COLUMN "moved_mark" TEXT;
