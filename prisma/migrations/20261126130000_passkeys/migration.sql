-- Passkeys, and with what a decision was confirmed (docs/adr/0113-passkeys.md).

CREATE TABLE "passkey" (
  "id" UUID NOT NULL,
  "person_id" UUID NOT NULL,
  "credential_id" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "counter" BIGINT NOT NULL DEFAULT 0,
  "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "rp_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "passkey_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "passkey_counter_check" CHECK ("counter" >= 0)
);
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey" ("credential_id");
CREATE UNIQUE INDEX "passkey_person_id_name_key" ON "passkey" ("person_id", "name");
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "passkey_challenge" (
  "challenge" TEXT NOT NULL,
  "person_id" UUID NOT NULL,
  "session_id" UUID NOT NULL,
  "purpose" TEXT NOT NULL,
  "confirmed_with" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("challenge"),
  CONSTRAINT "passkey_challenge_confirmed_with_check" CHECK ("confirmed_with" IN ('password', 'passkey'))
);
CREATE INDEX "passkey_challenge_person_id_idx" ON "passkey_challenge" ("person_id");
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge" ("expires_at");
ALTER TABLE "passkey_challenge" ADD CONSTRAINT "passkey_challenge_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "person" ADD COLUMN "reset_by" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[], ADD COLUMN "first_password_by" UUID;
ALTER TABLE "approval" ADD COLUMN "asker_reset_by" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];
ALTER TABLE "approval" ADD COLUMN "decided_with" TEXT CONSTRAINT "approval_decided_with_check" CHECK ("decided_with" IN ('password', 'passkey'));
ALTER TABLE "approval" ADD CONSTRAINT "approval_decided_with_decision_check" CHECK ("decided_with" IS NULL OR "decision" IS NOT NULL);

CREATE FUNCTION "passkey_is_kept"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.person_id, NEW.credential_id, NEW.public_key, NEW.rp_id, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.person_id, OLD.credential_id, OLD.public_key, OLD.rp_id, OLD.created_at) THEN
    RAISE EXCEPTION 'the key of passkey % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF NEW.counter < OLD.counter THEN
    RAISE EXCEPTION 'the counter of passkey % never falls', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "passkey_is_kept" BEFORE UPDATE ON "passkey" FOR EACH ROW EXECUTE FUNCTION "passkey_is_kept"();

-- A server of the release before knows no passkeys and would take the password: it must not decide for somebody who has one (docs/adr/0024-rolling-upgrade.md).
CREATE FUNCTION "approval_passkey_is_used"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.decision IS NOT NULL AND NEW.decided_with IS DISTINCT FROM OLD.decided_with THEN
    RAISE EXCEPTION 'the decision on approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.decision IS NULL AND NEW.decision IS NOT NULL AND NEW.decided_with IS DISTINCT FROM 'passkey'
     AND EXISTS (SELECT 1 FROM passkey k WHERE k.person_id = NEW.decided_by) THEN
    RAISE EXCEPTION 'approval % is decided with a passkey: its decider has one', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "approval_passkey_is_used" BEFORE UPDATE ON "approval" FOR EACH ROW EXECUTE FUNCTION "approval_passkey_is_used"();

-- Nor does it know who reset whom: none of them is the second person.
CREATE FUNCTION "approval_is_not_of_who_reset"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.asker_reset_by IS DISTINCT FROM OLD.asker_reset_by THEN
    RAISE EXCEPTION 'what was asked of approval % never changes', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  IF OLD.decision IS NULL AND NEW.decision IS NOT NULL AND (NEW.decided_by = ANY(NEW.asker_reset_by)
     OR EXISTS (SELECT 1 FROM person p WHERE p.id = NEW.decided_by AND NEW.asked_by = ANY(p.reset_by || p.first_password_by))) THEN
    RAISE EXCEPTION 'approval % needs another person: one of the two has reset the other', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "approval_is_not_of_who_reset" BEFORE UPDATE ON "approval" FOR EACH ROW EXECUTE FUNCTION "approval_is_not_of_who_reset"();
