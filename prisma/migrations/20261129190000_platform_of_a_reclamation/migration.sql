-- The platform of a host as its BMC showed it after the plan, compared with its baseline (docs/adr/0143-platform-at-baseline.md).
ALTER TABLE "reclamation" ADD COLUMN "platform" JSONB;
