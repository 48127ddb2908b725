-- The self-audit that is asked for or in progress (docs/adr/0111-the-self-audit-replays-states.md): one row, or none. Its result is an event of the log.
CREATE TABLE "audit_check" (
  "one" BOOLEAN NOT NULL DEFAULT true,
  "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "asked_by" TEXT,
  "started_at" TIMESTAMPTZ(3),
  "beat_at" TIMESTAMPTZ(3),
  "stage" TEXT,
  "done" BIGINT NOT NULL DEFAULT 0,
  "total" BIGINT NOT NULL DEFAULT 0,
  CONSTRAINT "audit_check_pkey" PRIMARY KEY ("one"),
  CONSTRAINT "audit_check_one" CHECK ("one")
);

-- An entry of the log has at most 65,535 bytes. Facts that are longer are logged by their digests; the other texts must fit, escaped, too.
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_texts_fit" CHECK (
  octet_length(concat("actor_kind", "actor_id", "actor_name", "action", "target_kind", "target_id", "request_id", "address", "outcome")) <= 10000
) NOT VALID;

-- The result of a self-audit is the sequencer's word: who may not number events does not write it.
CREATE FUNCTION "audit_check_is_sequencers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The schema is named: nobody puts a table of their own in the place of this one.
  IF NOT pg_catalog.has_table_privilege(pg_catalog.format('%I.audit_leaf', TG_TABLE_SCHEMA), 'INSERT') THEN
    RAISE EXCEPTION 'the result of a self-audit is written by the role of the sequencer' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "audit_check_is_sequencers" BEFORE INSERT ON "audit_event"
  FOR EACH ROW WHEN (NEW."action" = 'auditLog.check') EXECUTE FUNCTION "audit_check_is_sequencers"();
