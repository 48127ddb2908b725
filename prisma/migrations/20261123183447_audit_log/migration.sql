-- The audit log as a tree that shows tampering (docs/adr/0101-audit-log.md). Nothing here takes long: every act of the release that runs beside it waits.
ALTER TABLE "audit_event" ADD COLUMN "body_hash" BYTEA;

CREATE TABLE "audit_pending" (
    "xid" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "audit_pending_pkey" PRIMARY KEY ("xid", "at", "event_id")
);

CREATE TABLE "audit_leaf" (
    "seq" BIGINT NOT NULL,
    "event_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_leaf_pkey" PRIMARY KEY ("seq"),
    CONSTRAINT "audit_leaf_hash" CHECK (octet_length("hash") = 32)
);
CREATE UNIQUE INDEX "audit_leaf_event_id_key" ON "audit_leaf"("event_id");

CREATE TABLE "audit_node" (
    "level" SMALLINT NOT NULL,
    "position" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_node_pkey" PRIMARY KEY ("level", "position"),
    CONSTRAINT "audit_node_hash" CHECK (octet_length("hash") = 32)
);

CREATE TABLE "audit_tree" (
    "one" BOOLEAN NOT NULL DEFAULT true,
    "size" BIGINT NOT NULL,
    "edge" BYTEA NOT NULL,

    CONSTRAINT "audit_tree_pkey" PRIMARY KEY ("one"),
    CONSTRAINT "audit_tree_one" CHECK ("one")
);
INSERT INTO "audit_tree" ("size", "edge") VALUES (0, '');

CREATE TABLE "audit_checkpoint" (
    "size" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "note" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("size")
);

CREATE TABLE "audit_key" (
    "id" SERIAL NOT NULL,
    "origin" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_rotation" (
    "seq" BIGINT NOT NULL,
    "note" TEXT NOT NULL,

    CONSTRAINT "audit_rotation_pkey" PRIMARY KEY ("seq")
);

CREATE TABLE "audit_cosignature" (
    "size" BIGINT NOT NULL,
    "key_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "line" TEXT NOT NULL,

    CONSTRAINT "audit_cosignature_pkey" PRIMARY KEY ("size", "key_id")
);

-- Whoever writes an event, also a release before this one, puts it into the queue of the sequencer, in the same transaction.
CREATE FUNCTION "audit_event_pends"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_pending (xid, at, event_id) SELECT pg_current_xact_id()::text::bigint, at, id FROM written;
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_event_pends" AFTER INSERT ON "audit_event" REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION "audit_event_pends"();
