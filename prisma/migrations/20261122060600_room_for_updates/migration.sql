-- Rows of these tables are written several times within minutes. On full pages each new version went to another page: the whole row into the WAL, and a new
-- entry into every index (HOT: 4.5 of 17 updates of effects per host). With room on the page only the difference is written
-- (docs/adr/0032-what-is-written-once.md). It holds for pages that are filled from now on.
ALTER TABLE "effect" SET (fillfactor = 50);
ALTER TABLE "step_attempt" SET (fillfactor = 60);
ALTER TABLE "step_run" SET (fillfactor = 70);
ALTER TABLE "boot_window" SET (fillfactor = 60);
ALTER TABLE "agent_session" SET (fillfactor = 60);
ALTER TABLE "reclamation" SET (fillfactor = 60);
ALTER TABLE "host_inventory" SET (fillfactor = 60);
ALTER TABLE "host_run" SET (fillfactor = 50);
