-- Effects that an earlier claim of their host wrote and whose process ended before it stored an outcome: nobody can store one any more.
-- From now on they are settled when a handler reads them, or by the sweep.
UPDATE "effect" e SET "status" = 'unknown', "settled_at" = now()
FROM "host_run" r WHERE r."host_id" = e."host_id" AND e."settled_at" IS NULL AND e."generation" < r."generation";
