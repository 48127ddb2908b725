-- BIOS attributes of a host, for baselines (docs/adr/0062-bios-attributes.md). A release that does not know the columns leaves them as they are.

-- AlterTable
ALTER TABLE "host_inventory" ADD COLUMN "bios" JSONB,
  ADD COLUMN "bios_read_at" TIMESTAMPTZ(3);
