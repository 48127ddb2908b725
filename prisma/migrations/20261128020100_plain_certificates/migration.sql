-- A certificate says no more than the records of its reclamation do (docs/adr/0120-one-standing.md).
CREATE FUNCTION "certificate_is_founded"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER "certificate_is_founded" AFTER INSERT ON "certificate" FOR EACH ROW
  WHEN (NEW.kind = 'certificate' AND NEW.type IN ('certificate', 'withExceptions')) EXECUTE FUNCTION "certificate_is_founded"();
