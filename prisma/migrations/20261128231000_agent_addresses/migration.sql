-- The address that a boot token was given to, and that a session belongs to. Null: written by the previous release.
ALTER TABLE "boot_window" ADD COLUMN "token_address" INET;
ALTER TABLE "agent_session" ADD COLUMN "address" INET;
