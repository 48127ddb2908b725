-- A request that waits is of no use once its reclamation is over, however it ended: approved later, it would only make the host owe.
CREATE FUNCTION "requests_end_with_their_reclamation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE approval a SET voided_at = now(), voided_reason = 'the reclamation ended as ' || NEW.outcome
    FROM gate_exception x WHERE x.approval_id = a.id AND x.reclamation_id = NEW.id AND a.voided_at IS NULL AND a.decision IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "requests_end_with_their_reclamation" AFTER UPDATE ON "reclamation" FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND NEW.outcome IN ('ready', 'handedToRepair'))
  EXECUTE FUNCTION "requests_end_with_their_reclamation"();
