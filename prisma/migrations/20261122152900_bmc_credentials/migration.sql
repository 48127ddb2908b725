-- Sets of BMC credentials that hosts of a site share (docs/sites.md#bmc-credentials). A host keeps a copy of what its set says, so that nothing that
-- talks to a BMC need know of sets, nor does the release before this one.

-- CreateTable
CREATE TABLE "bmc_credential" (
    "id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "password" BYTEA NOT NULL,

    CONSTRAINT "bmc_credential_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "host" ADD COLUMN "bmc_credential_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "bmc_credential_site_id_name_key" ON "bmc_credential"("site_id", "name");
CREATE INDEX "host_bmc_credential_id_idx" ON "host"("bmc_credential_id");

-- AddForeignKey
ALTER TABLE "bmc_credential" ADD CONSTRAINT "bmc_credential_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "host" ADD CONSTRAINT "host_bmc_credential_id_fkey" FOREIGN KEY ("bmc_credential_id") REFERENCES "bmc_credential"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
