-- One owner at a time: systems outside that take hosts for repair, and their leases (docs/adr/0094-one-owner.md).

CREATE TABLE "repair_system" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "site_id" UUID,
  "hash" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_by" TEXT NOT NULL,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "repair_system_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "repair_system_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "repair_system_name_key" ON "repair_system" ("name");
CREATE UNIQUE INDEX "repair_system_hash_key" ON "repair_system" ("hash");

-- Kept when the host or the system is gone: it is the record of who had the machine.
CREATE TABLE "repair_lease" (
  "id" UUID NOT NULL,
  "host_id" UUID NOT NULL,
  "system_id" UUID NOT NULL,
  "system_name" TEXT NOT NULL,
  "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "taken_by" TEXT NOT NULL,
  "until" TIMESTAMPTZ(3),
  "reason" TEXT NOT NULL,
  "ticket" TEXT,
  "note" TEXT,
  "noted_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "ended_by" TEXT,
  "how" TEXT CHECK ("how" IN ('returned', 'broken')),
  "ended_reason" TEXT,
  CONSTRAINT "repair_lease_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "repair_lease_ended_check" CHECK (("ended_at" IS NULL) = ("how" IS NULL))
);
CREATE UNIQUE INDEX "repair_lease_open_key" ON "repair_lease" ("host_id") WHERE "ended_at" IS NULL;
CREATE INDEX "repair_lease_host_id_taken_at_idx" ON "repair_lease" ("host_id", "taken_at");
CREATE INDEX "repair_lease_system_id_idx" ON "repair_lease" ("system_id") WHERE "ended_at" IS NULL;

ALTER TABLE "host_run" ADD COLUMN "outside_lease" UUID;
CREATE INDEX "host_run_outside_lease_idx" ON "host_run" ("outside_lease") WHERE "outside_lease" IS NOT NULL;

-- While a system outside has the host, the host's own lease is held by that one's lease: no controller, of this release or the one before, can claim the
-- host, get a permit or commit. Kept and not refused, so that statements about the whole fleet, such as those after a clock was set, go on.
CREATE FUNCTION "outside_lease_holds"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state <> OLD.state THEN
    RAISE EXCEPTION 'host % changes no state while a repair system has it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  NEW.lease_owner := NEW.outside_lease;
  NEW.lease_until := '9999-12-31 00:00:00+00';
  NEW.allocatable := false;
  NEW.touched := true;
  NEW.touch_uncovered := true;
  NEW.command := NULL;
  NEW.command_epoch := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "outside_lease_holds" BEFORE UPDATE ON "host_run"
  FOR EACH ROW WHEN (NEW.outside_lease IS NOT NULL) EXECUTE FUNCTION "outside_lease_holds"();

-- Whoever writes: a host that a repair system has is nobody's.
CREATE FUNCTION "no_instance_while_leased"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = NEW.host_id AND r.outside_lease IS NOT NULL) THEN
    RAISE EXCEPTION 'host % cannot be allocated: a repair system has it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "no_instance_while_leased" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION "no_instance_while_leased"();
