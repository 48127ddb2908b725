-- An exception for the gate that one step proves goes with that step, as one for a drive does (docs/adr/0105-exceptions-and-dispositions.md).
CREATE OR REPLACE FUNCTION unfounded_exception(reclamation uuid, grace interval) RETURNS text LANGUAGE sql AS $$
  SELECT g.gate FROM gate g
   WHERE g.reclamation_id = reclamation AND g.status = 'excepted'
     AND (coalesce(jsonb_array_length(CASE WHEN jsonb_typeof(g.evidence -> 'exceptions') = 'array' THEN g.evidence -> 'exceptions' END), 0) = 0
       OR EXISTS (
         SELECT 1 FROM jsonb_array_elements(g.evidence -> 'exceptions') e(named)
          WHERE NOT EXISTS (
            SELECT 1 FROM gate_exception x JOIN approval a ON a.id = x.approval_id
             WHERE x.id::text = e.named ->> 'id' AND x.reclamation_id = g.reclamation_id
               -- A step that stopped at a drive goes with the drive, one that failed with its gate.
               AND (x.gate = g.gate OR g.gate = 'cleanupCompleted' AND x.gate IN ('storageSanitized', 'memoryOverwritten', 'infinibandClean'))
               AND a.decision = 'approved' AND a.voided_at IS NULL AND a.valid_until > clock_timestamp() - grace)))
   LIMIT 1
$$;
