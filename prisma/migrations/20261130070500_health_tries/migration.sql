-- When a host's BMC was last asked for its health, whether it answered or not: a person has it asked again only a while after that (docs/bmc-health.md#when).
ALTER TABLE "bmc_health" ADD COLUMN "tried_at" TIMESTAMPTZ(3);
