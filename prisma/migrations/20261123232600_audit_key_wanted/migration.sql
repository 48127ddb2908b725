-- Who asks for a new key of the audit log: the server asks, the sequencer makes the key.
CREATE TABLE "audit_key_wanted" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_key_wanted_pkey" PRIMARY KEY ("id")
);
