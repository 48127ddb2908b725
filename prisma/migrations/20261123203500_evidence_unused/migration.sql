-- What housekeeping and the limit of a tenant look for is a small part of a table that only grows.
CREATE INDEX "evidence_file_unused" ON "evidence_file" ("uploaded_at") WHERE "kept_at" IS NULL AND "held_at" IS NULL;
