-- New firmware for the hosts of a SKU, in stages (docs/adr/0148-firmware-rollouts.md).
ALTER TABLE approval DROP CONSTRAINT approval_kind_check;
ALTER TABLE approval ADD CONSTRAINT approval_kind_check
  CHECK (kind IN ('signOff', 'exception', 'disposition', 'policyChange', 'rollout'));

CREATE TABLE firmware_rollout (
  id uuid NOT NULL,
  sku_id uuid NOT NULL,
  over jsonb NOT NULL,
  firmware jsonb NOT NULL,
  images jsonb NOT NULL,
  stages jsonb NOT NULL,
  stage int NOT NULL DEFAULT 0,
  max_failures int NOT NULL,
  words text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  approval_id uuid NOT NULL,
  resumed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  paused_at timestamptz(3),
  paused_by text,
  paused_reason text,
  ended_at timestamptz(3),
  outcome text,
  CONSTRAINT firmware_rollout_pkey PRIMARY KEY (id),
  CONSTRAINT firmware_rollout_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES sku (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT firmware_rollout_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approval (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT firmware_rollout_stage CHECK (stage BETWEEN 0 AND jsonb_array_length(stages) - 1),
  CONSTRAINT firmware_rollout_max_failures CHECK (max_failures > 0),
  CONSTRAINT firmware_rollout_over CHECK (jsonb_array_length(over) > 0 AND jsonb_array_length(firmware) = jsonb_array_length(over)),
  CONSTRAINT firmware_rollout_paused CHECK ((paused_at IS NULL) = (paused_reason IS NULL)),
  CONSTRAINT firmware_rollout_outcome CHECK (outcome IN ('finished', 'aborted') AND (outcome IS NULL) = (ended_at IS NULL))
);
CREATE INDEX firmware_rollout_sku_id_idx ON firmware_rollout (sku_id);
CREATE UNIQUE INDEX firmware_rollout_approval_id_key ON firmware_rollout (approval_id);
CREATE UNIQUE INDEX firmware_rollout_one_open ON firmware_rollout (sku_id) WHERE ended_at IS NULL;

-- What a host takes is what was approved.
CREATE FUNCTION firmware_rollout_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL
    OR (NEW.id, NEW.sku_id, NEW.over, NEW.firmware, NEW.images, NEW.stages, NEW.max_failures, NEW.words, NEW.reason, NEW.created_at, NEW.approval_id)
      IS DISTINCT FROM (OLD.id, OLD.sku_id, OLD.over, OLD.firmware, OLD.images, OLD.stages, OLD.max_failures, OLD.words, OLD.reason, OLD.created_at, OLD.approval_id) THEN
    RAISE EXCEPTION 'the firmware rollout % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER firmware_rollout_stands BEFORE UPDATE ON firmware_rollout FOR EACH ROW EXECUTE FUNCTION firmware_rollout_stands();

CREATE TABLE firmware_rollout_host (
  rollout_id uuid NOT NULL,
  host_id uuid NOT NULL,
  takes boolean NOT NULL,
  reclamation_id uuid NOT NULL,
  plan_epoch int NOT NULL,
  decided_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  done_at timestamptz(3),
  CONSTRAINT firmware_rollout_host_pkey PRIMARY KEY (rollout_id, host_id),
  CONSTRAINT firmware_rollout_host_rollout_id_fkey FOREIGN KEY (rollout_id) REFERENCES firmware_rollout (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT firmware_rollout_host_host_id_fkey FOREIGN KEY (host_id) REFERENCES host (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX firmware_rollout_host_host_id_idx ON firmware_rollout_host (host_id);
