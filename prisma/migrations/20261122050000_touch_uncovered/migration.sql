-- What a statement that nobody touched the host does not cover: a touch before the present maintenance, or besides it (docs/adr/0028).
-- True unless this version set the maintenance: of one that a server of the previous release set it is not known.
ALTER TABLE "host_run" ADD COLUMN "touch_uncovered" BOOLEAN NOT NULL DEFAULT true;
-- What touched it, in words, where it was not maintenance. Means nothing while "touched" is false.
ALTER TABLE "host_run" ADD COLUMN "touched_reason" TEXT;
