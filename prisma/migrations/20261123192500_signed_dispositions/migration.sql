-- What a person states of a drive is signed by another person before it answers anything (docs/adr/0105-exceptions-and-dispositions.md).

-- Null: stated under a release that knew one signature.
ALTER TABLE "drive_disposition" ADD COLUMN "approval_id" UUID;
CREATE UNIQUE INDEX "drive_disposition_approval_id_key" ON "drive_disposition" ("approval_id");

-- As before; and which approval it has never changes.
CREATE OR REPLACE FUNCTION "disposition_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR OLD.withdrawn_at IS NOT NULL
    OR (NEW.id, NEW.host_id, NEW.chassis_serial, NEW.key, NEW.model, NEW.slot, NEW.kind, NEW.reason, NEW.by_id, NEW.by_name, NEW.at, NEW.reclamation_id, NEW.approval_id)
      IS DISTINCT FROM (OLD.id, OLD.host_id, OLD.chassis_serial, OLD.key, OLD.model, OLD.slot, OLD.kind, OLD.reason, OLD.by_id, OLD.by_name, OLD.at, OLD.reclamation_id, OLD.approval_id) THEN
    RAISE EXCEPTION 'a drive disposition is withdrawn, never changed or deleted' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

-- A controller of the release before knows one signature (docs/adr/0024-rolling-upgrade.md): it must not take a host past a drive for which only one person
-- answered. A statement without an approval is of before the upgrade, and keeps the lists that rest on it.
CREATE FUNCTION "dispositions_are_signed"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "dispositions_are_signed" AFTER UPDATE OF "state" ON "host_run" FOR EACH ROW
  WHEN (NEW.state IN ('Ready', 'ReturnToAllocation/AwaitingRepair', 'Decommissioning/RemovingLeftovers') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION "dispositions_are_signed"();
