-- Certificate authorities of a site, and how its BMCs are trusted (docs/adr/0060-authorities-of-a-site.md).

-- AlterTable
ALTER TABLE "site" ADD COLUMN "bmc_trust" TEXT NOT NULL DEFAULT 'pinOrAuthority',
  ADD COLUMN "authorities" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "site" ADD CONSTRAINT "bmc_trust_is_known" CHECK ("bmc_trust" IN ('pinOrAuthority', 'pin', 'authority'));
