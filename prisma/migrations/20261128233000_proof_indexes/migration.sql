-- The proof desk searches returns of years (server/usecases/proof/hundred-thousand-returns.itest.ts).

-- By standing, the newest first, and counted by standing from the index alone. As in `returns` (server/usecases/proof/returns-sql.ts).
CREATE INDEX "reclamation_standing" ON "reclamation" ((coalesce("standing", 'notProven')), "started_at", "id") WHERE "kind" <> 'manualCleaning';

-- Which releases began a reclamation, and the returns of an instance.
CREATE INDEX "reclamation_instance" ON "reclamation" ("instance_id", "host_id") WHERE "kind" <> 'manualCleaning';

-- By the beginning of a name or serial number. Unlike a plain index, one with this operator class serves LIKE in a database of any collation.
CREATE INDEX "host_name_lower" ON "host" (lower("name") text_pattern_ops);
CREATE INDEX "host_serial_lower" ON "host" (lower("serial") text_pattern_ops);
CREATE INDEX "gone_host_name_lower" ON "gone_host" (lower("name") text_pattern_ops);
CREATE INDEX "gone_host_serial_lower" ON "gone_host" (lower("serial") text_pattern_ops);
DROP INDEX "instance_name_lower";
CREATE INDEX "instance_name_lower" ON "instance" (lower("name") text_pattern_ops);
DROP INDEX "drive_serial_lower";
CREATE INDEX "drive_serial_lower" ON "drive" (lower("serial") text_pattern_ops);
