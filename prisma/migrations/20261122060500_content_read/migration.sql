-- When a reclamation's content was read last changes in each final boot; the digests only with an erase. Beside them it made PostgreSQL store them again
-- (docs/adr/0032-what-is-written-once.md).
ALTER TABLE "reclamation" ADD COLUMN "content_read" JSONB;
UPDATE "reclamation" SET "content_read" = nullif("content" -> 'read', 'null'), "content" = "content" - 'read' WHERE "content" ? 'read';
