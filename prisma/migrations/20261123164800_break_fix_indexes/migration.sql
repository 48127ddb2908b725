-- A look at capacity asks which ticket gave a host as a replacement; retention asks by time.
CREATE INDEX "ticket_replacement" ON "ticket" ("replacement_host_id") WHERE "replacement_host_id" IS NOT NULL;
CREATE INDEX "capacity_event_at_idx" ON "capacity_event" ("at");
