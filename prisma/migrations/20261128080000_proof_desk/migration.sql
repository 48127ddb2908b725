-- The proof desk pages through returns by the time at which they began, of all or of one tenant (docs/adr/0125-proof-desk.md). The index by tenant
-- replaces the one that had the tenant alone, so that a release writes one index entry more, not two.
CREATE INDEX "reclamation_started_at_id_idx" ON "reclamation" ("started_at", "id");
CREATE INDEX "reclamation_tenant_id_started_at_id_idx" ON "reclamation" ("tenant_id", "started_at", "id");
DROP INDEX "reclamation_tenant_id_idx";
CREATE INDEX "instance_name_lower" ON "instance" (lower("name"));
