-- What parts a host had when it was last verified, and what people state of parts that changed since (docs/parts.md#compared-with-what-the-host-had).
CREATE TABLE host_parts (
  host_id uuid NOT NULL,
  known jsonb NOT NULL,
  boot_epoch int NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disposition_id uuid,
  CONSTRAINT host_parts_pkey PRIMARY KEY (host_id),
  CONSTRAINT host_parts_host_id_fkey FOREIGN KEY (host_id) REFERENCES host (id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE part_disposition (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  evidence text NOT NULL,
  changes jsonb NOT NULL,
  words text NOT NULL,
  reason text NOT NULL,
  by_id uuid NOT NULL,
  by_name text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  approval_id uuid NOT NULL,
  taken_at timestamptz(3),
  CONSTRAINT part_disposition_pkey PRIMARY KEY (id),
  CONSTRAINT part_disposition_reason CHECK (btrim(reason) <> ''),
  CONSTRAINT part_disposition_evidence CHECK (evidence ~ '^[0-9a-f]{64}$')
);
CREATE INDEX part_disposition_host_id_idx ON part_disposition (host_id);
CREATE UNIQUE INDEX part_disposition_approval_id_key ON part_disposition (approval_id);

-- What was stated never changes, nor which approval it has.
CREATE FUNCTION part_disposition_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.taken_at IS NOT NULL
    OR (NEW.id, NEW.host_id, NEW.host_name, NEW.evidence, NEW.changes, NEW.words, NEW.reason, NEW.by_id, NEW.by_name, NEW.at, NEW.approval_id)
      IS DISTINCT FROM (OLD.id, OLD.host_id, OLD.host_name, OLD.evidence, OLD.changes, OLD.words, OLD.reason, OLD.by_id, OLD.by_name, OLD.at, OLD.approval_id) THEN
    RAISE EXCEPTION 'the disposition % of parts never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER part_disposition_stands BEFORE UPDATE OR DELETE ON part_disposition FOR EACH ROW EXECUTE FUNCTION part_disposition_stands();

-- An older controller does not compare parts: it makes no host Ready whose SKU names some (docs/adr/0024-rolling-upgrade.md).
CREATE FUNCTION ready_parts_are_compared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM host h JOIN sku k ON k.id = h.sku_id
     WHERE h.id = NEW.host_id AND h.hardware_type <> 'fake' AND k.components ? 'parts')
    AND NOT EXISTS (
      SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = 'inventoryMatches' AND (g.evidence ->> 'comparison')::int >= 2) THEN
    RAISE EXCEPTION 'host % cannot be Ready: the parts that its SKU names were not compared', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_parts_are_compared AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_parts_are_compared();
