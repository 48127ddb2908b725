-- How a repair by a system outside ended (docs/adr/0097-repairs-are-records.md). Of leases that ended before it is not known.
ALTER TABLE "repair_lease" ADD COLUMN "outcome" TEXT CHECK ("outcome" IN ('completed', 'failed', 'none'));
ALTER TABLE "repair_lease" ADD COLUMN "new_issue" TEXT;
CREATE INDEX "repair_lease_ended_at_idx" ON "repair_lease" ("ended_at");
