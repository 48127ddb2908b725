-- Changes of a site that need two people (docs/adr/0112-policy-changes-by-two-people.md).

-- Nobody ever asked for a bundle's promotion: what that needs comes with measured boot (docs/design/attestation.md).
ALTER TABLE "approval" DROP CONSTRAINT "approval_kind_check",
  ADD CONSTRAINT "approval_kind_check" CHECK ("kind" IN ('signOff', 'exception', 'disposition', 'policyChange'));

CREATE TABLE "policy_change" (
  "id" UUID NOT NULL,
  "approval_id" UUID NOT NULL,
  "site_id" UUID NOT NULL,
  "site_name" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "base" TEXT NOT NULL,
  "proposed" TEXT NOT NULL,
  "changes" JSONB NOT NULL,
  "document" JSONB NOT NULL,
  "request" BYTEA,
  "version" INTEGER,
  CONSTRAINT "policy_change_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "policy_change_approval_id_key" ON "policy_change" ("approval_id");
CREATE INDEX "policy_change_site_id_idx" ON "policy_change" ("site_id");
-- One at a time.
CREATE UNIQUE INDEX "approval_one_policy_change_idx" ON "approval" ("site_id") WHERE "kind" = 'policyChange' AND "decision" IS NULL AND "voided_at" IS NULL;
CREATE INDEX "approval_policy_change_idx" ON "approval" ("site_id") WHERE "kind" = 'policyChange';

ALTER TABLE "site_version" ADD COLUMN "approved_by_id" UUID, ADD COLUMN "approved_by_name" TEXT,
  ADD CONSTRAINT "site_version_two_people_check" CHECK ("approved_by_id" <> "by_id");

CREATE FUNCTION "policy_change_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "policy_change_is_kept" BEFORE UPDATE OR DELETE ON "policy_change" FOR EACH ROW EXECUTE FUNCTION "policy_change_is_kept"();

-- Whether a policy says that changes of its site need two people. What is neither true nor false counts as true.
CREATE FUNCTION "needs_two_people"(body jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(body -> 'changesNeedApproval', 'false') <> 'false'
$$;
-- The same of the policy that was in force when this transaction began.
CREATE FUNCTION "site_needs_two_people"(site uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT needs_two_people(p.body) FROM site_policy p
    WHERE p.site_id = site AND p.xmin <> pg_current_xact_id()::xid ORDER BY p.version DESC LIMIT 1), false)
$$;

-- Whoever writes, also a release that does not know of this (docs/adr/0024-rolling-upgrade.md): what needs two people changes only in the transaction in which
-- another person approves it. Looked at when the transaction ends: the server tries a change, and takes it back, to show what it would do.
CREATE FUNCTION "site_is_changed_by_two_people"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
  site_of uuid;
  needed boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  CASE TG_TABLE_NAME
    -- A new one is made by two people where any site needs them.
    WHEN 'site' THEN IF TG_OP = 'UPDATE' THEN site_of := changed.id; END IF;
    WHEN 'site_policy', 'agent_image', 'adapter_token' THEN site_of := changed.site_id;
    WHEN 'step_override' THEN
      IF changed.scope = 'host' THEN RETURN NULL; END IF;
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
CREATE CONSTRAINT TRIGGER "site_is_changed_by_two_people" AFTER UPDATE ON "site" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.policy_version, OLD.network_url, OLD.network_token, OLD.bmc_trust, OLD.authorities, OLD.demo)
    IS DISTINCT FROM (NEW.policy_version, NEW.network_url, NEW.network_token, NEW.bmc_trust, NEW.authorities, NEW.demo))
  EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "site_is_made_by_two_people" AFTER INSERT ON "site" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "site_policy_is_changed_by_two_people" AFTER INSERT OR UPDATE OR DELETE ON "site_policy" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "step_override_is_changed_by_two_people" AFTER INSERT OR UPDATE OR DELETE ON "step_override" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "sku_is_changed_by_two_people" AFTER UPDATE ON "sku" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.components) IS DISTINCT FROM (NEW.name, NEW.components)) EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "sku_is_made_by_two_people" AFTER INSERT OR DELETE ON "sku" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "agent_image_is_added_by_two_people" AFTER INSERT ON "agent_image" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "agent_image_is_changed_by_two_people" AFTER UPDATE ON "agent_image" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.version, OLD.url, OLD.sha256, OLD.signed, OLD.kind) IS DISTINCT FROM (NEW.version, NEW.url, NEW.sha256, NEW.signed, NEW.kind))
  EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "adapter_token_is_changed_by_two_people" AFTER INSERT OR UPDATE OR DELETE ON "adapter_token" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "site_is_changed_by_two_people"();

-- A release that knows the kind and not what follows from it would approve a change and not make it.
CREATE FUNCTION "policy_change_is_applied"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM policy_change c WHERE c.approval_id = NEW.id AND c.version IS NOT NULL) THEN
    RAISE EXCEPTION 'approval % of a change that was not made', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "policy_change_is_applied" AFTER INSERT OR UPDATE ON "approval" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.kind = 'policyChange' AND NEW.decision = 'approved') EXECUTE FUNCTION "policy_change_is_applied"();
