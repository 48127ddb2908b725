-- What was last read of a host's health from its BMC (docs/bmc-health.md).
CREATE TABLE bmc_health (
  host_id uuid NOT NULL,
  read_at timestamptz(3),
  failing_since timestamptz(3),
  failure text,
  not_offered text[] NOT NULL DEFAULT '{}',
  logs jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT bmc_health_pkey PRIMARY KEY (host_id),
  CONSTRAINT bmc_health_host_id_fkey FOREIGN KEY (host_id) REFERENCES host (id) ON DELETE CASCADE ON UPDATE CASCADE
);
