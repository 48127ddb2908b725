-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "tenant" (
    "id" UUID NOT NULL,
    "org" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "targeted_instance_creation" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "tenant_id" UUID,
    "password_hash" TEXT NOT NULL,
    "session_epoch" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "adapter_token" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "adapter" TEXT NOT NULL,
    "site_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "adapter_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_attempt" (
    "id" BIGSERIAL NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "boot_window" (
    "host_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "generation" BIGINT NOT NULL,
    "token_box" BYTEA,
    "token_hash" BYTEA,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "boot_window_pkey" PRIMARY KEY ("host_id","boot_epoch")
);

-- CreateTable
CREATE TABLE "agent_session" (
    "host_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "identity" JSONB NOT NULL,
    "agent_version" TEXT NOT NULL,
    "hardware_managers" JSONB NOT NULL,
    "registered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_session_pkey" PRIMARY KEY ("host_id","boot_epoch")
);

-- CreateTable
CREATE TABLE "host" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "site_id" UUID NOT NULL,
    "rack" TEXT,
    "slot" TEXT,
    "sku_id" UUID,
    "hardware_type" TEXT NOT NULL,
    "manufacturer" TEXT,
    "model" TEXT,
    "serial" TEXT NOT NULL,
    "system_uuid" UUID NOT NULL,
    "macs" TEXT[],
    "bmc_address" TEXT NOT NULL,
    "bmc_username" TEXT NOT NULL,
    "bmc_password" BYTEA NOT NULL,
    "bmc_links" JSONB,
    "bmc_session" JSONB,
    "network_interfaces" TEXT[],
    "labels" JSONB NOT NULL DEFAULT '{}',
    "power_state" TEXT,
    "power_read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "host_run" (
    "host_id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "state_version" BIGINT NOT NULL DEFAULT 1,
    "state_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "limit_at" TIMESTAMPTZ(3),
    "context" JSONB NOT NULL DEFAULT '{}',
    "wait_reason" TEXT,
    "last_error" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "wake_seq" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "generation" BIGINT NOT NULL DEFAULT 0,
    "boot_epoch" INTEGER NOT NULL DEFAULT 0,
    "allocatable" BOOLEAN NOT NULL DEFAULT false,
    "evidence_seq" BIGINT NOT NULL DEFAULT 0,
    "maintenance" BOOLEAN NOT NULL DEFAULT false,
    "maintenance_reason" TEXT,
    "maintenance_by" TEXT,
    "reclamation_id" UUID,
    "instance_id" UUID,
    "tenant_id" UUID,
    "clean_step" TEXT,
    "clean_percent" DOUBLE PRECISION,
    "clean_message" TEXT,
    "command" JSONB,
    "command_epoch" INTEGER,
    "erasing" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "host_run_pkey" PRIMARY KEY ("host_id")
);

-- CreateTable
CREATE TABLE "host_inventory" (
    "host_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "boot_epoch" INTEGER NOT NULL DEFAULT 0,
    "collected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" JSONB NOT NULL,
    "left_out" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "host_inventory_pkey" PRIMARY KEY ("host_id","source")
);

-- CreateTable
CREATE TABLE "state_history" (
    "host_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "reclamation_id" UUID,
    "generation" BIGINT NOT NULL,
    "controller_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "state_history_pkey" PRIMARY KEY ("host_id","version")
);

-- CreateTable
CREATE TABLE "signal" (
    "id" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "effect" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "generation" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'written',
    "permit_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "result" JSONB,
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "effect_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "tenant_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ready_at" TIMESTAMPTZ(3),
    "release_requested_at" TIMESTAMPTZ(3),
    "released_by" UUID,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance_status_history" (
    "id" BIGSERIAL NOT NULL,
    "instance_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_status_history_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "network_resource" (
    "id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "instance_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "network_resource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "network_ack" (
    "host_id" UUID NOT NULL,
    "interface" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "extension_services" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "network_ack_pkey" PRIMARY KEY ("host_id","interface")
);

