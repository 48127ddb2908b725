-- The digest of the history of each reclamation that ends (docs/adr/0101-audit-log.md). Those that ended before have none.
CREATE TABLE "history_digest_due" (
  "reclamation_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "trouble" TEXT,
  CONSTRAINT "history_digest_due_pkey" PRIMARY KEY ("reclamation_id")
);

-- Whichever release ends it.
CREATE FUNCTION history_digest_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO history_digest_due (reclamation_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER history_digest_due_of_ended AFTER UPDATE OF ended_at ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL) EXECUTE FUNCTION history_digest_is_due();
CREATE TRIGGER history_digest_due_of_begun AFTER INSERT ON reclamation FOR EACH ROW
  WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION history_digest_is_due();
