-- A brake that would leave a SKU without capacity asks a person first. The previous release writes brakes that ask nothing.
ALTER TABLE "brake" ADD COLUMN "asks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN "decided_at" TIMESTAMPTZ(3),
ADD COLUMN "decided_by" UUID;
