-- What a tenant may do at one site (docs/adr/0098-tenants-by-site.md).
ALTER TABLE "tenant" ADD COLUMN "disabled_at" TIMESTAMPTZ(3);
CREATE TABLE "tenant_grant" (
  "tenant_id" UUID NOT NULL,
  "site_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "given_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "given_by" TEXT NOT NULL,
  CONSTRAINT "tenant_grant_pkey" PRIMARY KEY ("tenant_id", "site_id", "kind"),
  CONSTRAINT "tenant_grant_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "tenant_grant_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "tenant_grant_site_id_idx" ON "tenant_grant"("site_id");
-- What every tenant could do so far, at the sites that there are. The flag is not read any more: what is raised later gives nothing.
INSERT INTO "tenant_grant" ("tenant_id", "site_id", "kind", "given_by")
SELECT t."id", s."id", g."kind", 'the upgrade to grants by site'
FROM "tenant" t CROSS JOIN "site" s CROSS JOIN (VALUES ('networkAllocation'), ('targetedInstanceCreation')) g ("kind")
WHERE g."kind" = 'networkAllocation' OR t."targeted_instance_creation";