-- CreateTable
CREATE TABLE "debt" (
    "id" UUID NOT NULL,
    "chassis_serial" TEXT NOT NULL,
    "drive_serials" TEXT[],
    "instance_id" UUID,
    "tenant_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cleared_at" TIMESTAMPTZ(3),
    "cleared_by" UUID,
    "cleared_note" TEXT,

    CONSTRAINT "debt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "controller" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "lock_key" BIGSERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "controller_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed" (
    "id" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "host_id" UUID,
    "tenant_id" UUID,
    "what" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "feed_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "action" TEXT NOT NULL,
    "target_kind" TEXT,
    "target_id" TEXT,
    "tenant_id" UUID,
    "request_id" TEXT,
    "address" TEXT,
    "outcome" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reclamation" (
    "id" UUID NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "host_id" UUID NOT NULL,
    "host_serial" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "instance_id" UUID,
    "tenant_id" UUID,
    "requested_by" UUID,
    "request_id" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queued_at" TIMESTAMPTZ(3),
    "admitted_at" TIMESTAMPTZ(3),
    "limit_at" TIMESTAMPTZ(3),
    "stopped_at" TIMESTAMPTZ(3),
    "stopped_cause" TEXT,
    "stopped_in" TEXT,
    "message" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "policy_version" INTEGER NOT NULL,
    "policy" JSONB NOT NULL,
    "devices" JSONB,
    "plan" JSONB,
    "plan_epoch" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "reclamation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "step_run" (
    "id" UUID NOT NULL,
    "reclamation_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "plan_epoch" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "interface" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "where" TEXT NOT NULL,
    "priority" INTEGER NOT NULL,
    "priority_source" TEXT NOT NULL,
    "args" JSONB NOT NULL DEFAULT '{}',
    "proves" TEXT[],
    "status" TEXT NOT NULL DEFAULT 'planned',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "max_attempts" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "message" TEXT,

    CONSTRAINT "step_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "step_attempt" (
    "step_run_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "report" JSONB,
    "report_hash" TEXT,
    "reported_at" TIMESTAMPTZ(3),
    "progress" JSONB,
    "progress_at" TIMESTAMPTZ(3),
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "journal" JSONB NOT NULL DEFAULT '[]',
    "verdict" TEXT,
    "message" TEXT,

    CONSTRAINT "step_attempt_pkey" PRIMARY KEY ("step_run_id","attempt")
);

-- CreateTable
CREATE TABLE "device_result" (
    "id" BIGSERIAL NOT NULL,
    "reclamation_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "step_run_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "plan_epoch" INTEGER NOT NULL,
    "serial" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "media" TEXT NOT NULL,
    "technique" TEXT,
    "standard" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "technique_table" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_result_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gate" (
    "reclamation_id" UUID NOT NULL,
    "gate" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "generation" BIGINT NOT NULL,
    "evidence_seq" BIGINT NOT NULL,
    "evaluated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gate_pkey" PRIMARY KEY ("reclamation_id","gate")
);

