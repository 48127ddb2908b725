-- The database of release 0.2.0: what 101 migrations of 0.1.0 and after made. Whatever changes it is a migration of its own.

-- Tables of access

CREATE TABLE tenant (
  id uuid NOT NULL,
  org text NOT NULL,
  name text NOT NULL,
  targeted_instance_creation boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  instance_quota integer,
  disabled_at timestamptz(3),
  CONSTRAINT tenant_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX tenant_org_key ON tenant(org);

CREATE TABLE person (
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  tenant_id uuid,
  password_hash text NOT NULL,
  session_epoch integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disabled_at timestamptz(3),
  reset_by uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  first_password_by uuid,
  CONSTRAINT person_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX person_email_key ON person(email);

CREATE TABLE api_token (
  id uuid NOT NULL,
  hash bytea NOT NULL,
  name text NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  scope text NOT NULL DEFAULT 'full',
  CONSTRAINT api_token_pkey PRIMARY KEY (id),
  CONSTRAINT api_token_scope_check CHECK ((scope = ANY (ARRAY['full'::text, 'read'::text])))
);
CREATE UNIQUE INDEX api_token_hash_key ON api_token(hash);

CREATE TABLE adapter_token (
  id uuid NOT NULL,
  hash bytea NOT NULL,
  adapter text NOT NULL,
  site_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT adapter_token_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX adapter_token_hash_key ON adapter_token(hash);

CREATE TABLE sign_in_attempt (
  id bigserial,
  subject text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT sign_in_attempt_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_attempt_subject_at_idx ON sign_in_attempt(subject, at);

-- A session that was signed out does not work any more, also for who kept its cookie.
CREATE TABLE ended_session (
  session_id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT ended_session_pkey PRIMARY KEY (session_id)
);
CREATE INDEX ended_session_expires ON ended_session (expires_at);

-- Attempts of one name or address in a quarter of an hour are one row, however many there are.
CREATE TABLE sign_in_count (
  subject text NOT NULL,
  since timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts integer NOT NULL,
  CONSTRAINT sign_in_count_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_count_since_idx ON sign_in_count(since);

-- Where a person has signed in from: who attacks the name from elsewhere does not lock it there.
CREATE TABLE sign_in_address (
  person_id uuid NOT NULL,
  address text NOT NULL,
  last_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT sign_in_address_pkey PRIMARY KEY (person_id, address)
);
CREATE INDEX sign_in_address_address_idx ON sign_in_address(address);

CREATE TABLE session (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  epoch integer NOT NULL,
  began_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  address text,
  password_at timestamptz(3),
  CONSTRAINT session_pkey PRIMARY KEY (id)
);
CREATE INDEX session_person_id_idx ON session(person_id);
CREATE INDEX session_used_at_idx ON session(used_at);

-- Views of the hosts list that a person saved.
CREATE TABLE saved_view (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  person_id uuid NOT NULL,
  name text NOT NULL,
  filter text NOT NULL,
  sort text,
  hidden text[] NOT NULL DEFAULT ARRAY[]::text[],
  saved_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  group_by text,
  CONSTRAINT saved_view_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX saved_view_person_id_name_key ON saved_view(person_id, name);

CREATE TABLE tenant_grant (
  tenant_id uuid NOT NULL,
  site_id uuid NOT NULL,
  kind text NOT NULL,
  given_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  given_by text NOT NULL,
  CONSTRAINT tenant_grant_pkey PRIMARY KEY (tenant_id, site_id, kind)
);
CREATE INDEX tenant_grant_site_id_idx ON tenant_grant(site_id);

-- Passkeys, and with what a decision was confirmed (docs/adr/0113-passkeys.md).
CREATE TABLE passkey (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] DEFAULT ARRAY[]::text[],
  rp_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3),
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_counter_check CHECK (counter >= 0)
);
CREATE UNIQUE INDEX passkey_credential_id_key ON passkey (credential_id);
CREATE UNIQUE INDEX passkey_person_id_name_key ON passkey (person_id, name);

CREATE TABLE passkey_challenge (
  challenge text NOT NULL,
  person_id uuid NOT NULL,
  session_id uuid NOT NULL,
  purpose text NOT NULL,
  confirmed_with text,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT passkey_challenge_pkey PRIMARY KEY (challenge),
  CONSTRAINT passkey_challenge_confirmed_with_check CHECK (confirmed_with IN ('password', 'passkey'))
);
CREATE INDEX passkey_challenge_person_id_idx ON passkey_challenge (person_id);
CREATE INDEX passkey_challenge_expires_at_idx ON passkey_challenge (expires_at);

-- Tables of agent

CREATE TABLE boot_window (
  host_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  generation bigint NOT NULL,
  token_box bytea,
  token_hash bytea,
  opened_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  consumed_at timestamptz(3),
  image_id uuid,
  reset_done_at timestamptz(3),
  contested_at timestamptz(3),
  refusal text,
  token_address inet,
  CONSTRAINT boot_window_pkey PRIMARY KEY (host_id, boot_epoch)
) WITH (fillfactor=60);
CREATE UNIQUE INDEX boot_window_token_hash_key ON boot_window(token_hash);
CREATE INDEX boot_window_image ON boot_window (image_id) WHERE image_id IS NOT NULL;
CREATE INDEX boot_window_opened ON boot_window USING brin (opened_at);

CREATE TABLE agent_session (
  host_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  token_hash bytea NOT NULL,
  identity jsonb NOT NULL,
  agent_version text NOT NULL,
  hardware_managers jsonb NOT NULL,
  registered_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  run_hash bytea,
  address inet,
  server_url text,
  CONSTRAINT agent_session_pkey PRIMARY KEY (host_id, boot_epoch)
) WITH (fillfactor=60);
CREATE UNIQUE INDEX agent_session_token_hash_key ON agent_session(token_hash);
CREATE INDEX agent_session_registered ON agent_session USING brin (registered_at);

-- Images of the cleaning agent: which a site boots and which it tries.
CREATE TABLE agent_image (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  version text NOT NULL,
  url text NOT NULL,
  sha256 text,
  status text NOT NULL,
  stage text NOT NULL,
  hosts integer,
  percent double precision,
  given integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by uuid,
  changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  changed_by uuid,
  signed boolean NOT NULL DEFAULT false,
  kind text NOT NULL DEFAULT 'reclaim',
  CONSTRAINT agent_image_pkey PRIMARY KEY (id),
  CONSTRAINT agent_image_stage CHECK ((stage = 'few' AND hosts IS NOT NULL AND percent IS NULL) OR (stage = 'share' AND percent IS NOT NULL AND hosts IS NULL) OR (stage = 'all' AND hosts IS NULL AND percent IS NULL)),
  CONSTRAINT agent_image_status CHECK (status IN ('candidate', 'current', 'replaced', 'withdrawn'))
);
CREATE UNIQUE INDEX agent_image_site_id_version_key ON agent_image(site_id, version);
-- One current image and one candidate of a site.
CREATE UNIQUE INDEX agent_image_current ON agent_image (site_id) WHERE status = 'current';
CREATE UNIQUE INDEX agent_image_candidate ON agent_image (site_id) WHERE status = 'candidate';

CREATE TABLE agent_guest (
  host_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  callback_url text NOT NULL,
  verify_ca text NOT NULL,
  agent_version text NOT NULL,
  session_box bytea,
  work jsonb,
  finished text[] DEFAULT ARRAY[]::text[],
  holder uuid,
  held_until timestamptz(3),
  CONSTRAINT agent_guest_pkey PRIMARY KEY (host_id, boot_epoch)
);

-- Tables of assurance

-- Approvals and the records of manual procedures (docs/adr/0102-approvals-and-procedures.md).
CREATE TABLE approval (
  id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid NOT NULL,
  evidence text NOT NULL,
  site_id uuid,
  host_id uuid,
  asked_by uuid NOT NULL,
  asked_by_name text NOT NULL,
  asked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  reason text NOT NULL,
  valid_until timestamptz(3),
  decision text,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz(3),
  decided_reason text,
  voided_at timestamptz(3),
  voided_reason text,
  asker_reset_by uuid[] NOT NULL DEFAULT ARRAY[]::uuid[],
  decided_with text,
  CONSTRAINT approval_pkey PRIMARY KEY (id),
  CONSTRAINT approval_decided_check CHECK (
    (decision IS NULL) = (decided_by IS NULL) AND (decision IS NULL) = (decided_by_name IS NULL)
    AND (decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (decided_reason IS NULL)),
  CONSTRAINT approval_decided_with_check CHECK (decided_with IN ('password', 'passkey')),
  CONSTRAINT approval_decided_with_decision_check CHECK (decided_with IS NULL OR decision IS NOT NULL),
  CONSTRAINT approval_decision_check CHECK (decision IN ('approved', 'rejected')),
  -- Nobody ever asked for a bundle's promotion: what that needs comes with measured boot (docs/design/attestation.md).
  CONSTRAINT approval_kind_check CHECK (kind IN ('signOff', 'exception', 'disposition', 'policyChange')),
  CONSTRAINT approval_two_people_check CHECK (decided_by <> asked_by),
  CONSTRAINT approval_voided_check CHECK ((voided_at IS NULL) = (voided_reason IS NULL))
);
CREATE INDEX approval_subject_id_idx ON approval (subject_id);
CREATE INDEX approval_host_id_idx ON approval (host_id);
-- Those that wait, oldest first.
CREATE INDEX approval_waiting_idx ON approval (asked_at, id) WHERE decision IS NULL AND voided_at IS NULL;
-- One at a time.
CREATE UNIQUE INDEX approval_one_policy_change_idx ON approval (site_id) WHERE kind = 'policyChange' AND decision IS NULL AND voided_at IS NULL;
CREATE INDEX approval_policy_change_idx ON approval (site_id) WHERE kind = 'policyChange';

CREATE TABLE procedure_record (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  serial text NOT NULL,
  reclamation_id uuid,
  instance_id uuid,
  procedure text NOT NULL,
  version integer NOT NULL,
  definition jsonb NOT NULL,
  reason text NOT NULL,
  operator_id uuid NOT NULL,
  operator_name text NOT NULL,
  tenant_id uuid,
  done_from timestamptz(3) NOT NULL,
  done_until timestamptz(3) NOT NULL,
  place text NOT NULL,
  answers jsonb NOT NULL,
  ticket text,
  comment text NOT NULL,
  files jsonb NOT NULL DEFAULT '[]',
  recorded_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  reusable_until timestamptz(3),
  approval_id uuid NOT NULL,
  after_result bigint,
  CONSTRAINT procedure_record_pkey PRIMARY KEY (id),
  CONSTRAINT procedure_record_of_one_check CHECK ((reclamation_id IS NULL) <> (instance_id IS NULL)),
  CONSTRAINT procedure_record_times_check CHECK (done_from <= done_until AND done_until <= recorded_at + interval '5 minutes')
);
CREATE UNIQUE INDEX procedure_record_approval_id_key ON procedure_record (approval_id);
CREATE INDEX procedure_record_host_id_recorded_at_idx ON procedure_record (host_id, recorded_at);
CREATE INDEX procedure_record_reclamation_id_idx ON procedure_record (reclamation_id);
CREATE INDEX procedure_record_instance_id_idx ON procedure_record (instance_id);

-- Exceptions: one gate, or one drive, of one reclamation let through on purpose (docs/adr/0105-exceptions-and-dispositions.md).
CREATE TABLE gate_exception (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  reclamation_id uuid NOT NULL,
  gate text NOT NULL,
  drive_serial text,
  drive_model text,
  found jsonb NOT NULL,
  measure text NOT NULL,
  risk text NOT NULL,
  approval_id uuid NOT NULL,
  CONSTRAINT gate_exception_pkey PRIMARY KEY (id),
  CONSTRAINT gate_exception_drive_check CHECK ((gate = 'storageSanitized') = (drive_serial IS NOT NULL) AND (drive_serial IS NULL) = (drive_model IS NULL)),
  CONSTRAINT gate_exception_gate_check CHECK (gate IN ('cleanupCompleted', 'storageSanitized', 'memoryOverwritten', 'infinibandClean', 'platformAtBaseline', 'attestationPassed', 'assuranceSigned')),
  CONSTRAINT gate_exception_words_check CHECK (btrim(measure) <> '' AND btrim(risk) <> '')
);
CREATE UNIQUE INDEX gate_exception_approval_id_key ON gate_exception (approval_id);
CREATE INDEX gate_exception_reclamation_id_idx ON gate_exception (reclamation_id);
-- Wherever the drive turns up again.
CREATE INDEX gate_exception_drive_idx ON gate_exception (drive_serial) WHERE drive_serial IS NOT NULL;

CREATE TABLE policy_change (
  id uuid NOT NULL,
  approval_id uuid NOT NULL,
  site_id uuid NOT NULL,
  site_name text NOT NULL,
  action text NOT NULL,
  base text NOT NULL,
  proposed text NOT NULL,
  changes jsonb NOT NULL,
  document jsonb NOT NULL,
  request bytea,
  version integer,
  CONSTRAINT policy_change_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX policy_change_approval_id_key ON policy_change (approval_id);
CREATE INDEX policy_change_site_id_idx ON policy_change (site_id);

-- Tables of audit-log

CREATE TABLE audit_pending (
  xid bigint NOT NULL,
  at timestamptz(3) NOT NULL,
  event_id uuid NOT NULL,
  CONSTRAINT audit_pending_pkey PRIMARY KEY (xid, at, event_id)
);

CREATE TABLE audit_leaf (
  seq bigint NOT NULL,
  event_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_leaf_pkey PRIMARY KEY (seq),
  CONSTRAINT audit_leaf_hash CHECK (octet_length(hash) = 32)
);
CREATE UNIQUE INDEX audit_leaf_event_id_key ON audit_leaf(event_id);

CREATE TABLE audit_node (
  level smallint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_node_pkey PRIMARY KEY (level, "position"),
  CONSTRAINT audit_node_hash CHECK (octet_length(hash) = 32)
);

CREATE TABLE audit_tree (
  one boolean NOT NULL DEFAULT true,
  size bigint NOT NULL,
  edge bytea NOT NULL,
  CONSTRAINT audit_tree_pkey PRIMARY KEY (one),
  CONSTRAINT audit_tree_one CHECK (one)
);

CREATE TABLE audit_checkpoint (
  size bigint NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  note text NOT NULL,
  CONSTRAINT audit_checkpoint_pkey PRIMARY KEY (size)
);

CREATE TABLE audit_key (
  id serial,
  origin text NOT NULL,
  public_key text NOT NULL,
  private_key bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_key_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_rotation (
  seq bigint NOT NULL,
  note text NOT NULL,
  CONSTRAINT audit_rotation_pkey PRIMARY KEY (seq)
);

CREATE TABLE audit_cosignature (
  size bigint NOT NULL,
  key_id text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  line text NOT NULL,
  CONSTRAINT audit_cosignature_pkey PRIMARY KEY (size, key_id)
);

-- Who asks for a new key of the audit log: the server asks, the sequencer makes the key.
CREATE TABLE audit_key_wanted (
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_key_wanted_pkey PRIMARY KEY (id)
);

-- The self-audit that is asked for or in progress (docs/adr/0111-the-self-audit-replays-states.md): one row, or none. Its result is an event of the log.
CREATE TABLE audit_check (
  one boolean NOT NULL DEFAULT true,
  asked_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  asked_by text,
  started_at timestamptz(3),
  beat_at timestamptz(3),
  stage text,
  done bigint NOT NULL DEFAULT 0,
  total bigint NOT NULL DEFAULT 0,
  CONSTRAINT audit_check_pkey PRIMARY KEY (one),
  CONSTRAINT audit_check_one CHECK (one)
);

-- Tables of break-fix

-- Break-fix as data (docs/adr/0095-break-fix.md).
CREATE TABLE ticket (
  id uuid NOT NULL,
  ref text NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  host_serial text,
  site_id uuid NOT NULL,
  tenant_id uuid,
  instance_id uuid,
  handed_over_at timestamptz(3),
  origin text NOT NULL,
  category text NOT NULL,
  summary text NOT NULL,
  details text NOT NULL DEFAULT '',
  action text NOT NULL DEFAULT 'none',
  parts jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL DEFAULT 'open',
  outcome text,
  external_ref text,
  replacement_wanted boolean NOT NULL DEFAULT false,
  replacement_host_id uuid,
  replacement_instance_id uuid,
  opened_as text NOT NULL,
  opened_by text NOT NULL,
  opened_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  closed_at timestamptz(3),
  CONSTRAINT ticket_pkey PRIMARY KEY (id),
  CONSTRAINT ticket_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL) AND (state = 'closed') = (outcome IS NOT NULL)),
  CONSTRAINT ticket_origin_check CHECK ((origin = ANY (ARRAY['operator'::text, 'tenant'::text, 'release'::text, 'onlineRepair'::text]))),
  CONSTRAINT ticket_state_check CHECK ((state = ANY (ARRAY['open'::text, 'inProgress'::text, 'waiting'::text, 'repaired'::text, 'closed'::text])))
);
CREATE UNIQUE INDEX ticket_ref_key ON ticket (ref);
CREATE INDEX ticket_opened_at_id_idx ON ticket (opened_at, id);
CREATE INDEX ticket_tenant_id_opened_at_idx ON ticket (tenant_id, opened_at);
CREATE INDEX ticket_host_id_opened_at_idx ON ticket (host_id, opened_at);
CREATE INDEX ticket_open_idx ON ticket (host_id) WHERE closed_at IS NULL;
-- A look at capacity asks which ticket gave a host as a replacement; retention asks by time.
CREATE INDEX ticket_replacement ON ticket (replacement_host_id) WHERE replacement_host_id IS NOT NULL;

CREATE TABLE ticket_update (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seq bigserial,
  ticket_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  author text NOT NULL,
  author_tenant_id uuid,
  by text NOT NULL,
  audience text NOT NULL,
  note text NOT NULL DEFAULT '',
  changes jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT ticket_update_pkey PRIMARY KEY (id),
  CONSTRAINT ticket_update_audience_check CHECK ((audience = ANY (ARRAY['shared'::text, 'internal'::text]))),
  CONSTRAINT ticket_update_author_check CHECK ((author = ANY (ARRAY['provider'::text, 'tenant'::text, 'repairTenant'::text, 'system'::text])))
);
CREATE INDEX ticket_update_ticket_id_seq_idx ON ticket_update (ticket_id, seq);

-- Notices of the provider, and events to webhooks (docs/adr/0095-break-fix.md).
CREATE TABLE notice (
  id uuid NOT NULL,
  ref text NOT NULL,
  kind text NOT NULL,
  site_id uuid NOT NULL,
  rack text,
  host_id uuid,
  immediate boolean NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3),
  message text NOT NULL,
  note text NOT NULL DEFAULT '',
  ended text,
  ended_at timestamptz(3),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT notice_pkey PRIMARY KEY (id),
  CONSTRAINT notice_ended CHECK ((ended IS NULL) = (ended_at IS NULL)),
  CONSTRAINT notice_ended_check CHECK ((ended = ANY (ARRAY['done'::text, 'cancelled'::text]))),
  CONSTRAINT notice_kind_check CHECK ((kind = ANY (ARRAY['maintenance'::text, 'retirement'::text, 'replacement'::text]))),
  CONSTRAINT notice_times CHECK (ends_at IS NULL OR ends_at > starts_at)
);
CREATE UNIQUE INDEX notice_ref_key ON notice (ref);
CREATE INDEX notice_created_at_id_idx ON notice (created_at, id);

CREATE TABLE notice_ack (
  notice_id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  by text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT notice_ack_pkey PRIMARY KEY (notice_id, tenant_id)
);

CREATE TABLE webhook (
  id uuid NOT NULL,
  name text NOT NULL,
  tenant_id uuid,
  url text NOT NULL,
  secret bytea NOT NULL,
  kinds text[] NOT NULL DEFAULT '{}'::text[],
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  busy_until timestamptz(3),
  turn_at timestamptz(6),
  CONSTRAINT webhook_pkey PRIMARY KEY (id)
);
-- One name for the provider, and one for each tenant: a name tells nothing of another's.
CREATE UNIQUE INDEX webhook_name_key ON webhook (coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'::uuid), name);

CREATE TABLE webhook_delivery (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seq bigserial,
  webhook_id uuid NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  attempted_at timestamptz(3),
  status integer,
  error text,
  delivered_at timestamptz(3),
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_delivery_webhook_id_seq_idx ON webhook_delivery (webhook_id, seq);
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_pending_idx ON webhook_delivery (webhook_id, seq) WHERE delivered_at IS NULL;

-- Why machines left and came back (docs/adr/0095-break-fix.md).
CREATE TABLE capacity_host (
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  site_id uuid NOT NULL,
  in_service boolean NOT NULL,
  reason text,
  ever boolean NOT NULL DEFAULT false,
  instance_id uuid,
  tenant_id uuid,
  mark text NOT NULL,
  CONSTRAINT capacity_host_pkey PRIMARY KEY (host_id)
);

CREATE TABLE capacity_event (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seq bigserial,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  direction text NOT NULL,
  reason text NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  site_id uuid NOT NULL,
  tenant_id uuid,
  instance_id uuid,
  ticket text,
  notice text,
  planned boolean NOT NULL DEFAULT false,
  CONSTRAINT capacity_event_pkey PRIMARY KEY (id),
  CONSTRAINT capacity_event_direction_check CHECK ((direction = ANY (ARRAY['added'::text, 'removed'::text])))
);
CREATE UNIQUE INDEX capacity_event_seq_key ON capacity_event (seq);
CREATE INDEX capacity_event_tenant_id_seq_idx ON capacity_event (tenant_id, seq);
CREATE INDEX capacity_event_at_idx ON capacity_event (at);

-- Tables of certificates

-- Certificates (docs/adr/0103-certificates.md).
CREATE TABLE certificate (
  id uuid NOT NULL,
  reclamation_id uuid NOT NULL,
  host_id uuid NOT NULL,
  kind text NOT NULL,
  type text NOT NULL,
  statement text NOT NULL,
  sha256 text NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  tenant_id uuid,
  instance_id uuid,
  event_id uuid,
  bundle text,
  signed_at timestamptz(3),
  CONSTRAINT certificate_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX certificate_reclamation_id_kind_key ON certificate (reclamation_id, kind);
CREATE INDEX certificate_host_id_idx ON certificate (host_id);
CREATE INDEX certificate_instance_id_idx ON certificate (instance_id);
CREATE INDEX certificate_made_at_id_idx ON certificate (made_at, id);
CREATE INDEX certificate_unsigned ON certificate (made_at) WHERE bundle IS NULL;

CREATE TABLE certificate_due (
  reclamation_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  trouble text,
  CONSTRAINT certificate_due_pkey PRIMARY KEY (reclamation_id)
);

-- Tables of cleaning

CREATE TABLE step_override (
  scope text NOT NULL,
  scope_id uuid NOT NULL,
  interface text NOT NULL,
  step text NOT NULL,
  priority integer NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  changed_by uuid,
  CONSTRAINT step_override_pkey PRIMARY KEY (scope_id, interface, step),
  CONSTRAINT step_override_scope CHECK (scope IN ('site', 'sku', 'host') AND priority BETWEEN 0 AND 1000)
);

CREATE TABLE runbook (
  id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  traits text[],
  steps jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_by uuid,
  CONSTRAINT runbook_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX runbook_name_key ON runbook(name);

CREATE TABLE brake (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  failed integer NOT NULL,
  started integer NOT NULL,
  message text NOT NULL,
  engaged_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  lifted_at timestamptz(3),
  lifted_by uuid,
  asks text[] NOT NULL DEFAULT ARRAY[]::text[],
  decided_at timestamptz(3),
  decided_by uuid,
  CONSTRAINT brake_pkey PRIMARY KEY (id)
);
-- One brake of a group at a time; the controller reads those in force with each claim of a queued host.
CREATE UNIQUE INDEX brake_in_force ON brake (site_id, dimension, value) WHERE lifted_at IS NULL;

CREATE TABLE bulk_act (
  id uuid NOT NULL,
  intent text NOT NULL,
  args jsonb NOT NULL DEFAULT '{}',
  filter text,
  total integer NOT NULL,
  request_id text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by uuid,
  created_by_name text NOT NULL,
  started_at timestamptz(3),
  asked_all_at timestamptz(3),
  CONSTRAINT bulk_act_pkey PRIMARY KEY (id)
);
CREATE INDEX bulk_act_created_at_idx ON bulk_act(created_at);
CREATE INDEX bulk_act_at_work ON bulk_act (started_at) WHERE started_at IS NOT NULL AND asked_all_at IS NULL;

CREATE TABLE bulk_act_host (
  bulk_id uuid NOT NULL,
  host_id uuid NOT NULL,
  name text NOT NULL,
  state_version bigint NOT NULL,
  status text NOT NULL,
  message text,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  reclamation_id uuid,
  CONSTRAINT bulk_act_host_pkey PRIMARY KEY (bulk_id, host_id)
);
CREATE INDEX bulk_act_host_waiting ON bulk_act_host (bulk_id, host_id) WHERE status = 'can';

CREATE TABLE intent_refusal (
  id bigserial,
  host_id uuid NOT NULL,
  intent text NOT NULL,
  reason text NOT NULL,
  request_id text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT intent_refusal_pkey PRIMARY KEY (id)
);
CREATE INDEX intent_refusal_request_id_idx ON intent_refusal(request_id);
CREATE INDEX intent_refusal_at ON intent_refusal USING brin (at);

CREATE TABLE failure_note (
  digest text NOT NULL,
  message text NOT NULL,
  owner_id uuid,
  owner_name text,
  note text NOT NULL DEFAULT '',
  snoozed_until timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_by uuid,
  snoozed_hosts integer,
  CONSTRAINT failure_note_pkey PRIMARY KEY (digest)
);

-- Tables of custody

-- One owner at a time: systems outside that take hosts for repair, and their leases (docs/adr/0094-one-owner.md).
CREATE TABLE repair_system (
  id uuid NOT NULL,
  name text NOT NULL,
  site_id uuid,
  hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by text NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT repair_system_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX repair_system_name_key ON repair_system (name);
CREATE UNIQUE INDEX repair_system_hash_key ON repair_system (hash);

-- Kept when the host or the system is gone: it is the record of who had the machine.
CREATE TABLE repair_lease (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  system_id uuid NOT NULL,
  system_name text NOT NULL,
  taken_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  taken_by text NOT NULL,
  until timestamptz(3),
  reason text NOT NULL,
  ticket text,
  note text,
  noted_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by text,
  how text,
  ended_reason text,
  outcome text,
  new_issue text,
  CONSTRAINT repair_lease_pkey PRIMARY KEY (id),
  CONSTRAINT repair_lease_ended_check CHECK ((ended_at IS NULL) = (how IS NULL)),
  CONSTRAINT repair_lease_how_check CHECK ((how = ANY (ARRAY['returned'::text, 'broken'::text]))),
  CONSTRAINT repair_lease_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'none'::text])))
);
CREATE UNIQUE INDEX repair_lease_open_key ON repair_lease (host_id) WHERE ended_at IS NULL;
CREATE INDEX repair_lease_host_id_taken_at_idx ON repair_lease (host_id, taken_at);
CREATE INDEX repair_lease_system_id_idx ON repair_lease (system_id) WHERE ended_at IS NULL;
CREATE INDEX repair_lease_ended_at_idx ON repair_lease (ended_at);

-- Tables of drive

-- A page per drive: every drive that a host listed or that was erased, and in which hosts it was (docs/adr/0084-drives.md).
-- Triggers on the inventories keep it.
CREATE TABLE drive (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  serial text NOT NULL,
  model text NOT NULL,
  manufacturer text,
  wwn text,
  firmware text,
  media text,
  transport text,
  capacity_bytes text,
  search text NOT NULL,
  first_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT drive_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX drive_serial_model_key ON drive(serial, model);
-- Serial numbers are typed in any case.
CREATE INDEX drive_serial_lower ON drive (lower(serial) text_pattern_ops);

CREATE TABLE drive_stay (
  id bigserial,
  drive_id uuid NOT NULL,
  host_id uuid NOT NULL,
  slot text,
  from_at timestamptz(3) NOT NULL,
  until_at timestamptz(3),
  CONSTRAINT drive_stay_pkey PRIMARY KEY (id)
);
CREATE INDEX drive_stay_drive_id_from_at_idx ON drive_stay(drive_id, from_at);
CREATE INDEX drive_stay_host_id_idx ON drive_stay(host_id);
CREATE UNIQUE INDEX drive_stay_open ON drive_stay (host_id, drive_id) WHERE until_at IS NULL;

CREATE TABLE drive_probe (
  id bigserial,
  reclamation_id uuid NOT NULL,
  host_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  serial text NOT NULL,
  model text NOT NULL,
  firmware text,
  technique text NOT NULL,
  places integer NOT NULL,
  remnants integer NOT NULL,
  tallied boolean NOT NULL DEFAULT false,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT drive_probe_pkey PRIMARY KEY (id)
);
CREATE INDEX drive_probe_reclamation_id_idx ON drive_probe(reclamation_id);
CREATE INDEX drive_probe_serial_idx ON drive_probe(serial);
CREATE INDEX drive_probe_untallied ON drive_probe (id) WHERE NOT tallied;

CREATE TABLE drive_model_erase (
  model text NOT NULL,
  firmware text NOT NULL,
  technique text NOT NULL,
  media text,
  runs integer NOT NULL DEFAULT 0,
  completed integer NOT NULL DEFAULT 0,
  stalls integer NOT NULL DEFAULT 0,
  lies integer NOT NULL DEFAULT 0,
  probed integer NOT NULL DEFAULT 0,
  refuted integer NOT NULL DEFAULT 0,
  canaries bigint NOT NULL DEFAULT 0,
  remnants bigint NOT NULL DEFAULT 0,
  durations integer[] DEFAULT ARRAY[]::integer[],
  longest_ms bigint NOT NULL DEFAULT 0,
  first_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT drive_model_erase_pkey PRIMARY KEY (model, firmware, technique)
);

CREATE TABLE drive_model_host (
  model text NOT NULL,
  firmware text NOT NULL,
  technique text NOT NULL,
  host_id uuid NOT NULL,
  CONSTRAINT drive_model_host_pkey PRIMARY KEY (model, firmware, technique, host_id)
);

-- Tables of enrolment

-- Hosts that were enrolled together (docs/enrolment.md).
CREATE TABLE enrolment (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  by_id uuid,
  by_name text NOT NULL,
  goal text NOT NULL,
  first_contact text NOT NULL,
  file_name text,
  CONSTRAINT enrolment_pkey PRIMARY KEY (id)
);
CREATE INDEX enrolment_at_idx ON enrolment(at);

CREATE TABLE enrolment_line (
  enrolment_id uuid NOT NULL,
  line integer NOT NULL,
  name text,
  host_id uuid,
  faults jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT enrolment_line_pkey PRIMARY KEY (enrolment_id, line)
);
CREATE INDEX enrolment_line_host_id_idx ON enrolment_line(host_id);

-- Tables of evidence

-- Files of evidence (docs/adr/0103-certificates.md).
CREATE TABLE evidence_blob (
  sha256 text NOT NULL,
  bytes integer NOT NULL,
  place text NOT NULL,
  complete boolean NOT NULL DEFAULT false,
  touched_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT evidence_blob_pkey PRIMARY KEY (sha256),
  CONSTRAINT evidence_blob_bytes_check CHECK (((bytes >= 1) AND (bytes <= 26214400))),
  CONSTRAINT evidence_blob_place_check CHECK ((place = ANY (ARRAY['database'::text, 's3'::text]))),
  CONSTRAINT evidence_blob_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE evidence_chunk (
  sha256 text NOT NULL,
  n integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT evidence_chunk_pkey PRIMARY KEY (sha256, n)
);
ALTER TABLE evidence_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE evidence_file (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  sha256 text NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  bytes integer NOT NULL,
  tenant_id uuid,
  uploaded_by uuid NOT NULL,
  uploaded_by_name text NOT NULL,
  uploaded_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  kept_at timestamptz(3),
  held_at timestamptz(3),
  held_by text,
  held_reason text,
  CONSTRAINT evidence_file_pkey PRIMARY KEY (id),
  CONSTRAINT evidence_file_name_check CHECK (((name !~ '[/\\]'::text) AND ((length(name) >= 1) AND (length(name) <= 120))))
);
CREATE UNIQUE INDEX evidence_file_whose ON evidence_file (sha256, (coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'::uuid)));
CREATE INDEX evidence_file_sha256_idx ON evidence_file (sha256);
CREATE INDEX evidence_file_uploaded_at_idx ON evidence_file (uploaded_at);
-- What housekeeping and the limit of a tenant look for is a small part of a table that only grows.
CREATE INDEX evidence_file_unused ON evidence_file (uploaded_at) WHERE kept_at IS NULL AND held_at IS NULL;

-- Tables of health

CREATE TABLE health_report (
  host_id uuid NOT NULL,
  source text NOT NULL,
  mode text NOT NULL,
  observed_at timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  body jsonb NOT NULL,
  reported_by text NOT NULL,
  heartbeat_seconds integer,
  silent_at timestamptz(3),
  silent_since timestamptz(3),
  CONSTRAINT health_report_pkey PRIMARY KEY (host_id, source, mode),
  CONSTRAINT health_report_mode_check CHECK ((mode = ANY (ARRAY['merge'::text, 'replace'::text])))
);
CREATE UNIQUE INDEX health_report_replacing_key ON health_report (host_id) WHERE mode = 'replace';
CREATE INDEX health_report_silent_at_idx ON health_report (silent_at) WHERE silent_since IS NULL AND silent_at IS NOT NULL;
-- The hosts that ask for a repair, among those of every report.
CREATE INDEX health_report_repair ON health_report(host_id) WHERE source IN ('tenant-reported-issue', 'repair-request') AND mode = 'merge';

CREATE TABLE host_health (
  host_id uuid NOT NULL,
  level text NOT NULL DEFAULT 'healthy',
  alerts integer NOT NULL DEFAULT 0,
  first_alert text,
  alert_ids text[] NOT NULL DEFAULT '{}'::text[],
  classifications text[] NOT NULL DEFAULT '{}'::text[],
  replaced_by text,
  paged boolean NOT NULL DEFAULT false,
  shown jsonb NOT NULL DEFAULT '{"alerts": [], "successes": []}',
  observed_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT host_health_pkey PRIMARY KEY (host_id),
  CONSTRAINT host_health_level_check CHECK ((level = ANY (ARRAY['healthy'::text, 'alerts'::text, 'blocked'::text])))
);
CREATE INDEX host_health_names ON host_health USING gin ((alert_ids || classifications));

CREATE TABLE health_change (
  id bigserial,
  host_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  source text NOT NULL,
  mode text NOT NULL,
  kind text NOT NULL,
  body jsonb,
  by text NOT NULL,
  reason text,
  CONSTRAINT health_change_pkey PRIMARY KEY (id),
  CONSTRAINT health_change_kind_check CHECK ((kind = ANY (ARRAY['set'::text, 'removed'::text, 'silent'::text]))),
  CONSTRAINT health_change_mode_check CHECK ((mode = ANY (ARRAY['merge'::text, 'replace'::text])))
);
CREATE INDEX health_change_host_id_id_idx ON health_change (host_id, id);
CREATE INDEX health_change_at_idx ON health_change (at);

CREATE TABLE health_source (
  id uuid NOT NULL,
  name text NOT NULL,
  site_id uuid,
  hash bytea NOT NULL,
  heartbeat_seconds integer,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by text NOT NULL,
  last_used_at timestamptz(3),
  CONSTRAINT health_source_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX health_source_name_key ON health_source (name);
CREATE UNIQUE INDEX health_source_hash_key ON health_source (hash);

-- Which names alerts and classifications have, so that a filter compares a few names and not those of each host (docs/benchmarks.md#health).
CREATE TABLE alert_name (
  name text NOT NULL,
  CONSTRAINT alert_name_pkey PRIMARY KEY (name)
);

-- Tables of host

CREATE TABLE host (
  id uuid NOT NULL,
  name text NOT NULL,
  site_id uuid NOT NULL,
  rack text,
  slot text,
  sku_id uuid,
  hardware_type text NOT NULL,
  manufacturer text,
  model text,
  serial text,
  system_uuid uuid,
  macs text[] DEFAULT ARRAY[]::text[],
  bmc_address text,
  bmc_username text,
  bmc_password bytea,
  bmc_links jsonb,
  bmc_session jsonb,
  network_interfaces text[] DEFAULT ARRAY[]::text[],
  labels jsonb NOT NULL DEFAULT '{}',
  power_state text,
  power_read_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  automated_clean boolean,
  network_segment text,
  power_domain text,
  traits text[] DEFAULT ARRAY[]::text[],
  description text,
  lessee text,
  owner text,
  protected boolean NOT NULL DEFAULT false,
  protected_reason text,
  resource_class text,
  retired boolean NOT NULL DEFAULT false,
  retired_reason text,
  updated_at timestamptz(3),
  expected_serial text,
  expected_system_uuid uuid,
  hardware_type_open boolean NOT NULL DEFAULT false,
  bmc_credential_id uuid,
  bmc_certificate text,
  certificate_seen jsonb,
  first_contact_accepted boolean NOT NULL DEFAULT false,
  power_asked_at timestamptz(3),
  bmc_system text NOT NULL DEFAULT '',
  CONSTRAINT host_pkey PRIMARY KEY (id),
  CONSTRAINT bmc_certificate_is_sha256 CHECK (bmc_certificate ~ '^[0-9a-f]{64}$'),
  -- Its serial and system UUID are made of its own id: no debt, no erase and no agent of a machine finds a fake host, and none of its records finds a machine.
  CONSTRAINT host_fake_identity CHECK (
  CASE WHEN hardware_type = 'fake' THEN coalesce(serial, 'fake-' || id::text) = 'fake-' || id::text AND coalesce(system_uuid, id) = id
       ELSE coalesce(serial, '') NOT LIKE 'fake-%' END),
  -- A host without an interface to acknowledge would be on the admin network by having nothing to ask.
  CONSTRAINT host_has_interfaces CHECK (serial IS NULL OR hardware_type = 'fake' OR coalesce(cardinality(network_interfaces), 0) > 0)
);
CREATE UNIQUE INDEX host_name_key ON host(name);
CREATE UNIQUE INDEX host_serial_key ON host(serial);
CREATE UNIQUE INDEX host_system_uuid_key ON host(system_uuid);
CREATE INDEX host_site_id_idx ON host(site_id);
CREATE INDEX host_rack_idx ON host(rack);
CREATE INDEX host_sku_id_idx ON host(sku_id);
-- A host that boots is looked up by one of its MACs.
CREATE INDEX host_macs_idx ON host USING GIN (macs);
-- Lists of nodes are in the order of enrolment, and leave out nodes that belong to another node.
CREATE INDEX host_created_at_id_idx ON host(created_at, id);
CREATE INDEX host_bmc_credential_id_idx ON host(bmc_credential_id);
CREATE UNIQUE INDEX host_bmc_address_bmc_system_key ON host(bmc_address, bmc_system);
-- By the beginning of a name or serial number. Unlike a plain index, one with this operator class serves LIKE in a database of any collation.
CREATE INDEX host_name_lower ON host (lower(name) text_pattern_ops);
CREATE INDEX host_serial_lower ON host (lower(serial) text_pattern_ops);
-- Every page of the console asks which hosts are not cleaned automatically.
CREATE INDEX host_not_cleaned ON host (id) WHERE automated_clean = false;

CREATE TABLE host_run (
  host_id uuid NOT NULL,
  site_id uuid NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  state_version bigint NOT NULL DEFAULT 1,
  state_since timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  limit_at timestamptz(3),
  context jsonb NOT NULL DEFAULT '{}',
  wait_reason text,
  last_error text,
  due_at timestamptz(6),
  wake_seq bigint NOT NULL DEFAULT 0,
  lease_owner uuid,
  lease_until timestamptz(3),
  generation bigint NOT NULL DEFAULT 0,
  boot_epoch integer NOT NULL DEFAULT 0,
  allocatable boolean NOT NULL DEFAULT false,
  evidence_seq bigint NOT NULL DEFAULT 0,
  maintenance boolean NOT NULL DEFAULT false,
  maintenance_reason text,
  maintenance_by text,
  reclamation_id uuid,
  instance_id uuid,
  tenant_id uuid,
  clean_step text,
  clean_percent double precision,
  clean_message text,
  command jsonb,
  command_epoch integer,
  erasing boolean NOT NULL DEFAULT false,
  boot_held boolean NOT NULL DEFAULT false,
  touched boolean NOT NULL DEFAULT false,
  touch_uncovered boolean NOT NULL DEFAULT true,
  touched_reason text,
  health jsonb,
  outside_lease uuid,
  maintenance_people uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT host_run_pkey PRIMARY KEY (host_id),
  -- The last line of defence: whoever writes it, a host that was touched is not allocated.
  CONSTRAINT touched_not_allocatable CHECK (NOT (allocatable AND touched))
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0, fillfactor=50);
CREATE INDEX host_run_site_state ON host_run (site_id, state) INCLUDE (limit_at, maintenance, allocatable);
CREATE INDEX host_run_name ON host_run (name);
CREATE INDEX host_run_since ON host_run (state_since, host_id);
CREATE INDEX host_run_tenant ON host_run (tenant_id) WHERE tenant_id IS NOT NULL;
CREATE INDEX host_run_due ON host_run (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX host_run_outside_lease_idx ON host_run (outside_lease) WHERE outside_lease IS NOT NULL;

CREATE TABLE host_inventory (
  host_id uuid NOT NULL,
  source text NOT NULL,
  boot_epoch integer NOT NULL DEFAULT 0,
  collected_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  body jsonb NOT NULL,
  left_out text[] DEFAULT ARRAY[]::text[],
  bios jsonb,
  bios_read_at timestamptz(3),
  bmc_settings jsonb,
  CONSTRAINT host_inventory_pkey PRIMARY KEY (host_id, source)
) WITH (fillfactor=60);
-- The palette finds a host by the serial number of a drive (server/usecases/search/search-all.ts): by this index, not by reading every inventory.
CREATE INDEX host_inventory_storage ON host_inventory USING gin ((body -> 'storage') jsonb_path_ops);

CREATE TABLE state_history (
  host_id uuid NOT NULL,
  version bigint NOT NULL,
  state text NOT NULL,
  reason text,
  reclamation_id uuid,
  generation bigint NOT NULL,
  controller_id uuid,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  causes jsonb,
  CONSTRAINT state_history_pkey PRIMARY KEY (host_id, version)
);
CREATE INDEX state_history_reclamation_id_idx ON state_history(reclamation_id);
CREATE INDEX state_history_at ON state_history USING brin (at);
-- Failures are a small part of the history of states.
CREATE INDEX state_history_failed ON state_history (at) WHERE state LIKE 'Failed/%';
-- What hosts stopped for, by drive.
CREATE INDEX state_history_causes ON state_history USING gin (causes jsonb_path_ops) WHERE causes IS NOT NULL;

CREATE TABLE signal (
  id bigserial,
  host_id uuid NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT signal_pkey PRIMARY KEY (id)
) WITH (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);
CREATE INDEX signal_host_id_id_idx ON signal(host_id, id);

CREATE TABLE effect (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  generation bigint NOT NULL,
  kind text NOT NULL,
  request jsonb NOT NULL,
  request_hash text NOT NULL,
  status text NOT NULL DEFAULT 'written',
  permit_at timestamptz(3),
  settled_at timestamptz(3),
  result jsonb,
  read_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  held_until timestamptz(3),
  CONSTRAINT effect_pkey PRIMARY KEY (id)
) WITH (fillfactor=50);
CREATE INDEX effect_host_id_created_at_idx ON effect(host_id, created_at);
CREATE INDEX effect_unread ON effect (host_id) WHERE read_at IS NULL;
-- What `server/db/retention.ts` looks for: by time, in tables that only grow at their end. A BRIN index costs an insert almost nothing.
CREATE INDEX effect_created ON effect USING brin (created_at);

-- What people stated instead of a recheck.
CREATE TABLE untouched_statement (
  id bigserial,
  host_id uuid NOT NULL,
  host_serial text,
  state text NOT NULL,
  maintenance_reason text,
  reason text NOT NULL,
  person_id uuid,
  person_name text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT untouched_statement_pkey PRIMARY KEY (id)
);
CREATE INDEX untouched_statement_host_id_at_idx ON untouched_statement (host_id, at);

-- Decommission, and the record of every host that is gone (docs/adr/0059-decommission.md).
CREATE TABLE gone_host (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  host_id uuid NOT NULL,
  name text NOT NULL,
  serial text,
  system_uuid uuid,
  manufacturer text,
  model text,
  hardware_type text NOT NULL,
  sku text,
  site text NOT NULL,
  rack text,
  slot text,
  bmc_address text,
  macs text[] NOT NULL DEFAULT ARRAY[]::text[],
  how text NOT NULL,
  reason text,
  by_id uuid,
  by_name text,
  leftovers jsonb NOT NULL DEFAULT '[]',
  reclamation_id uuid,
  enrolled_at timestamptz(3) NOT NULL,
  gone_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT gone_host_pkey PRIMARY KEY (id),
  CONSTRAINT gone_host_how CHECK (how IN ('decommissioned', 'deleted'))
);
CREATE INDEX gone_host_gone_at_id_idx ON gone_host(gone_at, id);
CREATE INDEX gone_host_host_id_idx ON gone_host(host_id);
CREATE INDEX gone_host_name_idx ON gone_host(name);
CREATE INDEX gone_host_serial_idx ON gone_host(serial);
CREATE INDEX gone_host_name_lower ON gone_host (lower(name) text_pattern_ops);
CREATE INDEX gone_host_serial_lower ON gone_host (lower(serial) text_pattern_ops);

-- What the BMC of a host that waits in Ready showed last, so that a change ends its proof (docs/adr/0121-ready-lasts.md).
CREATE TABLE ready_watch (
  host_id uuid NOT NULL,
  reclamation_id uuid NOT NULL,
  reading jsonb,
  since timestamptz(3) NOT NULL DEFAULT now(),
  read_at timestamptz(3),
  failing_since timestamptz(3),
  failure text,
  CONSTRAINT ready_watch_pkey PRIMARY KEY (host_id)
);

-- Tables of instance

CREATE TABLE instance (
  id uuid NOT NULL,
  name text NOT NULL,
  tenant_id uuid NOT NULL,
  host_id uuid NOT NULL,
  labels jsonb NOT NULL DEFAULT '{}',
  description text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ready_at timestamptz(3),
  release_requested_at timestamptz(3),
  released_by uuid,
  ended_at timestamptz(3),
  network jsonb,
  repair_release boolean NOT NULL DEFAULT false,
  drive_serials text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT instance_pkey PRIMARY KEY (id)
);
CREATE INDEX instance_tenant_id_created_at_idx ON instance(tenant_id, created_at);
CREATE INDEX instance_host_id_idx ON instance(host_id);
-- A claim wins or loses here: one open instance per host.
CREATE UNIQUE INDEX instance_open_on_host ON instance (host_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX instance_open_name ON instance (tenant_id, name) WHERE ended_at IS NULL;
CREATE INDEX instance_drives_held ON instance USING gin (drive_serials) WHERE ended_at IS NULL;
CREATE INDEX instance_name_lower ON instance (lower(name) text_pattern_ops);
-- The proof desk's search of a tenant's month reads the releases of that month, not all instances that the tenant ever had
-- (server/usecases/proof/hundred-thousand-returns.itest.ts). As in `returns` (server/usecases/proof/returns-sql.ts).
CREATE INDEX instance_tenant_returned ON instance (tenant_id, (coalesce(release_requested_at, ended_at))) WHERE release_requested_at IS NOT NULL OR ended_at IS NOT NULL;

CREATE TABLE instance_status_history (
  id bigserial,
  instance_id uuid NOT NULL,
  status text NOT NULL,
  message text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT instance_status_history_pkey PRIMARY KEY (id)
);
CREATE INDEX instance_status_history_instance_id_id_idx ON instance_status_history(instance_id, id);

CREATE TABLE network_resource (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  kind text NOT NULL,
  value text NOT NULL,
  released_at timestamptz(3),
  CONSTRAINT network_resource_pkey PRIMARY KEY (id)
);
CREATE INDEX network_resource_host_id_idx ON network_resource(host_id);

CREATE TABLE network_ack (
  host_id uuid NOT NULL,
  interface text NOT NULL,
  version integer NOT NULL,
  sha256 text NOT NULL,
  extension_services text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT network_ack_pkey PRIMARY KEY (host_id, interface)
);

CREATE TABLE debt (
  id uuid NOT NULL,
  chassis_serial text NOT NULL,
  drive_serials text[],
  instance_id uuid,
  tenant_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  cleared_at timestamptz(3),
  cleared_by uuid,
  cleared_note text,
  CONSTRAINT debt_pkey PRIMARY KEY (id),
  CONSTRAINT debt_cleared_by_reclamation CHECK ((cleared_at IS NULL) = (cleared_by IS NULL))
);
CREATE INDEX debt_chassis_serial_idx ON debt(chassis_serial);
CREATE INDEX debt_standing ON debt (chassis_serial) WHERE cleared_at IS NULL;
CREATE INDEX debt_standing_drives ON debt USING gin (drive_serials) WITH (fastupdate = off) WHERE cleared_at IS NULL;

-- Deleting a host does not end an erase on its drives: how long one may go on is kept by chassis serial.
CREATE TABLE chassis_erase (
  chassis_serial text NOT NULL,
  erase_until timestamptz(3) NOT NULL,
  CONSTRAINT chassis_erase_pkey PRIMARY KEY (chassis_serial)
);

-- What people state of drives that are owed or expected and that nobody finds (docs/adr/0023-drive-dispositions.md).
CREATE TABLE drive_disposition (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  chassis_serial text NOT NULL,
  key text NOT NULL,
  model text NOT NULL DEFAULT '',
  slot text,
  kind text NOT NULL,
  reason text NOT NULL,
  by_id uuid,
  by_name text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  reclamation_id uuid,
  withdrawn_at timestamptz(3),
  withdrawn_by uuid,
  withdrawn_reason text,
  approval_id uuid,
  CONSTRAINT drive_disposition_pkey PRIMARY KEY (id),
  CONSTRAINT drive_disposition_kind CHECK (kind IN ('removed-destroyed', 'removed-returned', 'removed-quarantined', 'misread')),
  CONSTRAINT drive_disposition_misread_slot CHECK (kind <> 'misread' OR slot IS NOT NULL),
  CONSTRAINT drive_disposition_reason CHECK (btrim(reason) <> '')
);
-- One standing statement of a drive of a chassis, found by chassis and, wherever the drive turns up again, by the drive.
CREATE UNIQUE INDEX drive_disposition_standing ON drive_disposition (chassis_serial, key) WHERE withdrawn_at IS NULL;
CREATE INDEX drive_disposition_drive ON drive_disposition (key) WHERE withdrawn_at IS NULL;
CREATE INDEX drive_disposition_host_id_idx ON drive_disposition(host_id);
CREATE INDEX drive_disposition_key ON drive_disposition (key);
CREATE UNIQUE INDEX drive_disposition_approval_id_key ON drive_disposition (approval_id);

-- Tables of node

CREATE TABLE node_record (
  host_id uuid NOT NULL,
  driver_info jsonb NOT NULL DEFAULT '{}',
  properties jsonb NOT NULL DEFAULT '{}',
  extra jsonb NOT NULL DEFAULT '{}',
  instance_info jsonb NOT NULL DEFAULT '{}',
  network_data jsonb NOT NULL DEFAULT '{}',
  interfaces jsonb NOT NULL DEFAULT '{}',
  instance_name text,
  conductor_group text NOT NULL DEFAULT '',
  chassis_uuid uuid,
  shard text,
  parent_node uuid,
  disable_power_off boolean NOT NULL DEFAULT false,
  CONSTRAINT node_record_pkey PRIMARY KEY (host_id)
);
CREATE UNIQUE INDEX node_record_instance_name_key ON node_record(instance_name);
CREATE INDEX node_record_children ON node_record (parent_node, host_id) WHERE parent_node IS NOT NULL;

CREATE TABLE node_port (
  id uuid NOT NULL,
  host_id uuid NOT NULL,
  address text NOT NULL,
  name text,
  description text,
  extra jsonb NOT NULL DEFAULT '{}',
  local_link_connection jsonb NOT NULL DEFAULT '{}',
  physical_network text,
  pxe_enabled boolean NOT NULL DEFAULT true,
  is_smartnic boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamptz(3),
  CONSTRAINT node_port_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX node_port_address_key ON node_port(address);
CREATE UNIQUE INDEX node_port_name_key ON node_port(name);
CREATE INDEX node_port_host_id_idx ON node_port(host_id);

-- Tables of operations

CREATE TABLE controller (
  id uuid NOT NULL,
  name text NOT NULL,
  pid integer NOT NULL,
  lock_key bigserial,
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT controller_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX controller_lock_key_key ON controller(lock_key);

CREATE TABLE feed (
  id bigserial,
  xid bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  host_id uuid,
  tenant_id uuid,
  what text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT feed_pkey PRIMARY KEY (id)
);
CREATE INDEX feed_xid_id_idx ON feed(xid, id);
CREATE INDEX feed_at ON feed USING brin (at);

CREATE TABLE audit_event (
  id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  actor_kind text NOT NULL,
  actor_id text,
  actor_name text,
  action text NOT NULL,
  target_kind text,
  target_id text,
  tenant_id uuid,
  request_id text,
  address text,
  outcome text NOT NULL,
  before jsonb,
  after jsonb,
  body_hash bytea,
  CONSTRAINT audit_event_pkey PRIMARY KEY (id),
  -- An entry of the log has at most 65,535 bytes. Facts that are longer are logged by their digests; the other texts must fit, escaped, too.
  CONSTRAINT audit_event_texts_fit CHECK (
  octet_length(concat(actor_kind, actor_id, actor_name, action, target_kind, target_id, request_id, address, outcome)) <= 10000
)
);
CREATE INDEX audit_event_at_idx ON audit_event(at);
CREATE INDEX audit_event_target_id_idx ON audit_event(target_id);

-- What the database knows of itself, in one row: which key its secrets are sealed with, and whether `npm start` made its data (docs/adr/0018-what-a-database-knows-of-itself.md).
CREATE TABLE database_state (
  id integer NOT NULL DEFAULT 1,
  key_fingerprint text,
  demo text,
  lineage uuid NOT NULL DEFAULT gen_random_uuid(),
  epoch integer NOT NULL DEFAULT 1,
  sequence bigint NOT NULL DEFAULT 0,
  confirmed_until timestamptz(3),
  stopped_at timestamptz(3),
  stopped_cause text,
  stopped_message text,
  seen_epoch integer NOT NULL DEFAULT 0,
  CONSTRAINT database_state_pkey PRIMARY KEY (id),
  CONSTRAINT database_state_demo CHECK (demo IN ('people', 'fleet')),
  CONSTRAINT database_state_one_row CHECK (id = 1),
  CONSTRAINT database_state_stopped CHECK ((stopped_at IS NULL) = (stopped_cause IS NULL) AND (stopped_at IS NULL) = (stopped_message IS NULL))
);

-- Until when agents could have reached a server that reached this database. One row; no row: nobody has listened yet (docs/adr/0022-durations-travel.md).
CREATE TABLE listening (
  one boolean NOT NULL DEFAULT true,
  until timestamptz(3) NOT NULL,
  since timestamptz(3) NOT NULL,
  CONSTRAINT listening_pkey PRIMARY KEY (one),
  CONSTRAINT listening_one_check CHECK (one)
) WITH (fillfactor=50);

-- What the fleet page compares with: counts of hosts over time, and failures over time by cause.
CREATE TABLE fleet_sample (
  id bigserial,
  at timestamptz(3) NOT NULL,
  site_id uuid NOT NULL,
  sku_id uuid,
  tenant_id uuid,
  ready integer NOT NULL,
  coming_back integer NOT NULL,
  need_person integer NOT NULL,
  CONSTRAINT fleet_sample_pkey PRIMARY KEY (id)
);
-- One row per moment and group, whichever of the servers writes it first.
CREATE UNIQUE INDEX fleet_sample_at ON fleet_sample (at, site_id, sku_id, tenant_id) NULLS NOT DISTINCT;

-- Until when agents could have reached a server at each address that they use (docs/adr/0134-listening-per-address.md). The row of
-- "listening" stays: it says when the database's clock was set.
CREATE TABLE listening_address (
  address text NOT NULL,
  until timestamptz(3) NOT NULL,
  CONSTRAINT listening_address_pkey PRIMARY KEY (address)
) WITH (fillfactor=50);

-- The servers that an agent was heard at lately. While there is one, only such a server says that agents reach the address.
CREATE TABLE listening_server (
  address text NOT NULL,
  server text NOT NULL,
  heard_at timestamptz(3) NOT NULL,
  CONSTRAINT listening_server_pkey PRIMARY KEY (address, server)
) WITH (fillfactor=50);

-- Tables of reclamation

CREATE TABLE reclamation (
  id uuid NOT NULL,
  number bigserial,
  host_id uuid NOT NULL,
  host_serial text NOT NULL,
  kind text NOT NULL,
  instance_id uuid,
  tenant_id uuid,
  requested_by uuid,
  request_id text,
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  queued_at timestamptz(3),
  admitted_at timestamptz(3),
  limit_at timestamptz(3),
  stopped_at timestamptz(3),
  stopped_cause text,
  stopped_in text,
  message text,
  ended_at timestamptz(3),
  outcome text,
  policy_version integer NOT NULL,
  policy jsonb NOT NULL,
  devices jsonb,
  plan jsonb,
  plan_epoch integer NOT NULL DEFAULT 0,
  runbook_id uuid,
  runbook_name text,
  bulk_id uuid,
  paused_ms bigint NOT NULL DEFAULT 0,
  paused_at timestamptz(3),
  policy_key text,
  content jsonb,
  content_read jsonb,
  standing text,
  CONSTRAINT reclamation_pkey PRIMARY KEY (id),
  -- No controller takes a host that leaves back into allocation.
  CONSTRAINT decommission_is_not_ready CHECK (kind <> 'decommission' OR outcome IS DISTINCT FROM 'ready'),
  -- A manual cleaning is never what makes a host Ready.
  CONSTRAINT manual_is_not_ready CHECK (kind <> 'manualCleaning' OR outcome IS DISTINCT FROM 'ready'),
  CONSTRAINT reclamation_standing_check CHECK (standing IN ('proven', 'provenWithExceptions', 'notSanitized', 'notProven', 'notChecked'))
) WITH (fillfactor=60);
CREATE UNIQUE INDEX reclamation_number_key ON reclamation(number);
CREATE INDEX reclamation_host_id_started_at_idx ON reclamation(host_id, started_at);
CREATE INDEX reclamation_open_on_host ON reclamation (host_id) WHERE ended_at IS NULL;
CREATE INDEX reclamation_ended ON reclamation (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX reclamation_bulk_id_idx ON reclamation(bulk_id);
CREATE INDEX reclamation_standing_ended ON reclamation (standing, ended_at) WHERE ended_at IS NOT NULL;
-- The proof desk pages through returns by the time at which they began, of all or of one tenant (docs/adr/0125-proof-desk.md). The index by tenant
-- replaces the one that had the tenant alone, so that a release writes one index entry more, not two.
CREATE INDEX reclamation_started_at_id_idx ON reclamation (started_at, id);
CREATE INDEX reclamation_tenant_id_started_at_id_idx ON reclamation (tenant_id, started_at, id);
-- By standing, the newest first, and counted from the index alone. As in `returns` (server/usecases/proof/returns-sql.ts).
CREATE INDEX reclamation_standing ON reclamation ((coalesce(standing, 'notProven')), started_at, id) WHERE kind <> 'manualCleaning';
-- Which releases began a reclamation, and the returns of an instance.
CREATE INDEX reclamation_instance ON reclamation (instance_id, host_id) WHERE kind <> 'manualCleaning';

CREATE TABLE step_run (
  id uuid NOT NULL,
  reclamation_id uuid NOT NULL,
  host_id uuid NOT NULL,
  plan_epoch integer NOT NULL,
  position integer NOT NULL,
  interface text NOT NULL,
  step text NOT NULL,
  "where" text NOT NULL,
  priority integer NOT NULL,
  priority_source text NOT NULL,
  args jsonb NOT NULL DEFAULT '{}',
  proves text[],
  status text NOT NULL DEFAULT 'planned',
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  deadline_at timestamptz(3),
  message text,
  abortable boolean NOT NULL DEFAULT false,
  time_limit_ms integer,
  CONSTRAINT step_run_pkey PRIMARY KEY (id)
) WITH (fillfactor=70);
CREATE INDEX step_run_host_id_idx ON step_run(host_id);
CREATE UNIQUE INDEX step_run_reclamation_id_plan_epoch_position_key ON step_run(reclamation_id, plan_epoch, position);

CREATE TABLE step_attempt (
  step_run_id uuid NOT NULL,
  attempt integer NOT NULL,
  boot_epoch integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3),
  report jsonb,
  report_hash text,
  reported_at timestamptz(3),
  progress jsonb,
  progress_at timestamptz(3),
  sequence integer NOT NULL DEFAULT 0,
  journal jsonb NOT NULL DEFAULT '[]',
  verdict text,
  message text,
  erase_ends jsonb NOT NULL DEFAULT '{}',
  moved_at timestamptz(3),
  moved_mark text,
  causes jsonb,
  CONSTRAINT step_attempt_pkey PRIMARY KEY (step_run_id, attempt)
) WITH (fillfactor=60);
CREATE INDEX step_attempt_started ON step_attempt USING brin (started_at);

CREATE TABLE device_result (
  id bigserial,
  reclamation_id uuid NOT NULL,
  host_id uuid NOT NULL,
  step_run_id uuid NOT NULL,
  attempt integer NOT NULL,
  plan_epoch integer NOT NULL,
  serial text NOT NULL,
  model text NOT NULL,
  media text NOT NULL,
  technique text,
  standard text NOT NULL,
  level text NOT NULL,
  technique_table integer NOT NULL,
  verdict text NOT NULL,
  reason text NOT NULL,
  report jsonb NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  tallied boolean NOT NULL DEFAULT false,
  CONSTRAINT device_result_pkey PRIMARY KEY (id)
);
CREATE INDEX device_result_reclamation_id_idx ON device_result(reclamation_id);
CREATE INDEX device_result_serial_idx ON device_result(serial);
-- What is not counted yet.
CREATE INDEX device_result_untallied ON device_result (id) WHERE NOT tallied;

CREATE TABLE gate (
  reclamation_id uuid NOT NULL,
  gate text NOT NULL,
  status text NOT NULL,
  reason text NOT NULL,
  evidence jsonb NOT NULL,
  generation bigint NOT NULL,
  evidence_seq bigint NOT NULL,
  evaluated_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT gate_pkey PRIMARY KEY (reclamation_id, gate)
);

CREATE TABLE agent_log (
  id bigserial,
  reclamation_id uuid,
  host_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  sequence integer NOT NULL,
  text text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT agent_log_pkey PRIMARY KEY (id)
);
CREATE INDEX agent_log_reclamation_id_idx ON agent_log(reclamation_id);
CREATE UNIQUE INDEX agent_log_host_id_boot_epoch_sequence_key ON agent_log(host_id, boot_epoch, sequence);
CREATE INDEX agent_log_at ON agent_log USING brin (at);

-- Boots of reclamations whose own records are past their retention: evidence, kept for good (docs/adr/0034-boots-are-evidence.md).
CREATE TABLE reclamation_boot (
  reclamation_id uuid NOT NULL,
  boot_epoch integer NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  reset_done_at timestamptz(3),
  contested_at timestamptz(3),
  registered_at timestamptz(3),
  last_seen_at timestamptz(3),
  identity jsonb,
  agent_version text,
  hardware_managers jsonb,
  image_version text,
  image_sha256 text,
  CONSTRAINT reclamation_boot_pkey PRIMARY KEY (reclamation_id, boot_epoch)
);

-- The digest of the history of each reclamation that ends (docs/adr/0101-audit-log.md).
CREATE TABLE history_digest_due (
  reclamation_id uuid NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  trouble text,
  CONSTRAINT history_digest_due_pkey PRIMARY KEY (reclamation_id)
);

-- Tables of repair

-- Repairs as records (docs/adr/0097-repairs-are-records.md).
CREATE TABLE repair (
  id uuid NOT NULL,
  instance_id uuid NOT NULL,
  host_id uuid NOT NULL,
  host_name text NOT NULL,
  tenant_id uuid NOT NULL,
  claimed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  released_at timestamptz(3),
  outcome text,
  ticket text,
  summary text,
  issue_category text,
  issue_summary text,
  issue_details text,
  asked_at timestamptz(3),
  new_issue text,
  CONSTRAINT repair_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX repair_instance_id_key ON repair(instance_id);
CREATE INDEX repair_host_id_released_at_idx ON repair(host_id, released_at);
CREATE INDEX repair_tenant_id_released_at_idx ON repair(tenant_id, released_at);
CREATE INDEX repair_released_at_idx ON repair(released_at);

-- Tables of security-event

-- What outsiders and machines tried, with repeats merged (docs/security.md#security-events).
CREATE TABLE security_event (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  host_id uuid,
  host_name text,
  site_id uuid,
  address text NOT NULL,
  others text,
  tried text[] NOT NULL,
  paths text[] NOT NULL,
  hour timestamptz(3) NOT NULL,
  first_at timestamptz(3) NOT NULL DEFAULT now(),
  last_at timestamptz(3) NOT NULL DEFAULT now(),
  count bigint NOT NULL DEFAULT 1,
  merge_key text NOT NULL,
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  note text,
  CONSTRAINT security_event_pkey PRIMARY KEY (id),
  CONSTRAINT security_event_acknowledged_check CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL)),
  CONSTRAINT security_event_others_check CHECK (others IN ('addresses', 'hosts'))
);
-- What repeats after somebody acknowledged it is a new event.
CREATE UNIQUE INDEX security_event_merge_key_key ON security_event(merge_key) WHERE acknowledged_at IS NULL;
CREATE INDEX security_event_kind_hour_host_id_idx ON security_event(kind, hour, host_id);
CREATE INDEX security_event_kind_hour_address_idx ON security_event(kind, hour, address);
CREATE INDEX security_event_host_id_last_at_idx ON security_event(host_id, last_at);
CREATE INDEX security_event_last_at_id_idx ON security_event(last_at, id);

-- Tables of site

CREATE TABLE site (
  id uuid NOT NULL,
  name text NOT NULL,
  demo boolean NOT NULL DEFAULT false,
  label text,
  policy_version integer NOT NULL DEFAULT 1,
  network_url text,
  network_token bytea,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  bmc_trust text NOT NULL DEFAULT 'pinOrAuthority',
  authorities jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT site_pkey PRIMARY KEY (id),
  CONSTRAINT bmc_trust_is_known CHECK (bmc_trust IN ('pinOrAuthority', 'pin', 'authority'))
);
CREATE UNIQUE INDEX site_name_key ON site(name);

CREATE TABLE site_policy (
  site_id uuid NOT NULL,
  version integer NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_by uuid,
  CONSTRAINT site_policy_pkey PRIMARY KEY (site_id, version)
);

CREATE TABLE sku (
  id uuid NOT NULL,
  name text NOT NULL,
  components jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT sku_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX sku_name_key ON sku(name);

-- Versions of a site's document (docs/adr/0048-site-document.md).
CREATE TABLE site_version (
  site_id uuid NOT NULL,
  version integer NOT NULL,
  document jsonb NOT NULL,
  changes jsonb NOT NULL,
  reason text NOT NULL,
  by_id uuid,
  by_name text,
  at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  approved_by_id uuid,
  approved_by_name text,
  CONSTRAINT site_version_pkey PRIMARY KEY (site_id, version),
  CONSTRAINT site_version_two_people_check CHECK (approved_by_id <> by_id)
);

-- Sets of BMC credentials that hosts of a site share (docs/sites.md#bmc-credentials). A host keeps a copy of what its set says, so that nothing that
-- talks to a BMC need know of sets.
CREATE TABLE bmc_credential (
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  name text NOT NULL,
  username text NOT NULL,
  password bytea NOT NULL,
  CONSTRAINT bmc_credential_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX bmc_credential_site_id_name_key ON bmc_credential(site_id, name);

-- References between tables

ALTER TABLE adapter_token ADD CONSTRAINT adapter_token_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE agent_guest ADD CONSTRAINT agent_guest_host_id_boot_epoch_fkey FOREIGN KEY (host_id, boot_epoch) REFERENCES boot_window(host_id, boot_epoch) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE agent_image ADD CONSTRAINT agent_image_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE agent_log ADD CONSTRAINT agent_log_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE api_token ADD CONSTRAINT api_token_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE bmc_credential ADD CONSTRAINT bmc_credential_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE brake ADD CONSTRAINT brake_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE bulk_act_host ADD CONSTRAINT bulk_act_host_bulk_id_fkey FOREIGN KEY (bulk_id) REFERENCES bulk_act(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE device_result ADD CONSTRAINT device_result_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE drive_probe ADD CONSTRAINT drive_probe_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE drive_stay ADD CONSTRAINT drive_stay_drive_id_fkey FOREIGN KEY (drive_id) REFERENCES drive(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE enrolment ADD CONSTRAINT enrolment_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE enrolment_line ADD CONSTRAINT enrolment_line_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES enrolment(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE gate ADD CONSTRAINT gate_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE health_report ADD CONSTRAINT health_report_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE health_source ADD CONSTRAINT health_source_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE host ADD CONSTRAINT host_bmc_credential_id_fkey FOREIGN KEY (bmc_credential_id) REFERENCES bmc_credential(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE host ADD CONSTRAINT host_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE host ADD CONSTRAINT host_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES sku(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE host_health ADD CONSTRAINT host_health_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE host_inventory ADD CONSTRAINT host_inventory_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE host_run ADD CONSTRAINT host_run_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE instance ADD CONSTRAINT instance_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE instance_status_history ADD CONSTRAINT instance_status_history_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE network_ack ADD CONSTRAINT network_ack_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE network_resource ADD CONSTRAINT network_resource_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instance(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE node_port ADD CONSTRAINT node_port_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE node_record ADD CONSTRAINT node_record_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE notice_ack ADD CONSTRAINT notice_ack_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notice(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE passkey ADD CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE passkey_challenge ADD CONSTRAINT passkey_challenge_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE person ADD CONSTRAINT person_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ready_watch ADD CONSTRAINT ready_watch_host_id_fkey FOREIGN KEY (host_id) REFERENCES host(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE reclamation_boot ADD CONSTRAINT reclamation_boot_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE repair_system ADD CONSTRAINT repair_system_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE saved_view ADD CONSTRAINT saved_view_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE sign_in_address ADD CONSTRAINT sign_in_address_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE site_policy ADD CONSTRAINT site_policy_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE site_version ADD CONSTRAINT site_version_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE step_attempt ADD CONSTRAINT step_attempt_step_run_id_fkey FOREIGN KEY (step_run_id) REFERENCES step_run(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE step_run ADD CONSTRAINT step_run_reclamation_id_fkey FOREIGN KEY (reclamation_id) REFERENCES reclamation(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tenant_grant ADD CONSTRAINT tenant_grant_site_id_fkey FOREIGN KEY (site_id) REFERENCES site(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tenant_grant ADD CONSTRAINT tenant_grant_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ticket_update ADD CONSTRAINT ticket_update_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES ticket(id) ON UPDATE CASCADE ON DELETE RESTRICT;
ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- Functions and triggers

-- The last line of defence: each gate was evaluated and lets the host through, and nothing is owed.
CREATE FUNCTION ready_is_proven() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.retired) THEN
    RAISE EXCEPTION 'host % cannot be Ready: it is retired', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  SELECT string_agg(g.gate || ' ' || g.status, ', ') INTO missing FROM gate g
    WHERE g.reclamation_id = NEW.reclamation_id
      AND NOT (g.status IN ('satisfied', 'not required', 'waived', 'excepted')
               OR (g.status = 'not implemented' AND EXISTS (SELECT 1 FROM site s WHERE s.id = NEW.site_id AND s.demo))
               OR (g.status = 'not required: fake hardware' AND EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake')));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be Ready: %', NEW.host_id, missing USING ERRCODE = 'check_violation';
  END IF;
  IF (SELECT count(*) FROM gate g WHERE g.reclamation_id = NEW.reclamation_id) <> 14 THEN
    RAISE EXCEPTION 'host % cannot be Ready: not every gate was evaluated', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_is_proven AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_is_proven();

CREATE FUNCTION never_inserted_ready() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a host is enrolled in Enroll, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER never_inserted_ready BEFORE INSERT ON host_run
  FOR EACH ROW WHEN (NEW.state <> 'Enroll') EXECUTE FUNCTION never_inserted_ready();

-- A debt is cleared once, by a reclamation, and never deleted.
CREATE FUNCTION debt_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sanitization debt is cleared by a reclamation, never deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER debt_stands BEFORE DELETE ON debt FOR EACH ROW EXECUTE FUNCTION debt_stands();

-- No host gets past Verifying unidentified: its debt and its erase hang on the serial, its agent is known by both.
CREATE FUNCTION verified_is_known() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND (h.serial IS NULL OR h.system_uuid IS NULL)) THEN
    RAISE EXCEPTION 'host % cannot be %: its serial or its system UUID is not known', NEW.host_id, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER verified_is_known AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (OLD.state IN ('Enroll', 'Verifying') AND NEW.state NOT IN ('Enroll', 'Verifying', 'ForceDeletion')) EXECUTE FUNCTION verified_is_known();

-- What a host is does not change: a debt would be left behind.
CREATE FUNCTION identity_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the serial and the system UUID of host % are known and do not change', NEW.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER identity_stands BEFORE UPDATE OF serial, system_uuid ON host
  FOR EACH ROW WHEN ((OLD.serial IS NOT NULL AND NEW.serial IS DISTINCT FROM OLD.serial) OR (OLD.system_uuid IS NOT NULL AND NEW.system_uuid IS DISTINCT FROM OLD.system_uuid)) EXECUTE FUNCTION identity_stands();

-- A host that is a machine never becomes fake, nor the other way round.
CREATE FUNCTION fake_stays_fake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'host % cannot change its hardware type from % to %', NEW.id, OLD.hardware_type, NEW.hardware_type USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER fake_stays_fake BEFORE UPDATE OF hardware_type ON host
  FOR EACH ROW WHEN (OLD.hardware_type IS DISTINCT FROM NEW.hardware_type AND 'fake' IN (OLD.hardware_type, NEW.hardware_type)) EXECUTE FUNCTION fake_stays_fake();

-- No debt is cleared by what was done to a fake host.
CREATE FUNCTION fake_clears_no_debt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM reclamation c JOIN host h ON h.id = c.host_id WHERE c.id = NEW.cleared_by AND h.hardware_type = 'fake') THEN
    RAISE EXCEPTION 'debt % cannot be cleared by a fake host', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fake_clears_no_debt BEFORE INSERT OR UPDATE OF cleared_by ON debt
  FOR EACH ROW WHEN (NEW.cleared_by IS NOT NULL) EXECUTE FUNCTION fake_clears_no_debt();

-- Whether a process that keeps a high-water mark has lately held it against this database. Without one that ever did (sequence 0) there is nothing to hold against.
CREATE FUNCTION database_is_current() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM database_state d WHERE d.id = 1 AND d.stopped_at IS NULL AND (d.sequence = 0 OR d.confirmed_until > now()))
$$;

CREATE FUNCTION database_is_stopped() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (SELECT 1 FROM database_state d WHERE d.id = 1 AND d.stopped_at IS NULL)
$$;

-- Whoever writes: while the database is stopped no host enters Ready, none is allocated, and none becomes allocatable.
CREATE FUNCTION no_ready_while_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN
    RAISE EXCEPTION 'host % cannot be Ready: the database was restored, see reclaim admin after-restore', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER no_ready_while_stopped AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION no_ready_while_stopped();

CREATE FUNCTION no_instance_while_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN
    RAISE EXCEPTION 'no host can be allocated: the database was restored, see reclaim admin after-restore' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_instance_while_stopped BEFORE INSERT ON instance FOR EACH ROW EXECUTE FUNCTION no_instance_while_stopped();

CREATE FUNCTION not_allocatable_while_stopped() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF database_is_stopped() THEN NEW.allocatable := false; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER not_allocatable_while_stopped BEFORE UPDATE OF allocatable ON host_run
  FOR EACH ROW WHEN (NEW.allocatable AND NOT OLD.allocatable) EXECUTE FUNCTION not_allocatable_while_stopped();

-- After a restore nobody knows who had a machine that the database did not know: whatever is enrolled or identified from then on owes a sanitization.
CREATE FUNCTION owes_since_restore() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.serial IS NOT NULL AND NEW.hardware_type <> 'fake' AND (TG_OP = 'INSERT' OR OLD.serial IS DISTINCT FROM NEW.serial)
    AND EXISTS (SELECT 1 FROM database_state d WHERE d.epoch > 1)
    AND NOT EXISTS (SELECT 1 FROM debt d WHERE d.chassis_serial = NEW.serial AND d.cleared_at IS NULL) THEN
    INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), NEW.serial, '{}');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER owes_since_restore AFTER INSERT OR UPDATE OF serial ON host FOR EACH ROW EXECUTE FUNCTION owes_since_restore();

-- The last line of defence: neither the newest boot nor a step of the plan is of a boot that proves nothing.
CREATE FUNCTION ready_boots_are_proven() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type <> 'fake') AND EXISTS (
    SELECT 1 FROM (
      SELECT NEW.boot_epoch AS boot_epoch WHERE NEW.boot_epoch > 0
      UNION
      SELECT a.boot_epoch FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t."where" = 'agent' AND t.status = 'succeeded'
        JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
       WHERE c.id = NEW.reclamation_id
    ) e
    LEFT JOIN boot_window w ON w.host_id = NEW.host_id AND w.boot_epoch = e.boot_epoch
    WHERE w.reset_done_at IS NULL OR w.contested_at IS NOT NULL OR w.consumed_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: a boot that it rests on was not restarted, or something else answered in it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_boots_are_proven AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_boots_are_proven();

-- What was stated never changes, nor which approval it has.
CREATE FUNCTION disposition_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.withdrawn_at IS NOT NULL
    OR (NEW.id, NEW.host_id, NEW.chassis_serial, NEW.key, NEW.model, NEW.slot, NEW.kind, NEW.reason, NEW.by_id, NEW.by_name, NEW.at, NEW.reclamation_id, NEW.approval_id)
      IS DISTINCT FROM (OLD.id, OLD.host_id, OLD.chassis_serial, OLD.key, OLD.model, OLD.slot, OLD.kind, OLD.reason, OLD.by_id, OLD.by_name, OLD.at, OLD.reclamation_id, OLD.approval_id) THEN
    RAISE EXCEPTION 'a drive disposition is withdrawn, never changed or deleted' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER disposition_stands BEFORE UPDATE OR DELETE ON drive_disposition FOR EACH ROW EXECUTE FUNCTION disposition_stands();

-- No controller makes a host Ready past a drive that has no name (docs/adr/0024-rolling-upgrade.md). A gate blocks it before.
CREATE FUNCTION ready_drives_are_named() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place text;
BEGIN
  SELECT u ->> 'place' INTO place
    FROM host_inventory i
    JOIN reclamation c ON c.id = NEW.reclamation_id AND c.devices IS NOT NULL
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(i.body -> 'unnamed') = 'array' THEN i.body -> 'unnamed' ELSE '[]' END) u
   WHERE i.host_id = NEW.host_id AND i.source = 'agent'
     AND NOT coalesce(c.devices -> 'resolved', '[]') @> jsonb_build_array(jsonb_build_object('source', 'agent', 'place', u -> 'place'))
     AND NOT coalesce(c.devices -> 'excluded', '[]') @> jsonb_build_array(jsonb_build_object('serial', u -> 'place'))
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: the agent sees a drive at % that it cannot name, and nobody answered for it', NEW.host_id, place USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_drives_are_named AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_drives_are_named();

-- What was in force stays readable: a later version corrects it.
CREATE FUNCTION site_version_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a site is never changed or deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER site_version_stands BEFORE UPDATE OR DELETE ON site_version FOR EACH ROW EXECUTE FUNCTION site_version_stands();

-- The record of a host is written once, by whatever deletes the host, and stays.
CREATE FUNCTION host_is_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run host_run%ROWTYPE;
  leaving jsonb;
BEGIN
  SELECT * INTO run FROM host_run r WHERE r.host_id = OLD.id;
  leaving := run.context->'leaving';
  INSERT INTO gone_host (host_id, name, serial, system_uuid, manufacturer, model, hardware_type, sku, site, rack, slot, bmc_address, macs,
    how, reason, by_id, by_name, leftovers, reclamation_id, enrolled_at)
  VALUES (OLD.id, OLD.name, OLD.serial, OLD.system_uuid, OLD.manufacturer, OLD.model, OLD.hardware_type,
    (SELECT k.name FROM sku k WHERE k.id = OLD.sku_id), (SELECT s.name FROM site s WHERE s.id = OLD.site_id),
    OLD.rack, OLD.slot, OLD.bmc_address, OLD.macs,
    CASE WHEN run.state = 'Decommissioned' THEN 'decommissioned' ELSE 'deleted' END,
    leaving->>'reason',
    coalesce(run.context#>>'{deletedBy,personId}', CASE WHEN run.state = 'Decommissioned' THEN leaving#>>'{by,personId}' END)::uuid,
    coalesce(run.context#>>'{deletedBy,name}', CASE WHEN run.state = 'Decommissioned' THEN leaving#>>'{by,name}' END),
    coalesce(leaving->'leftovers', '[]'), run.reclamation_id, OLD.created_at);
  DELETE FROM step_override o WHERE o.scope = 'host' AND o.scope_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER host_is_gone BEFORE DELETE ON host FOR EACH ROW EXECUTE FUNCTION host_is_gone();

CREATE FUNCTION gone_host_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a host that is gone is neither changed nor deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER gone_host_stands BEFORE UPDATE OR DELETE ON gone_host FOR EACH ROW EXECUTE FUNCTION gone_host_stands();

-- The statement that makes a host Decommissioned deletes the host, too (docs/adr/0059-decommission.md). This trigger fires at the end of it, when
-- the row of the host is gone: what the host was is read of its reclamation, and of the record that its deletion has just written.
CREATE FUNCTION decommissioned_is_proven() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM reclamation c WHERE c.id = NEW.reclamation_id AND c.host_id = NEW.host_id AND c.kind = 'decommission') THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: no decommission was begun', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (
    SELECT 1 FROM (
      SELECT h.serial FROM host h WHERE h.id = NEW.host_id
      UNION SELECT o.serial FROM gone_host o WHERE o.host_id = NEW.host_id
      UNION SELECT c.host_serial FROM reclamation c WHERE c.id = NEW.reclamation_id) AS known
    JOIN debt d ON d.chassis_serial = known.serial WHERE d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Decommissioned: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake'
    UNION ALL SELECT 1 FROM gone_host o WHERE o.host_id = NEW.host_id AND o.hardware_type = 'fake') THEN
    SELECT string_agg(w.gate, ', ') INTO missing
      FROM unnest(ARRAY['cleanupCompleted', 'storageSanitized', 'memoryOverwritten']) AS w(gate)
      WHERE NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = w.gate AND g.status IN ('satisfied', 'excepted'));
    IF missing IS NOT NULL THEN
      RAISE EXCEPTION 'host % cannot be Decommissioned: % not proven', NEW.host_id, missing USING ERRCODE = 'check_violation';
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER decommissioned_is_proven AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Decommissioned') EXECUTE FUNCTION decommissioned_is_proven();

-- 0.1.0 writes the system into the node record only.
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

-- The drives that any inventory of a host lists now, each once and member by member, as each source leaves some out: the slot is the BMC's
-- where it tells one, the firmware is of the newest reading, and of the rest the agent's word is taken first, as it read the drive itself.
CREATE FUNCTION drives_of_host(of_host uuid) RETURNS TABLE(serial text, model text, manufacturer text, wwn text, firmware text, media text, transport text, capacity_bytes text, slot text) LANGUAGE sql STABLE AS $$
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
CREATE FUNCTION follow_drives(of_host uuid) RETURNS void LANGUAGE plpgsql AS $$
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

CREATE FUNCTION drives_are_followed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM follow_drives(CASE WHEN TG_OP = 'DELETE' THEN OLD.host_id ELSE NEW.host_id END);
  RETURN NULL;
END $$;
CREATE TRIGGER drives_are_followed AFTER INSERT OR DELETE ON host_inventory FOR EACH ROW EXECUTE FUNCTION drives_are_followed();
-- Most readings find the same drives as the one before: nothing is done for them.
CREATE TRIGGER changed_drives_are_followed AFTER UPDATE OF body ON host_inventory FOR EACH ROW
  WHEN (OLD.body -> 'storage' IS DISTINCT FROM NEW.body -> 'storage') EXECUTE FUNCTION drives_are_followed();

-- A result names a drive that no inventory may list any more, or ever did: it has its page, too.
CREATE FUNCTION erased_drives_are_known() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO drive (serial, model, manufacturer, wwn, firmware, media, transport, capacity_bytes, search)
  SELECT DISTINCT ON (r.serial, r.model) r.serial, r.model, r.report ->> 'manufacturer', r.report ->> 'wwn', r.report ->> 'firmware', r.media,
    r.report ->> 'transport', r.report ->> 'capacityBytes', lower(concat_ws(' ', r.serial, r.model, r.report ->> 'firmware'))
  FROM made r WHERE NOT EXISTS (SELECT FROM drive d WHERE d.serial = r.serial AND d.model = r.model)
  ORDER BY r.serial, r.model
  ON CONFLICT (serial, model) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER erased_drives_are_known AFTER INSERT ON device_result REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION erased_drives_are_known();

-- What a controller of another release may take for proven, and never is (docs/adr/0024-rolling-upgrade.md): a required step that did not succeed,
-- what Ironic's agent does not report (docs/adr/0087-the-ironic-agent-as-a-guest.md), and a drive that SCSI FORMAT UNIT erased.
CREATE FUNCTION ready_is_not_of_an_older_rule() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text;
BEGIN
  IF NEW.context #>> '{proven,cleaningSkipped}' = 'true' OR EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake') THEN
    RETURN NULL;
  END IF;

  SELECT q.name INTO what
    FROM reclamation c
    CROSS JOIN LATERAL jsonb_array_elements_text(CASE WHEN jsonb_typeof(c.policy -> 'requiredSteps') = 'array' THEN c.policy -> 'requiredSteps' ELSE '[]' END) q(name)
   WHERE c.id = NEW.reclamation_id AND (c.kind <> 'recheck' OR c.plan_epoch > 0)
     AND NOT EXISTS (
       SELECT 1 FROM step_run t
        WHERE t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t.interface || '.' || t.step = q.name AND t.status = 'succeeded')
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: the site requires %, which did not succeed', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;

  PERFORM 1 FROM reclamation c
   WHERE c.id = NEW.reclamation_id AND coalesce(c.devices -> 'expected', '[]') = '[]'
     AND (SELECT g.hardware_managers FROM agent_session g WHERE g.host_id = NEW.host_id ORDER BY g.boot_epoch DESC LIMIT 1) @> '[{"name": "ironic-python-agent"}]';
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: no storage device is known, and Ironic''s agent lists block devices only', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;

  PERFORM 1 FROM gate q
   WHERE q.reclamation_id = NEW.reclamation_id AND q.gate = 'infinibandClean' AND q.status = 'not required'
     AND q.reason = 'the host has no InfiniBand device of its own'
     AND (SELECT g.hardware_managers FROM agent_session g WHERE g.host_id = NEW.host_id ORDER BY g.boot_epoch DESC LIMIT 1) @> '[{"name": "ironic-python-agent"}]';
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: Ironic''s agent reports no InfiniBand device, also where there is one', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;

  SELECT d.serial INTO what
    FROM (
      SELECT DISTINCT ON (r.serial, r.model) r.serial, r.verdict, r.technique
        FROM reclamation c
        CROSS JOIN LATERAL jsonb_path_query(c.devices, '$.expected[*]') x(drive)
        JOIN device_result r ON r.serial = x.drive ->> 'serial' AND r.model = x.drive ->> 'model'
         AND (r.reclamation_id = c.id AND r.plan_epoch = c.plan_epoch OR c.kind = 'recheck' AND c.plan_epoch = 0 AND r.host_id = c.host_id)
       WHERE c.id = NEW.reclamation_id
       ORDER BY r.serial, r.model, r.id DESC
    ) d
   WHERE d.verdict = 'sanitized' AND d.technique = 'scsi-format'
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: drive % was erased by scsi-format, which never counts', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_is_not_of_an_older_rule AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_is_not_of_an_older_rule();

-- Whoever writes it: what an alert keeps out of allocation is not allocatable. Lowered and not refused, so that the end of a maintenance is no error.
CREATE FUNCTION allocatable_is_healthy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.health @> '{"classifications": ["PreventAllocations"]}' THEN
    NEW.allocatable := false;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER allocatable_is_healthy BEFORE INSERT OR UPDATE OF allocatable, health ON host_run
  FOR EACH ROW WHEN (NEW.allocatable AND NEW.health IS NOT NULL) EXECUTE FUNCTION allocatable_is_healthy();

-- The same of Ready, which the gate "healthy" blocks before.
CREATE FUNCTION ready_has_no_blocking_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.health @> '{"classifications": ["PreventAllocations"]}' THEN
    RAISE EXCEPTION 'host % cannot be Ready: a health alert prevents its allocation', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_has_no_blocking_alert AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready' AND NEW.health IS NOT NULL) EXECUTE FUNCTION ready_has_no_blocking_alert();

-- Nor is an instance released under an alert that prevents it, whoever writes.
CREATE FUNCTION release_is_not_prevented() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = NEW.host_id AND r.health @> '{"classifications": ["PreventInstanceDeletion"]}') THEN
    RAISE EXCEPTION 'instance % cannot be released: a health alert prevents its deletion', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER release_is_not_prevented AFTER UPDATE OF release_requested_at ON instance
  FOR EACH ROW WHEN (NEW.release_requested_at IS NOT NULL AND OLD.release_requested_at IS NULL) EXECUTE FUNCTION release_is_not_prevented();

-- A repair tenant claims hosts that are not Ready (docs/adr/0093-repair.md), which no trigger on Ready guards: whoever writes, a machine that owes a
-- sanitization is nobody's. A Ready host owes none ("ready_is_proven").
CREATE FUNCTION no_instance_while_owed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be allocated: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_instance_while_owed BEFORE INSERT ON instance FOR EACH ROW EXECUTE FUNCTION no_instance_while_owed();

-- What was said stays said.
CREATE FUNCTION ticket_updates_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the updates of a ticket are not changed' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER ticket_updates_only_grow BEFORE UPDATE OR DELETE ON ticket_update
  FOR EACH ROW EXECUTE FUNCTION ticket_updates_only_grow();

-- While a system outside has the host, the host's own lease is held by that one's lease: no controller can claim the host,
-- get a permit or commit. Kept and not refused, so that statements about the whole fleet, such as those after a clock was set, go on.
CREATE FUNCTION outside_lease_holds() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER outside_lease_holds BEFORE UPDATE ON host_run
  FOR EACH ROW WHEN (NEW.outside_lease IS NOT NULL) EXECUTE FUNCTION outside_lease_holds();

-- Whoever writes: a host that a repair system has is nobody's.
CREATE FUNCTION no_instance_while_leased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = NEW.host_id AND r.outside_lease IS NOT NULL) THEN
    RAISE EXCEPTION 'host % cannot be allocated: a repair system has it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_instance_while_leased BEFORE INSERT ON instance FOR EACH ROW EXECUTE FUNCTION no_instance_while_leased();

-- Whoever writes an event puts it into the queue of the sequencer, in the same transaction.
CREATE FUNCTION audit_event_pends() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO audit_pending (xid, at, event_id) SELECT pg_current_xact_id()::text::bigint, at, id FROM written;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_event_pends AFTER INSERT ON audit_event REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION audit_event_pends();

CREATE FUNCTION approval_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'an approval is never deleted' USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.id, NEW.kind, NEW.subject_id, NEW.evidence, NEW.asked_by, NEW.asked_by_name, NEW.asked_at, NEW.reason)
       IS DISTINCT FROM (OLD.id, OLD.kind, OLD.subject_id, OLD.evidence, OLD.asked_by, OLD.asked_by_name, OLD.asked_at, OLD.reason)
     OR (NEW.site_id, NEW.host_id, NEW.valid_until) IS DISTINCT FROM (OLD.site_id, OLD.host_id, OLD.valid_until) THEN
    RAISE EXCEPTION 'what was asked of approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.decision, NEW.decided_by, NEW.decided_by_name, NEW.decided_at, NEW.decided_reason)
       IS DISTINCT FROM (OLD.decision, OLD.decided_by, OLD.decided_by_name, OLD.decided_at, OLD.decided_reason)
     AND (OLD.decision IS NOT NULL OR OLD.voided_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the decision on approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.voided_reason) IS DISTINCT FROM (OLD.voided_at, OLD.voided_reason) THEN
    RAISE EXCEPTION 'approval % was voided', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_is_kept BEFORE UPDATE OR DELETE ON approval FOR EACH ROW EXECUTE FUNCTION approval_is_kept();

CREATE FUNCTION procedure_record_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record of a procedure never changes' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER procedure_record_is_kept BEFORE UPDATE OR DELETE ON procedure_record FOR EACH ROW EXECUTE FUNCTION procedure_record_is_kept();

-- No host is Ready past a procedure (docs/adr/0102-approvals-and-procedures.md), whoever evaluated the gate: each record that it rests on was approved, and still is.
CREATE FUNCTION ready_procedures_are_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM reclamation c
    LEFT JOIN gate g ON g.reclamation_id = c.id AND g.gate = 'assuranceSigned'
   WHERE c.id = NEW.reclamation_id
     AND jsonb_typeof(c.policy -> 'procedures') = 'array' AND c.policy -> 'procedures' <> '[]'
     AND c.policy #> '{requires,assuranceSigned}' IS DISTINCT FROM 'false'
     AND g.status IS DISTINCT FROM 'excepted' AND NOT coalesce(g.evidence ? 'procedures', false)
     AND NOT EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type = 'fake');
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: its procedures were not looked at', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  PERFORM 1 FROM gate g
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(g.evidence -> 'procedures') = 'array' THEN g.evidence -> 'procedures' ELSE '[]' END) p
   WHERE g.reclamation_id = NEW.reclamation_id AND g.gate = 'assuranceSigned' AND g.status = 'satisfied'
     AND NOT EXISTS (
       SELECT 1 FROM procedure_record r JOIN approval a ON a.id = r.approval_id
        WHERE r.id::text = p ->> 'record' AND r.host_id = NEW.host_id AND a.decision = 'approved' AND a.voided_at IS NULL);
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot be Ready: a procedure was not signed off', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ready_procedures_are_signed AFTER UPDATE OF state ON host_run
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION ready_procedures_are_signed();

-- Whoever writes a host's health: no name is missing. In order, so that two that are new at once do not wait for each other.
CREATE FUNCTION alert_names_known() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alert_name (name) SELECT DISTINCT n FROM unnest(NEW.alert_ids || NEW.classifications) n ORDER BY n ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER alert_names_known AFTER INSERT ON host_health FOR EACH ROW
  WHEN (NEW.alert_ids <> '{}' OR NEW.classifications <> '{}') EXECUTE FUNCTION alert_names_known();
CREATE TRIGGER alert_names_change AFTER UPDATE ON host_health FOR EACH ROW
  WHEN (NEW.alert_ids <> OLD.alert_ids OR NEW.classifications <> OLD.classifications) EXECUTE FUNCTION alert_names_known();

CREATE FUNCTION certificate_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO certificate_due (reclamation_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- A cleaning by hand proves nothing and leads to no Ready.
CREATE TRIGGER certificate_due_of_ended AFTER UPDATE OF ended_at ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL AND NEW.kind <> 'manualCleaning') EXECUTE FUNCTION certificate_is_due();
CREATE TRIGGER certificate_due_of_begun AFTER INSERT ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND NEW.kind <> 'manualCleaning') EXECUTE FUNCTION certificate_is_due();

-- What was stated, of whom, and what was signed, stays: tenant_id decides who reads a receipt.
CREATE FUNCTION certificate_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE'
     OR ROW(NEW.id, NEW.reclamation_id, NEW.host_id, NEW.kind, NEW.type, NEW.statement, NEW.sha256, NEW.made_at, NEW.tenant_id, NEW.instance_id)
       IS DISTINCT FROM
       ROW(OLD.id, OLD.reclamation_id, OLD.host_id, OLD.kind, OLD.type, OLD.statement, OLD.sha256, OLD.made_at, OLD.tenant_id, OLD.instance_id)
     OR (OLD.event_id IS NOT NULL AND NEW.event_id IS DISTINCT FROM OLD.event_id)
     OR (OLD.bundle IS NOT NULL AND ROW(NEW.bundle, NEW.signed_at) IS DISTINCT FROM ROW(OLD.bundle, OLD.signed_at)) THEN
    RAISE EXCEPTION 'a certificate is never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER certificate_stays BEFORE UPDATE OR DELETE ON certificate FOR EACH ROW EXECUTE FUNCTION certificate_stays();

-- No host gets past a drive for which only one person answered (docs/adr/0105-exceptions-and-dispositions.md). A statement without an approval is of 0.1.0,
-- and keeps the lists that rest on it.
CREATE FUNCTION dispositions_are_signed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text;
BEGIN
  SELECT x.key INTO what
    FROM reclamation c
    CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof(c.devices -> 'answered') = 'array' THEN c.devices -> 'answered' ELSE '[]' END) d(answer)
    JOIN drive_disposition x ON x.id::text = d.answer #>> '{disposition,id}'
    LEFT JOIN approval a ON a.id = x.approval_id
   WHERE c.id = NEW.reclamation_id AND x.approval_id IS NOT NULL AND (a.decision IS DISTINCT FROM 'approved' OR a.voided_at IS NOT NULL)
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'host % cannot go on: the disposition of drive % was signed by one person', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER dispositions_are_signed AFTER UPDATE OF state ON host_run FOR EACH ROW
  WHEN (NEW.state IN ('Ready', 'ReturnToAllocation/AwaitingRepair', 'Decommissioning/RemovingLeftovers') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION dispositions_are_signed();

-- Whoever ends it.
CREATE FUNCTION history_digest_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history_digest_due (reclamation_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER history_digest_due_of_ended AFTER UPDATE OF ended_at ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION history_digest_is_due();
CREATE TRIGGER history_digest_due_of_begun AFTER INSERT ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION history_digest_is_due();

CREATE FUNCTION gate_exception_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an exception is never changed or deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER gate_exception_is_kept BEFORE UPDATE OR DELETE ON gate_exception FOR EACH ROW EXECUTE FUNCTION gate_exception_is_kept();

-- An exception without an end would be a change of policy, and one without a second person none at all.
CREATE FUNCTION exception_has_an_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM approval a WHERE a.id = NEW.approval_id AND a.kind = 'exception' AND a.subject_id = NEW.id AND a.valid_until IS NOT NULL) THEN
    RAISE EXCEPTION 'exception % has no request with an end', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER exception_has_an_end BEFORE INSERT ON gate_exception FOR EACH ROW EXECUTE FUNCTION exception_has_an_end();

-- Gates of a reclamation that read `excepted`, and on which no exception stands: each that the gate names must be of this gate, approved by another person, not
-- voided and not over by more than the grace.
CREATE FUNCTION unfounded_exception(reclamation uuid, grace interval) RETURNS text LANGUAGE sql AS $$
  SELECT g.gate FROM gate g
   WHERE g.reclamation_id = reclamation AND g.status = 'excepted'
     AND (coalesce(jsonb_array_length(CASE WHEN jsonb_typeof(g.evidence -> 'exceptions') = 'array' THEN g.evidence -> 'exceptions' END), 0) = 0
       OR EXISTS (
         SELECT 1 FROM jsonb_array_elements(g.evidence -> 'exceptions') e(named)
          WHERE NOT EXISTS (
            SELECT 1 FROM gate_exception x JOIN approval a ON a.id = x.approval_id
             WHERE x.id::text = e.named ->> 'id' AND x.reclamation_id = g.reclamation_id
               -- A step that stopped at a drive goes with the drive.
               AND (x.gate = g.gate OR g.gate = 'cleanupCompleted' AND x.gate = 'storageSanitized')
               AND a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > clock_timestamp() - grace)))
   LIMIT 1
$$;

CREATE FUNCTION exceptions_stand() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A decision was made a moment before it is stored. Nobody gets the host in that moment: see below.
  what text := unfounded_exception(NEW.reclamation_id, interval '1 minute');
BEGIN
  IF what IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot go on: no exception stands for %', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.state = 'Decommissioning/RemovingLeftovers' AND EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = NEW.reclamation_id AND g.status = 'excepted') THEN
    RAISE EXCEPTION 'host % cannot leave the fleet: a gate is excepted', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_stand AFTER UPDATE OF state ON host_run FOR EACH ROW
  WHEN (NEW.state IN ('Ready', 'ReturnToAllocation/AwaitingRepair', 'Decommissioning/RemovingLeftovers') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION exceptions_stand();

-- Nobody gets a host whose exception is over, however long the controller that takes it out is away.
CREATE FUNCTION no_instance_past_exception() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text;
BEGIN
  SELECT unfounded_exception(r.reclamation_id, interval '0') INTO what FROM host_run r WHERE r.host_id = NEW.host_id;
  IF what IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be allocated: the exception for % is over', NEW.host_id, what USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER no_instance_past_exception BEFORE INSERT ON instance FOR EACH ROW EXECUTE FUNCTION no_instance_past_exception();

-- Another plan, or the end of the reclamation without Ready: what was asked for is not there any more.
CREATE FUNCTION exceptions_are_void() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = CASE WHEN NEW.ended_at IS NULL THEN 'the plan was made anew' ELSE 'the reclamation ended as ' || coalesce(NEW.outcome, 'unknown') END
    FROM gate_exception x WHERE x.approval_id = a.id AND x.reclamation_id = NEW.id AND a.voided_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_are_void AFTER UPDATE ON reclamation FOR EACH ROW
  WHEN (NEW.plan_epoch <> OLD.plan_epoch OR (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.outcome NOT IN ('ready', 'handedToRepair')))
  EXECUTE FUNCTION exceptions_are_void();

-- What a gate says, without the numbers of boots, as `domain/gates/exceptions.ts` binds it.
CREATE FUNCTION without_boots(said jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF jsonb_typeof(said) = 'object' THEN
    RETURN coalesce((SELECT jsonb_object_agg(e.key, without_boots(e.value)) FROM jsonb_each(said) e WHERE e.key NOT IN ('epoch', 'readEpoch')), '{}');
  ELSIF jsonb_typeof(said) = 'array' THEN
    RETURN coalesce((SELECT jsonb_agg(without_boots(e.value) ORDER BY e.at) FROM jsonb_array_elements(said) WITH ORDINALITY e(value, at)), '[]');
  END IF;
  RETURN said;
END $$;

-- A gate that says something else now: whoever decides, or reads, is told. That it lets nothing through, the digest decides.
CREATE FUNCTION exceptions_follow_gates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'the gate now reads ' || g.status || ': ' || g.reason
    FROM gate_exception x JOIN recorded g ON g.reclamation_id = x.reclamation_id AND g.gate = x.gate
   WHERE x.approval_id = a.id AND a.voided_at IS NULL AND a.decision IS DISTINCT FROM 'rejected' AND x.drive_serial IS NULL AND g.status <> 'excepted'
     AND ((x.found ->> 'status') IS DISTINCT FROM g.status OR (x.found ->> 'reason') IS DISTINCT FROM g.reason
       OR (x.found -> 'evidence') IS DISTINCT FROM without_boots(g.evidence));
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_follow_new_gates AFTER INSERT ON gate REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION exceptions_follow_gates();
CREATE TRIGGER exceptions_follow_gates AFTER UPDATE ON gate REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION exceptions_follow_gates();

-- The same of a drive that has another result.
CREATE FUNCTION exceptions_follow_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'drive ' || d.serial || ' has a new result, ' || d.verdict || ': ' || d.reason
    FROM gate_exception x JOIN recorded d ON d.reclamation_id = x.reclamation_id AND d.serial = x.drive_serial AND d.model = x.drive_model
   WHERE x.approval_id = a.id AND a.voided_at IS NULL AND a.decision IS DISTINCT FROM 'rejected'
     AND ((x.found ->> 'status') IS DISTINCT FROM d.verdict OR (x.found ->> 'reason') IS DISTINCT FROM d.reason);
  RETURN NULL;
END $$;
CREATE TRIGGER exceptions_follow_results AFTER INSERT ON device_result REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION exceptions_follow_results();

-- What an exception let through was never proven. It is kept with the host; a host that is deleted leaves it to its chassis as a debt, whoever enrols that next.
-- A host that leaves the fleet is proven, and has forgotten it by then.
CREATE FUNCTION exception_outlives_host() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.serial IS NOT NULL AND EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = OLD.id AND r.context ? 'exceptedUntil') THEN
    INSERT INTO debt (id, chassis_serial, drive_serials) VALUES (gen_random_uuid(), OLD.serial, '{}');
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER exception_outlives_host BEFORE DELETE ON host FOR EACH ROW EXECUTE FUNCTION exception_outlives_host();

-- A request that waits is of no use once its reclamation is over, however it ended: approved later, it would only make the host owe.
CREATE FUNCTION requests_end_with_their_reclamation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'the reclamation ended as ' || NEW.outcome
    FROM gate_exception x WHERE x.approval_id = a.id AND x.reclamation_id = NEW.id AND a.voided_at IS NULL AND a.decision IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER requests_end_with_their_reclamation AFTER UPDATE ON reclamation FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.outcome IN ('ready', 'handedToRepair'))
  EXECUTE FUNCTION requests_end_with_their_reclamation();

CREATE FUNCTION policy_change_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' THEN
    RAISE EXCEPTION 'the request for a change of a site is never deleted' USING ERRCODE = 'check_violation';
  END IF;
  IF (NEW.id, NEW.approval_id, NEW.site_id, NEW.site_name, NEW.action, NEW.base, NEW.proposed, NEW.changes, NEW.document)
       IS DISTINCT FROM (OLD.id, OLD.approval_id, OLD.site_id, OLD.site_name, OLD.action, OLD.base, OLD.proposed, OLD.changes, OLD.document)
     OR OLD.version IS NOT NULL AND NEW.version IS DISTINCT FROM OLD.version
     OR NEW.request IS NOT NULL AND NEW.request IS DISTINCT FROM OLD.request THEN
    RAISE EXCEPTION 'change % of a site stays as it was asked for', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER policy_change_is_kept BEFORE UPDATE OR DELETE ON policy_change FOR EACH ROW EXECUTE FUNCTION policy_change_is_kept();

-- Whether a policy says that changes of its site need two people. What is neither true nor false counts as true.
CREATE FUNCTION needs_two_people(body jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(body -> 'changesNeedApproval', 'false') <> 'false'
$$;

-- The same of the policy that was in force when this transaction began.
CREATE FUNCTION site_needs_two_people(site uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT needs_two_people(p.body) FROM site_policy p
    WHERE p.site_id = site AND p.xmin <> pg_current_xact_id()::xid ORDER BY p.version DESC LIMIT 1), false)
$$;

-- A host that is not cleaned, or not by a step, may become Ready and is not sanitized: it needs two people where the site has that rule
-- (docs/adr/0112-policy-changes-by-two-people.md).
CREATE FUNCTION site_is_changed_by_two_people() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
  site_of uuid;
  needed boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  CASE TG_TABLE_NAME
    -- A new one is made by two people where any site needs them.
    WHEN 'site' THEN IF TG_OP = 'UPDATE' THEN site_of := changed.id; END IF;
    WHEN 'site_policy', 'agent_image', 'adapter_token', 'host' THEN site_of := changed.site_id;
    WHEN 'step_override' THEN
      IF changed.scope = 'host' THEN
        -- A step is left out by two people, and run again by one.
        IF TG_OP = 'DELETE' OR changed.priority > 0 THEN RETURN NULL; END IF;
        IF TG_OP = 'UPDATE' AND OLD.priority = 0 THEN RETURN NULL; END IF;
        site_of := (SELECT h.site_id FROM host h WHERE h.id = changed.scope_id);
      END IF;
      IF changed.scope = 'site' THEN site_of := changed.scope_id; END IF;
    ELSE site_of := NULL;
  END CASE;
  -- SKUs belong to all sites, and a new site may be anybody's.
  IF site_of IS NULL THEN
    needed := EXISTS (SELECT 1 FROM site s WHERE site_needs_two_people(s.id));
  ELSE
    needed := site_needs_two_people(site_of);
  END IF;
  IF TG_TABLE_NAME = 'site_policy' AND TG_OP <> 'INSERT' THEN
    needed := needed OR needs_two_people(OLD.body);
  END IF;
  IF needed AND NOT EXISTS (
    SELECT 1 FROM approval a WHERE a.kind = 'policyChange' AND (site_of IS NULL OR a.site_id = site_of)
      AND a.decision = 'approved' AND a.voided_at IS NULL AND a.xmin = pg_current_xact_id()::xid
      -- Not an old one that is only written again. The server keeps milliseconds.
      AND a.decided_at >= date_trunc('milliseconds', transaction_timestamp())) THEN
    RAISE EXCEPTION 'this change needs the approval of another person: % of %', TG_OP, TG_TABLE_NAME USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER site_is_changed_by_two_people AFTER UPDATE ON site DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.policy_version, OLD.network_url, OLD.network_token, OLD.bmc_trust, OLD.authorities, OLD.demo)
    IS DISTINCT FROM (NEW.policy_version, NEW.network_url, NEW.network_token, NEW.bmc_trust, NEW.authorities, NEW.demo))
  EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER site_is_made_by_two_people AFTER INSERT ON site DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER site_policy_is_changed_by_two_people AFTER INSERT OR UPDATE OR DELETE ON site_policy DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER step_override_is_changed_by_two_people AFTER INSERT OR UPDATE OR DELETE ON step_override DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER sku_is_changed_by_two_people AFTER UPDATE ON sku DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.components) IS DISTINCT FROM (NEW.name, NEW.components)) EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER sku_is_made_by_two_people AFTER INSERT OR DELETE ON sku DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER agent_image_is_added_by_two_people AFTER INSERT ON agent_image DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER agent_image_is_changed_by_two_people AFTER UPDATE ON agent_image DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.version, OLD.url, OLD.sha256, OLD.signed, OLD.kind) IS DISTINCT FROM (NEW.version, NEW.url, NEW.sha256, NEW.signed, NEW.kind))
  EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER adapter_token_is_changed_by_two_people AFTER INSERT OR UPDATE OR DELETE ON adapter_token DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER host_is_left_out_by_two_people AFTER UPDATE ON host DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.automated_clean = false AND (OLD.automated_clean, OLD.site_id) IS DISTINCT FROM (NEW.automated_clean, NEW.site_id))
  EXECUTE FUNCTION site_is_changed_by_two_people();
CREATE CONSTRAINT TRIGGER host_is_made_left_out_by_two_people AFTER INSERT ON host DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.automated_clean = false) EXECUTE FUNCTION site_is_changed_by_two_people();

-- A release that knows the kind and not what follows from it would approve a change and not make it.
CREATE FUNCTION policy_change_is_applied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM policy_change c WHERE c.approval_id = NEW.id AND c.version IS NOT NULL) THEN
    RAISE EXCEPTION 'approval % of a change that was not made', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER policy_change_is_applied AFTER INSERT OR UPDATE ON approval DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'policyChange' AND NEW.decision = 'approved') EXECUTE FUNCTION policy_change_is_applied();

-- The result of a self-audit is the sequencer's word: who may not number events does not write it.
CREATE FUNCTION audit_check_is_sequencers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The schema is named: nobody puts a table of their own in the place of this one.
  IF NOT pg_catalog.has_table_privilege(pg_catalog.format('%I.audit_leaf', TG_TABLE_SCHEMA), 'INSERT') THEN
    RAISE EXCEPTION 'the result of a self-audit is written by the role of the sequencer' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_check_is_sequencers BEFORE INSERT ON audit_event
  FOR EACH ROW WHEN (NEW.action = 'auditLog.check') EXECUTE FUNCTION audit_check_is_sequencers();

CREATE FUNCTION passkey_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.person_id, NEW.credential_id, NEW.public_key, NEW.rp_id, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.person_id, OLD.credential_id, OLD.public_key, OLD.rp_id, OLD.created_at) THEN
    RAISE EXCEPTION 'the key of passkey % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.counter < OLD.counter THEN
    RAISE EXCEPTION 'the counter of passkey % never falls', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER passkey_is_kept BEFORE UPDATE ON passkey FOR EACH ROW EXECUTE FUNCTION passkey_is_kept();

-- Nobody decides with a password who has a passkey (docs/adr/0113-passkeys.md).
CREATE FUNCTION approval_passkey_is_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.decision IS NOT NULL AND NEW.decided_with IS DISTINCT FROM OLD.decided_with THEN
    RAISE EXCEPTION 'the decision on approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.decision IS NULL AND NEW.decision IS NOT NULL AND NEW.decided_with IS DISTINCT FROM 'passkey'
     AND EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = NEW.decided_by) THEN
    RAISE EXCEPTION 'approval % is decided with a passkey: its decider has one', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_passkey_is_used BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION approval_passkey_is_used();

-- Of two accounts one of which has reset the other, none is the second person of the other.
CREATE FUNCTION approval_is_not_of_who_reset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.asker_reset_by IS DISTINCT FROM OLD.asker_reset_by THEN
    RAISE EXCEPTION 'what was asked of approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.decision IS NULL AND NEW.decision IS NOT NULL AND (NEW.decided_by = ANY(NEW.asker_reset_by)
     OR EXISTS (SELECT 1 FROM person p WHERE p.id = NEW.decided_by AND NEW.asked_by = ANY(p.reset_by || p.first_password_by))) THEN
    RAISE EXCEPTION 'approval % needs another person: one of the two has reset the other', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_is_not_of_who_reset BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION approval_is_not_of_who_reset();

-- What applies to the host and was left out. 0.1.0 called it not required, as what does not apply: only its reason tells them apart.
CREATE FUNCTION gate_is_waived(status text, reason text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status = 'waived' OR status = 'not required' AND (
    reason LIKE 'automated cleaning off%' OR reason LIKE '%disabled by % override%' OR reason LIKE 'the site''s policy does not require %')
$$;

-- A drive of the list has no verified result. A recheck without a plan erases nothing and relies on what this host erased last.
CREATE FUNCTION drive_is_unsanitized(c reclamation) RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE WHEN jsonb_typeof(c.devices -> 'expected') = 'array' THEN c.devices -> 'expected' ELSE '[]' END) x(drive)
     WHERE NOT coalesce((
       SELECT d.verdict = 'sanitized' AND coalesce(d.technique, '') NOT IN ('nvme-format-none', 'delete-namespace', 'blkdiscard', 'scsi-format')
         FROM (
           SELECT r.id, r.verdict, r.technique FROM device_result r
            WHERE r.reclamation_id = c.id AND r.plan_epoch = c.plan_epoch AND r.serial = x.drive ->> 'serial' AND r.model = x.drive ->> 'model'
           UNION ALL
           SELECT r.id, r.verdict, r.technique FROM device_result r
            WHERE c.kind = 'recheck' AND c.plan_epoch = 0 AND r.host_id = c.host_id AND r.serial = x.drive ->> 'serial' AND r.model = x.drive ->> 'model') d
        ORDER BY d.id DESC LIMIT 1), false))
$$;

-- The standing by what is on record, as `domain/assurance/standing.ts` computes it; null: it has not ended. VOLATILE: it sees what its statement wrote.
CREATE FUNCTION recorded_standing(which uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  worst_first CONSTANT text[] := ARRAY['notChecked', 'notProven', 'notSanitized', 'provenWithExceptions', 'proven'];
  c reclamation;
  own text;
  basis text;
BEGIN
  SELECT * INTO c FROM reclamation r WHERE r.id = which;
  IF NOT FOUND OR c.ended_at IS NULL THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = c.host_id AND h.hardware_type = 'fake')
     OR EXISTS (SELECT 1 FROM gone_host o WHERE o.host_id = c.host_id AND o.hardware_type = 'fake') THEN
    RETURN 'notChecked';
  END IF;
  IF c.kind = 'manualCleaning' OR c.outcome IS DISTINCT FROM 'ready'
     OR (SELECT count(*) FROM gate g WHERE g.reclamation_id = c.id AND g.status IN ('satisfied', 'not required', 'waived', 'excepted', 'not implemented')) <> 14 THEN
    RETURN 'notProven';
  END IF;
  own := CASE
    WHEN drive_is_unsanitized(c) OR coalesce(c.devices -> 'missing', '[]') <> '[]'
      OR NOT EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'storageSanitized' AND g.status = 'satisfied')
      OR EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND g.gate = 'cleanupCompleted' AND gate_is_waived(g.status, g.reason)) THEN 'notSanitized'
    WHEN coalesce(c.devices -> 'answered', '[]') <> '[]'
      OR EXISTS (SELECT 1 FROM gate g WHERE g.reclamation_id = c.id AND (g.status IN ('excepted', 'not implemented') OR gate_is_waived(g.status, g.reason))) THEN 'provenWithExceptions'
    ELSE 'proven' END;
  IF c.kind = 'recheck' AND c.plan_epoch = 0 THEN
    SELECT p.standing INTO basis FROM reclamation p
     WHERE p.host_id = c.host_id AND p.id <> c.id AND p.outcome = 'ready' AND p.ended_at <= c.started_at
     ORDER BY p.ended_at DESC LIMIT 1;
    basis := coalesce(basis, 'notSanitized');
    RETURN worst_first[least(array_position(worst_first, own), array_position(worst_first, basis))];
  END IF;
  RETURN own;
END $$;

-- The last line of defence: no statement, whoever wrote it, says more of a reclamation than its records do.
CREATE FUNCTION standing_is_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  worst_first CONSTANT text[] := ARRAY['notChecked', 'notProven', 'notSanitized', 'provenWithExceptions', 'proven'];
  recorded text;
BEGIN
  IF NEW.standing IN ('notChecked', 'notProven') THEN
    RETURN NULL;
  END IF;
  recorded := recorded_standing(NEW.id);
  IF NEW.standing IS NULL THEN
    UPDATE reclamation SET standing = recorded WHERE id = NEW.id;
  ELSIF array_position(worst_first, NEW.standing) > array_position(worst_first, recorded) THEN
    RAISE EXCEPTION 'reclamation % cannot be %: by its records it is %', NEW.id, NEW.standing, recorded USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER standing_of_ended AFTER UPDATE OF ended_at ON reclamation
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION standing_is_recorded();
CREATE TRIGGER standing_of_begun AFTER INSERT ON reclamation
  FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION standing_is_recorded();

-- An end is final, and so is what it proved.
CREATE FUNCTION standing_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the standing of a reclamation is written once, when it ends' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER standing_stays BEFORE UPDATE OF standing ON reclamation FOR EACH ROW
  WHEN (OLD.standing IS NOT NULL AND NEW.standing IS DISTINCT FROM OLD.standing OR NEW.standing IS NOT NULL AND NEW.ended_at IS NULL)
  EXECUTE FUNCTION standing_stays();

-- A certificate says no more than the records of its reclamation do (docs/adr/0120-one-standing.md).
CREATE FUNCTION certificate_is_founded() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  recorded text := recorded_standing(NEW.reclamation_id);
BEGIN
  -- The release before writes an earlier form and knows neither `waived` nor the type `notSanitized`: what it may not certify is a host that was not sanitized.
  IF recorded IN ('notSanitized', 'notProven', 'notChecked') OR recorded IS NULL
     OR NEW.type = 'certificate' AND recorded <> 'proven' AND NEW.statement LIKE '%"predicateType":"urn:reclaim:sanitization:4"%' THEN
    RAISE EXCEPTION 'reclamation % cannot get a certificate of the type %: by its records it is %', NEW.reclamation_id, NEW.type, coalesce(recorded, 'open') USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER certificate_is_founded AFTER INSERT ON certificate FOR EACH ROW
  WHEN (NEW.kind = 'certificate' AND NEW.type IN ('certificate', 'withExceptions')) EXECUTE FUNCTION certificate_is_founded();

CREATE FUNCTION instance_drives() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.drive_serials := ARRAY(
    SELECT jsonb_array_elements_text(r.context -> 'drives') FROM host_run r
    WHERE r.host_id = NEW.host_id AND jsonb_typeof(r.context -> 'drives') = 'array');
  RETURN NEW;
END $$;
CREATE TRIGGER instance_drives BEFORE INSERT ON instance FOR EACH ROW EXECUTE FUNCTION instance_drives();

-- Rows that every database has
INSERT INTO audit_tree (size, edge) VALUES (0, '');
INSERT INTO database_state DEFAULT VALUES;
