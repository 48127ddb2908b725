-- The proof desk's search of a tenant's month reads the releases of that month, not all instances that the tenant ever had
-- (server/usecases/proof/hundred-thousand-returns.itest.ts). As in `returns` (server/usecases/proof/returns-sql.ts).
CREATE INDEX "instance_tenant_returned" ON "instance" ("tenant_id", (coalesce("release_requested_at", "ended_at"))) WHERE "release_requested_at" IS NOT NULL OR "ended_at" IS NOT NULL;
