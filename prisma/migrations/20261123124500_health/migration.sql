-- Health of hosts (docs/adr/0092-health.md).

-- What acts on decisions, folded when a report is written, so that a claim of hosts reads it with the row.
ALTER TABLE "host_run" ADD COLUMN "health" JSONB;

CREATE TABLE "health_report" (
  "host_id" UUID NOT NULL,
  "source" TEXT NOT NULL,
  "mode" TEXT NOT NULL CHECK ("mode" IN ('merge', 'replace')),
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "body" JSONB NOT NULL,
  "reported_by" TEXT NOT NULL,
  "heartbeat_seconds" INTEGER,
  "silent_at" TIMESTAMPTZ(3),
  "silent_since" TIMESTAMPTZ(3),
  CONSTRAINT "health_report_pkey" PRIMARY KEY ("host_id", "source", "mode"),
  CONSTRAINT "health_report_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "health_report_replacing_key" ON "health_report" ("host_id") WHERE "mode" = 'replace';
CREATE INDEX "health_report_silent_at_idx" ON "health_report" ("silent_at") WHERE "silent_since" IS NULL AND "silent_at" IS NOT NULL;

CREATE TABLE "host_health" (
  "host_id" UUID NOT NULL,
  "level" TEXT NOT NULL DEFAULT 'healthy' CHECK ("level" IN ('healthy', 'alerts', 'blocked')),
  "alerts" INTEGER NOT NULL DEFAULT 0,
  "first_alert" TEXT,
  "alert_ids" TEXT[] NOT NULL DEFAULT '{}',
  "classifications" TEXT[] NOT NULL DEFAULT '{}',
  "replaced_by" TEXT,
  "paged" BOOLEAN NOT NULL DEFAULT false,
  "shown" JSONB NOT NULL DEFAULT '{"successes":[],"alerts":[]}',
  "observed_at" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "host_health_pkey" PRIMARY KEY ("host_id"),
  CONSTRAINT "host_health_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "health_change" (
  "id" BIGSERIAL NOT NULL,
  "host_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "source" TEXT NOT NULL,
  "mode" TEXT NOT NULL CHECK ("mode" IN ('merge', 'replace')),
  "kind" TEXT NOT NULL CHECK ("kind" IN ('set', 'removed', 'silent')),
  "body" JSONB,
  "by" TEXT NOT NULL,
  "reason" TEXT,
  CONSTRAINT "health_change_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "health_change_host_id_id_idx" ON "health_change" ("host_id", "id");
CREATE INDEX "health_change_at_idx" ON "health_change" ("at");

CREATE TABLE "health_source" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "site_id" UUID,
  "hash" BYTEA NOT NULL,
  "heartbeat_seconds" INTEGER,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_by" TEXT NOT NULL,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "health_source_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "health_source_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "health_source_name_key" ON "health_source" ("name");
CREATE UNIQUE INDEX "health_source_hash_key" ON "health_source" ("hash");

-- Whoever writes it, a server of the release before or this one: what an alert keeps out of allocation is not allocatable. Lowered and not refused,
-- so that the end of a maintenance by the older release is no error.
CREATE FUNCTION "allocatable_is_healthy"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.health @> '{"classifications": ["PreventAllocations"]}' THEN
    NEW.allocatable := false;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "allocatable_is_healthy" BEFORE INSERT OR UPDATE OF "allocatable", "health" ON "host_run"
  FOR EACH ROW WHEN (NEW.allocatable AND NEW.health IS NOT NULL) EXECUTE FUNCTION "allocatable_is_healthy"();

-- A controller of the release before knows no reports (docs/adr/0024-rolling-upgrade.md). What blocks in this release is the gate "healthy"; this holds for both.
CREATE FUNCTION "ready_has_no_blocking_alert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.health @> '{"classifications": ["PreventAllocations"]}' THEN
    RAISE EXCEPTION 'host % cannot be Ready: a health alert prevents its allocation', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ready_has_no_blocking_alert" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready' AND NEW.health IS NOT NULL) EXECUTE FUNCTION "ready_has_no_blocking_alert"();

-- A release that an older server takes is refused as well: it knows no alert that prevents it.
CREATE FUNCTION "release_is_not_prevented"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host_run r WHERE r.host_id = NEW.host_id AND r.health @> '{"classifications": ["PreventInstanceDeletion"]}') THEN
    RAISE EXCEPTION 'instance % cannot be released: a health alert prevents its deletion', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "release_is_not_prevented" AFTER UPDATE OF "release_requested_at" ON "instance"
  FOR EACH ROW WHEN (NEW.release_requested_at IS NOT NULL AND OLD.release_requested_at IS NULL) EXECUTE FUNCTION "release_is_not_prevented"();
