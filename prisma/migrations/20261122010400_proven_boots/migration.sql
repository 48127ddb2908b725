-- A boot is open for a token and a registration only once its restart is proven, and never again once something asked too early (docs/adr/0020-a-boot-is-proven.md).

ALTER TABLE "boot_window" ADD COLUMN "reset_done_at" TIMESTAMPTZ(3);
ALTER TABLE "boot_window" ADD COLUMN "contested_at" TIMESTAMPTZ(3);

-- Names the run of the agent that registered, by the hash of a number that only it knows; null: an agent of an earlier version.
ALTER TABLE "agent_session" ADD COLUMN "run_hash" BYTEA;

-- From its first erase on until it is Ready, a host that boots is told to wait, never to go on to its disks.
ALTER TABLE "host_run" ADD COLUMN "boot_held" BOOLEAN NOT NULL DEFAULT false;

-- The last line of defence, as before; and nothing that the newest boot or a step of the plan rests on ran in a boot that proves nothing.
CREATE FUNCTION "ready_boots_are_proven"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM host h WHERE h.id = NEW.host_id AND h.hardware_type <> 'fake') AND EXISTS (
    SELECT 1 FROM (
      SELECT NEW.boot_epoch AS boot_epoch WHERE NEW.boot_epoch > 0
      UNION
      SELECT a.boot_epoch FROM reclamation c JOIN step_run t ON t.reclamation_id = c.id AND t.plan_epoch = c.plan_epoch AND t."where" = 'agent' AND t.status = 'succeeded'
        JOIN step_attempt a ON a.step_run_id = t.id AND a.attempt = t.attempt
       WHERE c.id = NEW.reclamation_id
    ) e
    LEFT JOIN boot_window w ON w.host_id = NEW.host_id AND w.boot_epoch = e.boot_epoch
    WHERE w.reset_done_at IS NULL OR w.contested_at IS NOT NULL OR w.consumed_at IS NULL) THEN
    RAISE EXCEPTION 'host % cannot be Ready: a boot that it rests on was not restarted, or something else answered in it', NEW.host_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ready_boots_are_proven" AFTER UPDATE OF "state" ON "host_run"
  FOR EACH ROW WHEN (NEW.state = 'Ready' AND OLD.state <> 'Ready') EXECUTE FUNCTION "ready_boots_are_proven"();
