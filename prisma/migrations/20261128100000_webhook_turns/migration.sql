-- When a webhook last had its turn, so that owners of webhooks take turns whatever the age of their events.
ALTER TABLE "webhook" ADD COLUMN "turn_at" TIMESTAMPTZ(6);
