-- A page per drive: every drive that a host listed or that was erased, and in which hosts it was (docs/adr/0084-drives.md).
-- Triggers on the inventories keep it, so it holds for what the release before writes, too.

-- CreateTable
CREATE TABLE "drive" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "serial" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "manufacturer" TEXT,
    "wwn" TEXT,
    "firmware" TEXT,
    "media" TEXT,
    "transport" TEXT,
    "capacity_bytes" TEXT,
    "search" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drive_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drive_stay" (
    "id" BIGSERIAL NOT NULL,
    "drive_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "slot" TEXT,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3),

    CONSTRAINT "drive_stay_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "drive_serial_model_key" ON "drive"("serial", "model");

-- CreateIndex
CREATE INDEX "drive_stay_drive_id_from_at_idx" ON "drive_stay"("drive_id", "from_at");

-- CreateIndex
CREATE INDEX "drive_stay_host_id_idx" ON "drive_stay"("host_id");

-- AddForeignKey
ALTER TABLE "drive_stay" ADD CONSTRAINT "drive_stay_drive_id_fkey" FOREIGN KEY ("drive_id") REFERENCES "drive"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma has no words for. Serial numbers are typed in any case.
CREATE INDEX "drive_serial_lower" ON "drive" (lower("serial"));
CREATE UNIQUE INDEX "drive_stay_open" ON "drive_stay" ("host_id", "drive_id") WHERE "until_at" IS NULL;
-- What hosts stopped for, by drive; and every statement on a drive, those that were withdrawn included.
CREATE INDEX "state_history_causes" ON "state_history" USING gin ("causes" jsonb_path_ops) WHERE "causes" IS NOT NULL;
CREATE INDEX "drive_disposition_key" ON "drive_disposition" ("key");

-- The drives that any inventory of a host lists now, each once and member by member, as each source leaves some out: the slot is the BMC's
-- where it tells one, the firmware is of the newest reading, and of the rest the agent's word is taken first, as it read the drive itself.
CREATE FUNCTION "drives_of_host"(of_host UUID)
RETURNS TABLE (serial TEXT, model TEXT, manufacturer TEXT, wwn TEXT, firmware TEXT, media TEXT, transport TEXT, capacity_bytes TEXT, slot TEXT)
LANGUAGE sql STABLE AS $$
  SELECT d ->> 'serial', d ->> 'model',
    (array_agg(d ->> 'manufacturer' ORDER BY i.source) FILTER (WHERE d ->> 'manufacturer' IS NOT NULL))[1],
    (array_agg(d ->> 'wwn' ORDER BY i.source) FILTER (WHERE d ->> 'wwn' IS NOT NULL))[1],
    (array_agg(d ->> 'firmware' ORDER BY i.collected_at DESC, i.source) FILTER (WHERE d ->> 'firmware' IS NOT NULL))[1],
    (array_agg(d ->> 'media' ORDER BY i.source) FILTER (WHERE d ->> 'media' IS NOT NULL))[1],
    (array_agg(d ->> 'transport' ORDER BY i.source) FILTER (WHERE d ->> 'transport' IS NOT NULL))[1],
    (array_agg(d ->> 'capacityBytes' ORDER BY i.source) FILTER (WHERE d ->> 'capacityBytes' IS NOT NULL))[1],
    (array_agg(d ->> 'slot' ORDER BY i.source DESC) FILTER (WHERE d ->> 'slot' IS NOT NULL))[1]
  FROM host_inventory i,
    jsonb_array_elements(CASE WHEN jsonb_typeof(i.body -> 'storage') = 'array' THEN i.body -> 'storage' ELSE '[]' END) d
  WHERE i.host_id = of_host AND d ->> 'serial' <> '' AND d ->> 'model' <> ''
  GROUP BY 1, 2 ORDER BY 1, 2
$$;

-- Drive by drive: each statement finds its row by an index, whatever the planner knew of the tables when it first saw them.
CREATE FUNCTION "follow_drives"(of_host UUID) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t RECORD;
  found_id UUID;
  present UUID[] := '{}';
