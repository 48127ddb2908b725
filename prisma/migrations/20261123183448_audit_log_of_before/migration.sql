-- Events of before the audit log was a tree are numbered first, in the order of their times (docs/adr/0101-audit-log.md). A transaction of its own: acts go
-- on while they are copied, and the trigger has queued what was written since.
INSERT INTO "audit_pending" ("xid", "at", "event_id")
SELECT 0, e."at", e."id" FROM "audit_event" e
WHERE NOT EXISTS (SELECT 1 FROM "audit_pending" p WHERE p."event_id" = e."id")
  AND NOT EXISTS (SELECT 1 FROM "audit_leaf" l WHERE l."event_id" = e."id");