-- CreateTable
CREATE TABLE "agent_log" (
    "id" BIGSERIAL NOT NULL,
    "reclamation_id" UUID,
    "host_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "demo" BOOLEAN NOT NULL DEFAULT false,
    "label" TEXT,
    "policy_version" INTEGER NOT NULL DEFAULT 1,
    "network_url" TEXT,
    "network_token" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "site_policy" (
    "site_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID,

    CONSTRAINT "site_policy_pkey" PRIMARY KEY ("site_id","version")
);

-- CreateTable
CREATE TABLE "sku" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "components" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sku_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenant_org_key" ON "tenant"("org");

-- CreateIndex
CREATE UNIQUE INDEX "person_email_key" ON "person"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "adapter_token_hash_key" ON "adapter_token"("hash");

-- CreateIndex
CREATE INDEX "sign_in_attempt_subject_at_idx" ON "sign_in_attempt"("subject", "at");

-- CreateIndex
CREATE UNIQUE INDEX "boot_window_token_hash_key" ON "boot_window"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "agent_session_token_hash_key" ON "agent_session"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "host_name_key" ON "host"("name");

-- CreateIndex
CREATE UNIQUE INDEX "host_serial_key" ON "host"("serial");

-- CreateIndex
CREATE UNIQUE INDEX "host_system_uuid_key" ON "host"("system_uuid");

-- CreateIndex
CREATE UNIQUE INDEX "host_bmc_address_key" ON "host"("bmc_address");

-- CreateIndex
CREATE INDEX "host_site_id_idx" ON "host"("site_id");

-- CreateIndex
CREATE INDEX "host_rack_idx" ON "host"("rack");

-- CreateIndex
CREATE INDEX "host_sku_id_idx" ON "host"("sku_id");

-- CreateIndex
CREATE INDEX "state_history_reclamation_id_idx" ON "state_history"("reclamation_id");

-- CreateIndex
CREATE INDEX "signal_host_id_id_idx" ON "signal"("host_id", "id");

-- CreateIndex
CREATE INDEX "effect_host_id_created_at_idx" ON "effect"("host_id", "created_at");

-- CreateIndex
CREATE INDEX "instance_tenant_id_created_at_idx" ON "instance"("tenant_id", "created_at");

-- CreateIndex
CREATE INDEX "instance_host_id_idx" ON "instance"("host_id");

-- CreateIndex
CREATE INDEX "instance_status_history_instance_id_id_idx" ON "instance_status_history"("instance_id", "id");

-- CreateIndex
CREATE INDEX "network_resource_host_id_idx" ON "network_resource"("host_id");

-- CreateIndex
CREATE INDEX "debt_chassis_serial_idx" ON "debt"("chassis_serial");

-- CreateIndex
CREATE UNIQUE INDEX "controller_lock_key_key" ON "controller"("lock_key");

-- CreateIndex
CREATE INDEX "feed_xid_id_idx" ON "feed"("xid", "id");

-- CreateIndex
CREATE INDEX "audit_event_at_idx" ON "audit_event"("at");

-- CreateIndex
CREATE INDEX "audit_event_target_id_idx" ON "audit_event"("target_id");

-- CreateIndex
CREATE UNIQUE INDEX "reclamation_number_key" ON "reclamation"("number");

-- CreateIndex
CREATE INDEX "reclamation_host_id_started_at_idx" ON "reclamation"("host_id", "started_at");

-- CreateIndex
CREATE INDEX "reclamation_tenant_id_idx" ON "reclamation"("tenant_id");

-- CreateIndex
CREATE INDEX "step_run_host_id_idx" ON "step_run"("host_id");

-- CreateIndex
CREATE UNIQUE INDEX "step_run_reclamation_id_plan_epoch_position_key" ON "step_run"("reclamation_id", "plan_epoch", "position");

-- CreateIndex
CREATE INDEX "device_result_reclamation_id_idx" ON "device_result"("reclamation_id");

-- CreateIndex
CREATE INDEX "device_result_serial_idx" ON "device_result"("serial");

-- CreateIndex
CREATE INDEX "agent_log_reclamation_id_idx" ON "agent_log"("reclamation_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_log_host_id_boot_epoch_sequence_key" ON "agent_log"("host_id", "boot_epoch", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "site_name_key" ON "site"("name");

-- CreateIndex
CREATE UNIQUE INDEX "sku_name_key" ON "sku"("name");

-- AddForeignKey
ALTER TABLE "person" ADD CONSTRAINT "person_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "adapter_token" ADD CONSTRAINT "adapter_token_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host" ADD CONSTRAINT "host_sku_id_fkey" FOREIGN KEY ("sku_id") REFERENCES "sku"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_run" ADD CONSTRAINT "host_run_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_inventory" ADD CONSTRAINT "host_inventory_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "instance_status_history" ADD CONSTRAINT "instance_status_history_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "network_resource" ADD CONSTRAINT "network_resource_instance_id_fkey" FOREIGN KEY ("instance_id") REFERENCES "instance"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "network_ack" ADD CONSTRAINT "network_ack_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_run" ADD CONSTRAINT "step_run_reclamation_id_fkey" FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_attempt" ADD CONSTRAINT "step_attempt_step_run_id_fkey" FOREIGN KEY ("step_run_id") REFERENCES "step_run"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_result" ADD CONSTRAINT "device_result_reclamation_id_fkey" FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gate" ADD CONSTRAINT "gate_reclamation_id_fkey" FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_log" ADD CONSTRAINT "agent_log_reclamation_id_fkey" FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "site_policy" ADD CONSTRAINT "site_policy_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- What Prisma's schema language cannot say.

-- host_run is updated often and in place (design: datapath.md): room for HOT updates, narrow partial indexes.
ALTER TABLE "host_run" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX "host_run_due" ON "host_run" ("due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "host_run_leased" ON "host_run" ("lease_until") WHERE "lease_owner" IS NOT NULL;
CREATE INDEX "host_run_site_state" ON "host_run" ("site_id", "state") INCLUDE ("limit_at", "maintenance", "allocatable");
CREATE INDEX "host_run_name" ON "host_run" ("name");
CREATE INDEX "host_run_since" ON "host_run" ("state_since", "host_id");
CREATE INDEX "host_run_tenant" ON "host_run" ("tenant_id") WHERE "tenant_id" IS NOT NULL;
ALTER TABLE "signal" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX "effect_unread" ON "effect" ("host_id") WHERE "read_at" IS NULL;

-- A claim wins or loses here: one open instance per host.
CREATE UNIQUE INDEX "instance_open_on_host" ON "instance" ("host_id") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "instance_open_name" ON "instance" ("tenant_id", "name") WHERE "ended_at" IS NULL;
CREATE INDEX "reclamation_open_on_host" ON "reclamation" ("host_id") WHERE "ended_at" IS NULL;
CREATE INDEX "reclamation_ended" ON "reclamation" ("ended_at") WHERE "ended_at" IS NOT NULL;
CREATE INDEX "debt_standing" ON "debt" ("chassis_serial") WHERE "cleared_at" IS NULL;
CREATE INDEX "debt_standing_drives" ON "debt" USING gin ("drive_serials") WHERE "cleared_at" IS NULL;
CREATE INDEX "state_history_at" ON "state_history" USING brin ("at");
CREATE INDEX "feed_at" ON "feed" USING brin ("at");

-- The last line of defence: no statement, whoever wrote it, makes a host Ready with an unsatisfied gate, a standing debt or an instance on it.
CREATE FUNCTION "ready_is_proven"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE missing text;
BEGIN
  IF NEW.instance_id IS NOT NULL OR EXISTS (SELECT 1 FROM instance i WHERE i.host_id = NEW.host_id AND i.ended_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: an instance holds it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM host h JOIN debt d ON d.chassis_serial = h.serial WHERE h.id = NEW.host_id AND d.cleared_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: it owes a sanitization', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  SELECT string_agg(g.gate || ' ' || g.status, ', ') INTO missing FROM gate g
    WHERE g.reclamation_id = NEW.reclamation_id
      AND NOT (g.status IN ('satisfied', 'not required', 'excepted')
               OR (g.status = 'not implemented' AND EXISTS (SELECT 1 FROM site s WHERE s.id = NEW.site_id AND s.demo)));
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'host % cannot be Ready: %', NEW.host_id, missing USING ERRCODE = 'check_violation';
  END IF;
  IF (SELECT count(*) FROM gate g WHERE g.reclamation_id = NEW.reclamation_id) <> 14 THEN
    RAISE EXCEPTION 'host % cannot be Ready: not every gate was evaluated', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ready_is_proven" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION "ready_is_proven"();
CREATE FUNCTION "never_inserted_ready"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a host is enrolled in Enroll, not in %', NEW.state USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "never_inserted_ready" BEFORE INSERT ON "host_run"
  FOR EACH ROW WHEN (NEW.state <> 'Enroll') EXECUTE FUNCTION "never_inserted_ready"();

-- A debt is cleared once, by a reclamation, and never deleted.
CREATE FUNCTION "debt_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a sanitization debt is cleared by a reclamation, never deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "debt_stands" BEFORE DELETE ON "debt" FOR EACH ROW EXECUTE FUNCTION "debt_stands"();
ALTER TABLE "debt" ADD CONSTRAINT "debt_cleared_by_reclamation" CHECK (("cleared_at" IS NULL) = ("cleared_by" IS NULL));

-- A host without an interface to acknowledge would be on the admin network by having nothing to ask.
ALTER TABLE "host" ADD CONSTRAINT "host_has_interfaces" CHECK (cardinality("network_interfaces") > 0);
