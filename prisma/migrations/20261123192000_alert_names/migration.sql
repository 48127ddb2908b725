-- Which names alerts and classifications have, so that a filter compares a few names and not those of each host (docs/benchmarks.md#health).
CREATE TABLE "alert_name" (
    "name" TEXT NOT NULL,
    CONSTRAINT "alert_name_pkey" PRIMARY KEY ("name")
);

-- Whoever writes a host's health, also a server of the release before: no name is missing. In order, so that two that are new at once do not wait for each other.
CREATE FUNCTION "alert_names_known"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alert_name (name) SELECT DISTINCT n FROM unnest(NEW.alert_ids || NEW.classifications) n ORDER BY n ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "alert_names_known" AFTER INSERT ON "host_health" FOR EACH ROW
  WHEN (NEW.alert_ids <> '{}' OR NEW.classifications <> '{}') EXECUTE FUNCTION "alert_names_known"();
CREATE TRIGGER "alert_names_change" AFTER UPDATE ON "host_health" FOR EACH ROW
  WHEN (NEW.alert_ids <> OLD.alert_ids OR NEW.classifications <> OLD.classifications) EXECUTE FUNCTION "alert_names_known"();

INSERT INTO "alert_name" ("name") SELECT DISTINCT unnest(alert_ids || classifications) FROM "host_health" ON CONFLICT DO NOTHING;
CREATE INDEX "host_health_names" ON "host_health" USING gin ((alert_ids || classifications));
