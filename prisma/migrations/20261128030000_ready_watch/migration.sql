-- What the BMC of a host that waits in Ready showed last, so that a change ends its proof (docs/adr/0121-ready-lasts.md).
CREATE TABLE "ready_watch" (
  "host_id" UUID NOT NULL,
  "reclamation_id" UUID NOT NULL,
  "reading" JSONB,
  "since" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  "read_at" TIMESTAMPTZ(3),
  "failing_since" TIMESTAMPTZ(3),
  "failure" TEXT,
  CONSTRAINT "ready_watch_pkey" PRIMARY KEY ("host_id"),
  CONSTRAINT "ready_watch_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The drives that a tenant has. Written by the database, so that it is also there if a server of the previous release creates the instance.
ALTER TABLE "instance" ADD COLUMN "drive_serials" TEXT[] NOT NULL DEFAULT '{}';
CREATE FUNCTION instance_drives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.drive_serials := ARRAY(
    SELECT jsonb_array_elements_text(r.context -> 'drives') FROM host_run r
    WHERE r.host_id = NEW.host_id AND jsonb_typeof(r.context -> 'drives') = 'array');
  RETURN NEW;
END $$;
CREATE TRIGGER "instance_drives" BEFORE INSERT ON "instance" FOR EACH ROW EXECUTE FUNCTION instance_drives();
UPDATE instance i SET drive_serials = ARRAY(SELECT jsonb_array_elements_text(r.context -> 'drives'))
FROM host_run r WHERE r.host_id = i.host_id AND i.ended_at IS NULL AND jsonb_typeof(r.context -> 'drives') = 'array';
CREATE INDEX "instance_drives_held" ON "instance" USING gin ("drive_serials") WHERE "ended_at" IS NULL;

-- Everybody who set the present maintenance: none of them states alone that nobody touched the host.
ALTER TABLE "host_run" ADD COLUMN "maintenance_people" UUID[] NOT NULL DEFAULT '{}';
