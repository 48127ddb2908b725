-- Reports of failed checks are looked for every few seconds (docs/repair.md#failed-checks).
CREATE INDEX "health_report_checks" ON "health_report" ("host_id") WHERE "source" IN ('reclaim.sku', 'reclaim.tests');
