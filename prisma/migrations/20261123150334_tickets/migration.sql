-- Break-fix as data (docs/adr/0095-break-fix.md).
CREATE TABLE "ticket" (
  "id" UUID NOT NULL,
  "ref" TEXT NOT NULL,
  "host_id" UUID NOT NULL,
  "host_name" TEXT NOT NULL,
  "host_serial" TEXT,
  "site_id" UUID NOT NULL,
  "tenant_id" UUID,
  "instance_id" UUID,
  "handed_over_at" TIMESTAMPTZ(3),
  "origin" TEXT NOT NULL CHECK ("origin" IN ('operator', 'tenant', 'release', 'onlineRepair')),
  "category" TEXT NOT NULL,
  "summary" TEXT NOT NULL,
  "details" TEXT NOT NULL DEFAULT '',
  "action" TEXT NOT NULL DEFAULT 'none',
  "parts" JSONB NOT NULL DEFAULT '[]',
  "state" TEXT NOT NULL DEFAULT 'open' CHECK ("state" IN ('open', 'inProgress', 'waiting', 'repaired', 'closed')),
  "outcome" TEXT,
  "external_ref" TEXT,
  "replacement_wanted" BOOLEAN NOT NULL DEFAULT false,
  "replacement_host_id" UUID,
  "replacement_instance_id" UUID,
  "opened_as" TEXT NOT NULL,
  "opened_by" TEXT NOT NULL,
  "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "closed_at" TIMESTAMPTZ(3),
  CONSTRAINT "ticket_pkey" PRIMARY KEY ("id"),
  -- A ticket that has ended says when and how, and no other does.
  CONSTRAINT "ticket_closed" CHECK (("state" = 'closed') = ("closed_at" IS NOT NULL) AND ("state" = 'closed') = ("outcome" IS NOT NULL))
);
CREATE UNIQUE INDEX "ticket_ref_key" ON "ticket" ("ref");
CREATE INDEX "ticket_opened_at_id_idx" ON "ticket" ("opened_at", "id");
CREATE INDEX "ticket_tenant_id_opened_at_idx" ON "ticket" ("tenant_id", "opened_at");
CREATE INDEX "ticket_host_id_opened_at_idx" ON "ticket" ("host_id", "opened_at");
CREATE INDEX "ticket_open_idx" ON "ticket" ("host_id") WHERE "closed_at" IS NULL;

CREATE TABLE "ticket_update" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "seq" BIGSERIAL NOT NULL,
  "ticket_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "author" TEXT NOT NULL CHECK ("author" IN ('provider', 'tenant', 'repairTenant', 'system')),
  "author_tenant_id" UUID,
  "by" TEXT NOT NULL,
  "audience" TEXT NOT NULL CHECK ("audience" IN ('shared', 'internal')),
  "note" TEXT NOT NULL DEFAULT '',
  "changes" JSONB NOT NULL DEFAULT '{}',
  CONSTRAINT "ticket_update_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "ticket_update_ticket_id_fkey" FOREIGN KEY ("ticket_id") REFERENCES "ticket"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "ticket_update_ticket_id_seq_idx" ON "ticket_update" ("ticket_id", "seq");

-- What was said stays said.
CREATE FUNCTION "ticket_updates_only_grow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the updates of a ticket are not changed' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "ticket_updates_only_grow" BEFORE UPDATE OR DELETE ON "ticket_update"
  FOR EACH ROW EXECUTE FUNCTION "ticket_updates_only_grow"();
