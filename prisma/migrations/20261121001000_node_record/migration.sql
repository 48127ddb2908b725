-- What an Ironic client stores: a host may be known before its serial, its system UUID and its BMC are.
-- AlterTable
ALTER TABLE "host" ADD COLUMN     "description" TEXT,
ADD COLUMN     "lessee" TEXT,
ADD COLUMN     "owner" TEXT,
ADD COLUMN     "protected" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "protected_reason" TEXT,
ADD COLUMN     "resource_class" TEXT,
ADD COLUMN     "retired" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "retired_reason" TEXT,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3),
ALTER COLUMN "macs" SET DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "network_interfaces" SET DEFAULT ARRAY[]::TEXT[],
ALTER COLUMN "serial" DROP NOT NULL,
ALTER COLUMN "system_uuid" DROP NOT NULL,
ALTER COLUMN "bmc_address" DROP NOT NULL,
ALTER COLUMN "bmc_username" DROP NOT NULL,
ALTER COLUMN "bmc_password" DROP NOT NULL;

-- CreateTable
CREATE TABLE "node_record" (
    "host_id" UUID NOT NULL,
    "driver_info" JSONB NOT NULL DEFAULT '{}',
    "properties" JSONB NOT NULL DEFAULT '{}',
    "extra" JSONB NOT NULL DEFAULT '{}',
    "instance_info" JSONB NOT NULL DEFAULT '{}',
    "network_data" JSONB NOT NULL DEFAULT '{}',
    "interfaces" JSONB NOT NULL DEFAULT '{}',
    "instance_name" TEXT,
    "conductor_group" TEXT NOT NULL DEFAULT '',
    "chassis_uuid" UUID,
    "shard" TEXT,
    "parent_node" UUID,
    "disable_power_off" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "node_record_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "node_port" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "extra" JSONB NOT NULL DEFAULT '{}',
    "local_link_connection" JSONB NOT NULL DEFAULT '{}',
    "physical_network" TEXT,
    "pxe_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_smartnic" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "node_port_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "node_record_instance_name_key" ON "node_record"("instance_name");

-- CreateIndex
CREATE UNIQUE INDEX "node_port_address_key" ON "node_port"("address");

-- CreateIndex
CREATE UNIQUE INDEX "node_port_name_key" ON "node_port"("name");

-- CreateIndex
CREATE INDEX "node_port_host_id_idx" ON "node_port"("host_id");

-- AddForeignKey
ALTER TABLE "node_record" ADD CONSTRAINT "node_record_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_port" ADD CONSTRAINT "node_port_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The ports of the hosts that are known already.
INSERT INTO "node_port" ("id", "host_id", "address")
  SELECT gen_random_uuid(), f.id, f.mac FROM (SELECT DISTINCT ON (m.mac) h.id, m.mac FROM "host" h, unnest(h.macs) AS m(mac) ORDER BY m.mac, h.created_at, h.id) f;

-- A host without an interface to acknowledge would be on the admin network by having nothing to ask. Those of a host whose BMC was not read yet may be unknown, and a fake host has none.
ALTER TABLE "host" DROP CONSTRAINT "host_has_interfaces";
ALTER TABLE "host" ADD CONSTRAINT "host_has_interfaces" CHECK ("serial" IS NULL OR "hardware_type" = 'fake' OR coalesce(cardinality("network_interfaces"), 0) > 0);

-- No host gets past Verifying unidentified: its debt and its erase hang on the serial, its agent is known by both.
CREATE FUNCTION "verified_is_known"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND (h.serial IS NULL OR h.system_uuid IS NULL)) THEN
    RAISE EXCEPTION 'host % cannot be %: its serial or its system UUID is not known', NEW.host_id, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "verified_is_known" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (OLD.state IN ('Enroll', 'Verifying') AND NEW.state NOT IN ('Enroll', 'Verifying', 'ForceDeletion')) EXECUTE FUNCTION "verified_is_known"();

-- What a host is does not change: a debt would be left behind.
CREATE FUNCTION "identity_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the serial and the system UUID of host % are known and do not change', NEW.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "identity_stands" BEFORE UPDATE OF "serial", "system_uuid" ON "host"
  FOR EACH ROW WHEN ((OLD.serial IS NOT NULL AND NEW.serial IS DISTINCT FROM OLD.serial) OR (OLD.system_uuid IS NOT NULL AND NEW.system_uuid IS DISTINCT FROM OLD.system_uuid)) EXECUTE FUNCTION "identity_stands"();
