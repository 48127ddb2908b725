-- A host that is not cleaned, or not by a step, may become Ready and is not sanitized: it needs two people where the site has that rule
-- (docs/adr/0112-policy-changes-by-two-people.md).
CREATE OR REPLACE FUNCTION "site_is_changed_by_two_people"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE CONSTRAINT TRIGGER "host_is_left_out_by_two_people" AFTER UPDATE ON "host" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.automated_clean = false AND (OLD.automated_clean, OLD.site_id) IS DISTINCT FROM (NEW.automated_clean, NEW.site_id))
  EXECUTE FUNCTION "site_is_changed_by_two_people"();
CREATE CONSTRAINT TRIGGER "host_is_made_left_out_by_two_people" AFTER INSERT ON "host" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.automated_clean = false) EXECUTE FUNCTION "site_is_changed_by_two_people"();
