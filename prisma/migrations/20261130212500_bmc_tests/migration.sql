-- The last test of a host's BMC (docs/hardware.md#test-bmc). Release 0.2.0 neither reads nor writes it.
CREATE TABLE "bmc_test" (
  "host_id" UUID NOT NULL,
  "wanted_at" TIMESTAMPTZ(3),
  "tested_at" TIMESTAMPTZ(3),
  "address" TEXT,
  "checks" JSONB,
  CONSTRAINT "bmc_test_pkey" PRIMARY KEY ("host_id"),
  CONSTRAINT "bmc_test_whole_check" CHECK (("tested_at" IS NULL) = ("checks" IS NULL))
);
ALTER TABLE "bmc_test" ADD CONSTRAINT "bmc_test_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "bmc_test_wanted" ON "bmc_test" ("wanted_at") WHERE "wanted_at" IS NOT NULL;
