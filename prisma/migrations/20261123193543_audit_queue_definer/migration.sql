-- Writers of events need no right on the queue of the sequencer: the trigger has its owner's (docs/operations.md#database-roles). The search path is fixed
-- with pg_temp at its end, so that nobody puts a table of their own in the queue's place.
ALTER FUNCTION "audit_event_pends"() SECURITY DEFINER;
DO $$ BEGIN EXECUTE format('ALTER FUNCTION audit_event_pends() SET search_path = %I, pg_temp', current_schema()); END $$;
