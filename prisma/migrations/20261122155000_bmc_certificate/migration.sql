-- Certificates of BMCs (docs/adr/0051-certificates-of-bmcs.md).

-- AlterTable
ALTER TABLE "host" ADD COLUMN "bmc_certificate" TEXT,
  ADD COLUMN "certificate_seen" JSONB,
  ADD COLUMN "first_contact_accepted" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "host" ADD CONSTRAINT "bmc_certificate_is_sha256" CHECK ("bmc_certificate" ~ '^[0-9a-f]{64}$');
