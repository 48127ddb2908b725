-- Several hosts behind one BMC address, each with its own system (docs/adr/0069-several-hosts-at-one-bmc.md).

-- AlterTable
ALTER TABLE "host" ADD COLUMN "bmc_system" TEXT NOT NULL DEFAULT '';

UPDATE "host" h SET "bmc_system" = rtrim(btrim(n.driver_info ->> 'redfish_system_id'), '/')
FROM "node_record" n
WHERE n.host_id = h.id AND jsonb_typeof(n.driver_info -> 'redfish_system_id') = 'string';

-- DropIndex
DROP INDEX "host_bmc_address_key";

-- CreateIndex
CREATE UNIQUE INDEX "host_bmc_address_bmc_system_key" ON "host"("bmc_address", "bmc_system");

-- The release before this one writes the system into the node record only.
CREATE FUNCTION take_bmc_system() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE host SET bmc_system = named.path
  FROM (SELECT CASE WHEN jsonb_typeof(NEW.driver_info -> 'redfish_system_id') = 'string'
    THEN rtrim(btrim(NEW.driver_info ->> 'redfish_system_id'), '/') ELSE '' END AS path) named
  WHERE host.id = NEW.host_id AND host.bmc_system <> named.path;
  RETURN NULL;
END
$$;

CREATE TRIGGER node_record_takes_bmc_system AFTER INSERT OR UPDATE OF driver_info ON node_record
  FOR EACH ROW EXECUTE FUNCTION take_bmc_system();