BEGIN
  FOR t IN SELECT * FROM drives_of_host(of_host) LOOP
    SELECT d.id INTO found_id FROM drive d WHERE d.serial = t.serial AND d.model = t.model
      AND (t.manufacturer IS NULL OR d.manufacturer = t.manufacturer) AND (t.wwn IS NULL OR d.wwn = t.wwn)
      AND (t.firmware IS NULL OR d.firmware = t.firmware) AND (t.media IS NULL OR d.media = t.media)
      AND (t.transport IS NULL OR d.transport = t.transport) AND (t.capacity_bytes IS NULL OR d.capacity_bytes = t.capacity_bytes);
    IF NOT FOUND THEN
      INSERT INTO drive AS k (serial, model, manufacturer, wwn, firmware, media, transport, capacity_bytes, search)
      VALUES (t.serial, t.model, t.manufacturer, t.wwn, t.firmware, t.media, t.transport, t.capacity_bytes,
        lower(concat_ws(' ', t.serial, t.model, t.firmware)))
      ON CONFLICT (serial, model) DO UPDATE SET
        manufacturer = coalesce(excluded.manufacturer, k.manufacturer), wwn = coalesce(excluded.wwn, k.wwn),
        firmware = coalesce(excluded.firmware, k.firmware), media = coalesce(excluded.media, k.media),
        transport = coalesce(excluded.transport, k.transport), capacity_bytes = coalesce(excluded.capacity_bytes, k.capacity_bytes),
        search = lower(concat_ws(' ', k.serial, k.model, coalesce(excluded.firmware, k.firmware)))
      RETURNING k.id INTO found_id;
    END IF;
    INSERT INTO drive_stay AS s (drive_id, host_id, slot, from_at) VALUES (found_id, of_host, t.slot, now())
    ON CONFLICT (host_id, drive_id) WHERE until_at IS NULL
    DO UPDATE SET slot = excluded.slot WHERE excluded.slot IS NOT NULL AND s.slot IS DISTINCT FROM excluded.slot;
    present := present || found_id;
  END LOOP;
  UPDATE drive_stay s SET until_at = now() WHERE s.host_id = of_host AND s.until_at IS NULL AND s.drive_id <> ALL (present);
END $$;

CREATE FUNCTION "drives_are_followed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM follow_drives(CASE WHEN TG_OP = 'DELETE' THEN OLD.host_id ELSE NEW.host_id END);
  RETURN NULL;
END $$;
CREATE TRIGGER "drives_are_followed" AFTER INSERT OR DELETE ON "host_inventory" FOR EACH ROW EXECUTE FUNCTION "drives_are_followed"();
-- Most readings find the same drives as the one before: nothing is done for them.
CREATE TRIGGER "changed_drives_are_followed" AFTER UPDATE OF "body" ON "host_inventory" FOR EACH ROW
  WHEN (OLD."body" -> 'storage' IS DISTINCT FROM NEW."body" -> 'storage') EXECUTE FUNCTION "drives_are_followed"();

-- A result names a drive that no inventory may list any more, or ever did: it has its page, too.
CREATE FUNCTION "erased_drives_are_known"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO drive (serial, model, manufacturer, wwn, firmware, media, transport, capacity_bytes, search)
  SELECT DISTINCT ON (r.serial, r.model) r.serial, r.model, r.report ->> 'manufacturer', r.report ->> 'wwn', r.report ->> 'firmware', r.media,
    r.report ->> 'transport', r.report ->> 'capacityBytes', lower(concat_ws(' ', r.serial, r.model, r.report ->> 'firmware'))
  FROM made r WHERE NOT EXISTS (SELECT FROM drive d WHERE d.serial = r.serial AND d.model = r.model)
  ORDER BY r.serial, r.model
  ON CONFLICT (serial, model) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "erased_drives_are_known" AFTER INSERT ON "device_result" REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION "erased_drives_are_known"();

-- What there is: drives by their newest result, then what inventories list; they were in a host from their first result there on.
INSERT INTO drive (serial, model, manufacturer, wwn, firmware, media, transport, capacity_bytes, search, first_seen_at)
SELECT DISTINCT ON (r.serial, r.model) r.serial, r.model, r.report ->> 'manufacturer', r.report ->> 'wwn', r.report ->> 'firmware', r.media,
  r.report ->> 'transport', r.report ->> 'capacityBytes', lower(concat_ws(' ', r.serial, r.model, r.report ->> 'firmware')),
  min(r.at) OVER (PARTITION BY r.serial, r.model)
FROM device_result r ORDER BY r.serial, r.model, r.id DESC;
SELECT follow_drives(h.id) FROM host h;
UPDATE drive_stay s SET from_at = least(s.from_at, r.first)
FROM drive d, (SELECT serial, model, host_id, min(at) AS first FROM device_result GROUP BY serial, model, host_id) r
WHERE d.id = s.drive_id AND r.serial = d.serial AND r.model = d.model AND r.host_id = s.host_id;
INSERT INTO drive_stay (drive_id, host_id, slot, from_at, until_at)
SELECT d.id, r.host_id, (array_agg(r.report ->> 'slot' ORDER BY r.id DESC))[1], min(r.at), max(r.at)
FROM device_result r JOIN drive d ON d.serial = r.serial AND d.model = r.model
WHERE NOT EXISTS (SELECT FROM drive_stay s WHERE s.drive_id = d.id AND s.host_id = r.host_id)
GROUP BY d.id, r.host_id;
