-- To the microsecond, as now() is. Rounded to the millisecond, a host that is due now was due up to half a millisecond later, and a claim right after missed it.
ALTER TABLE "host_run" ALTER COLUMN "due_at" TYPE TIMESTAMPTZ(6);
