-- Measured boot (docs/adr/0150-measured-boot.md). Release 0.2.0 neither reads nor writes it.
ALTER TABLE approval DROP CONSTRAINT approval_kind_check;
ALTER TABLE approval ADD CONSTRAINT approval_kind_check
  CHECK (kind IN ('signOff', 'exception', 'disposition', 'policyChange', 'rollout', 'bundle'));

CREATE TABLE attestation_bundle (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  name text NOT NULL,
  manufacturer text NOT NULL,
  model text NOT NULL,
  pcrs jsonb NOT NULL,
  state text NOT NULL DEFAULT 'Active',
  words text NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  approval_id uuid NOT NULL,
  changed_at timestamptz(3),
  changed_by text,
  changed_reason text,
  CONSTRAINT attestation_bundle_pkey PRIMARY KEY (id),
  CONSTRAINT attestation_bundle_site_id_fkey FOREIGN KEY (site_id) REFERENCES site (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT attestation_bundle_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approval (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT attestation_bundle_state CHECK (state IN ('Active', 'Obsolete', 'Retired', 'Revoked')),
  -- Without them any program would be taken for the agent.
  CONSTRAINT attestation_bundle_program CHECK (pcrs ? '4' AND pcrs ? '9'),
  CONSTRAINT attestation_bundle_changed CHECK ((changed_at IS NULL) = (changed_by IS NULL) AND (changed_at IS NULL) = (changed_reason IS NULL))
);
CREATE UNIQUE INDEX attestation_bundle_approval_id_key ON attestation_bundle (approval_id);
CREATE INDEX attestation_bundle_hardware_idx ON attestation_bundle (site_id, manufacturer, model);

-- What was approved is what is expected, and nothing revoked is trusted again.
CREATE FUNCTION attestation_bundle_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.site_id, NEW.name, NEW.manufacturer, NEW.model, NEW.pcrs, NEW.words, NEW.reason, NEW.created_at, NEW.approval_id)
      IS DISTINCT FROM (OLD.id, OLD.site_id, OLD.name, OLD.manufacturer, OLD.model, OLD.pcrs, OLD.words, OLD.reason, OLD.created_at, OLD.approval_id) THEN
    RAISE EXCEPTION 'the bundle % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.state = 'Revoked' AND NEW.state <> 'Revoked' OR OLD.state = 'Retired' AND NEW.state NOT IN ('Retired', 'Revoked') OR NEW.state = 'Active' AND OLD.state <> 'Active' THEN
    RAISE EXCEPTION 'the bundle % is not trusted again', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER attestation_bundle_stands BEFORE UPDATE ON attestation_bundle FOR EACH ROW EXECUTE FUNCTION attestation_bundle_stands();

CREATE TABLE host_measurement (
  host_id uuid NOT NULL,
  boot_epoch int NOT NULL,
  nonce bytea NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  quote bytea,
  signature bytea,
  pcrs jsonb,
  event_log bytea,
  facts jsonb,
  measured_at timestamptz(3),
  problem text,
  state text NOT NULL DEFAULT 'Discovered',
  bundle_id uuid,
  judged_at timestamptz(3),
  CONSTRAINT host_measurement_pkey PRIMARY KEY (host_id),
  CONSTRAINT host_measurement_host_id_fkey FOREIGN KEY (host_id) REFERENCES host (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT host_measurement_bundle_id_fkey FOREIGN KEY (bundle_id) REFERENCES attestation_bundle (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT host_measurement_state CHECK (state IN ('Discovered', 'PendingBundle', 'Measured', 'MeasuringFailed')),
  -- Nothing is measured without a quote that was checked, and nothing passes without a bundle.
  CONSTRAINT host_measurement_checked CHECK (state NOT IN ('PendingBundle', 'Measured') OR (measured_at IS NOT NULL AND pcrs IS NOT NULL AND quote IS NOT NULL AND signature IS NOT NULL)),
  CONSTRAINT host_measurement_passes CHECK (state <> 'Measured' OR bundle_id IS NOT NULL)
);
CREATE INDEX host_measurement_bundle_id_idx ON host_measurement (bundle_id);
