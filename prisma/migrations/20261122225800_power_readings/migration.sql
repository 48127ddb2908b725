-- When a host's BMC was last asked for its power by the readings that follow no decision; null: never.
ALTER TABLE "host" ADD COLUMN "power_asked_at" TIMESTAMPTZ(3);
