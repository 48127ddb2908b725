-- What the database knows of itself, in one row: which key its secrets are sealed with, and whether `npm start` made its data (docs/adr/0018-what-a-database-knows-of-itself.md).
CREATE TABLE "database_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "key_fingerprint" TEXT,
    "demo" TEXT,

    CONSTRAINT "database_state_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "database_state" ADD CONSTRAINT "database_state_one_row" CHECK ("id" = 1);
ALTER TABLE "database_state" ADD CONSTRAINT "database_state_demo" CHECK ("demo" IN ('people', 'fleet'));

-- Earlier versions of `npm start` left no marker. Theirs is a database with the demo's people and site and nobody and nothing else.
INSERT INTO "database_state" ("id", "demo")
SELECT 1, CASE
  WHEN NOT EXISTS (SELECT 1 FROM "person" WHERE "email" = 'operator@reclaim.example')
    OR EXISTS (SELECT 1 FROM "person" WHERE "email" NOT IN ('operator@reclaim.example', 'admin@reclaim.example', 'admin@acme.example', 'admin@fixit.example', 'auditor@reclaim.example', 'admin@vela.example'))
    OR EXISTS (SELECT 1 FROM "site" WHERE "name" <> 'a') THEN NULL
  WHEN EXISTS (SELECT 1 FROM "site" WHERE "demo" AND "label" LIKE 'Simulated fleet%') THEN 'fleet'
  WHEN EXISTS (SELECT 1 FROM "site" WHERE NOT "demo" AND "label" IS NULL) THEN 'people' END;
