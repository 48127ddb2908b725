-- What only servers of 0.1.0 read or wrote, which no release runs beside any more.
DROP TABLE sign_in_attempt;
ALTER TABLE tenant DROP COLUMN targeted_instance_creation;
DROP TRIGGER node_record_takes_bmc_system ON node_record;
DROP FUNCTION take_bmc_system();

-- A permit without an end is of 0.1.0, and held for a minute.
UPDATE effect SET held_until = permit_at + interval '1 minute' WHERE status = 'permitted' AND held_until IS NULL;

-- Certificates are made in today's form only: what stands for any form of them holds for each.
CREATE OR REPLACE FUNCTION certificate_is_founded() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  recorded text := recorded_standing(NEW.reclamation_id);
BEGIN
  IF recorded IN ('notSanitized', 'notProven', 'notChecked') OR recorded IS NULL
     OR NEW.type = 'certificate' AND recorded <> 'proven' THEN
    RAISE EXCEPTION 'reclamation % cannot get a certificate of the type %: by its records it is %', NEW.reclamation_id, NEW.type, coalesce(recorded, 'open') USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
