-- Files of evidence (docs/adr/0103-certificates.md).
CREATE TABLE "evidence_blob" (
  "sha256" TEXT NOT NULL CHECK ("sha256" ~ '^[0-9a-f]{64}$'),
  "bytes" INTEGER NOT NULL CHECK ("bytes" BETWEEN 1 AND 26214400),
  "place" TEXT NOT NULL CHECK ("place" IN ('database', 's3')),
  "complete" BOOLEAN NOT NULL DEFAULT false,
  "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "evidence_blob_pkey" PRIMARY KEY ("sha256")
);
CREATE TABLE "evidence_chunk" (
  "sha256" TEXT NOT NULL,
  "n" INTEGER NOT NULL,
  "bytes" BYTEA NOT NULL,
  CONSTRAINT "evidence_chunk_pkey" PRIMARY KEY ("sha256", "n")
);
-- Pictures and PDF files are packed already.
ALTER TABLE "evidence_chunk" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
CREATE TABLE "evidence_file" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "sha256" TEXT NOT NULL,
  "name" TEXT NOT NULL CHECK ("name" !~ '[/\\]' AND length("name") BETWEEN 1 AND 120),
  "type" TEXT NOT NULL,
  "bytes" INTEGER NOT NULL,
  "tenant_id" UUID,
  "uploaded_by" UUID NOT NULL,
  "uploaded_by_name" TEXT NOT NULL,
  "uploaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "kept_at" TIMESTAMPTZ(3),
  "held_at" TIMESTAMPTZ(3),
  "held_by" TEXT,
  "held_reason" TEXT,
  CONSTRAINT "evidence_file_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "evidence_file_whose" ON "evidence_file" ("sha256", (coalesce("tenant_id", '00000000-0000-0000-0000-000000000000'::uuid)));
CREATE INDEX "evidence_file_sha256_idx" ON "evidence_file" ("sha256");
CREATE INDEX "evidence_file_uploaded_at_idx" ON "evidence_file" ("uploaded_at");
