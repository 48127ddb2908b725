-- The identity of a host's TPM (docs/adr/0147-tpm-identity.md). Release 0.2.0 neither reads nor writes it.
CREATE TABLE "host_tpm" (
  "host_id" UUID NOT NULL,
  "boot_epoch" INTEGER NOT NULL,
  "told_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "endorsement_key" BYTEA,
  "key_digest" TEXT,
  "certificate" BYTEA,
  "verdict" JSONB,
  "attestation_key" BYTEA,
  "secret_hash" BYTEA,
  "activated_at" TIMESTAMPTZ(3),
  "problem" TEXT,
  "problem_kind" TEXT,
  "accepted_digest" TEXT,
  "accepted_as" TEXT,
  "accepted_at" TIMESTAMPTZ(3),
  "accepted_epoch" INTEGER,
  "accepted_by" TEXT,
  "proven_at" TIMESTAMPTZ(3),
  "proven_epoch" INTEGER,
  CONSTRAINT "host_tpm_pkey" PRIMARY KEY ("host_id"),
  CONSTRAINT "host_tpm_problem_kind_check" CHECK ("problem_kind" IN ('noTpm', 'failed', 'refused')),
  CONSTRAINT "host_tpm_accepted_as_check" CHECK ("accepted_as" IN ('certificate', 'firstContact', 'operator')),
  -- Nothing is activated that was not shown.
  CONSTRAINT "host_tpm_activated_check" CHECK ("activated_at" IS NULL OR ("key_digest" IS NOT NULL AND "attestation_key" IS NOT NULL))
);
ALTER TABLE "host_tpm" ADD CONSTRAINT "host_tpm_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "host"("id") ON DELETE CASCADE ON UPDATE CASCADE;
