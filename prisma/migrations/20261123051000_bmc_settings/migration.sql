-- What a baseline may say of a BMC, kept with its inventory (docs/adr/0085-bmc-settings.md). A release that does not know the column leaves it as it is.

-- AlterTable
ALTER TABLE "host_inventory" ADD COLUMN "bmc_settings" JSONB;
