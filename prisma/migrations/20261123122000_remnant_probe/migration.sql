-- What erases leave, and how long they take, per drive model, firmware and technique (docs/adr/0088-remnant-probe.md).

-- AlterTable
ALTER TABLE "device_result" ADD COLUMN "tallied" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "drive_probe" (
    "id" BIGSERIAL NOT NULL,
    "reclamation_id" UUID NOT NULL,
    "host_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "serial" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "firmware" TEXT,
    "technique" TEXT NOT NULL,
    "places" INTEGER NOT NULL,
    "remnants" INTEGER NOT NULL,
    "tallied" BOOLEAN NOT NULL DEFAULT false,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drive_probe_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "drive_model_erase" (
    "model" TEXT NOT NULL,
    "firmware" TEXT NOT NULL,
    "technique" TEXT NOT NULL,
    "media" TEXT,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "completed" INTEGER NOT NULL DEFAULT 0,
    "stalls" INTEGER NOT NULL DEFAULT 0,
    "lies" INTEGER NOT NULL DEFAULT 0,
    "probed" INTEGER NOT NULL DEFAULT 0,
    "refuted" INTEGER NOT NULL DEFAULT 0,
    "canaries" BIGINT NOT NULL DEFAULT 0,
    "remnants" BIGINT NOT NULL DEFAULT 0,
    "durations" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "longest_ms" BIGINT NOT NULL DEFAULT 0,
    "first_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drive_model_erase_pkey" PRIMARY KEY ("model","firmware","technique")
);

-- CreateTable
CREATE TABLE "drive_model_host" (
    "model" TEXT NOT NULL,
    "firmware" TEXT NOT NULL,
    "technique" TEXT NOT NULL,
    "host_id" UUID NOT NULL,

    CONSTRAINT "drive_model_host_pkey" PRIMARY KEY ("model","firmware","technique","host_id")
);

-- CreateIndex
CREATE INDEX "drive_probe_reclamation_id_idx" ON "drive_probe"("reclamation_id");

-- CreateIndex
CREATE INDEX "drive_probe_serial_idx" ON "drive_probe"("serial");

-- AddForeignKey
ALTER TABLE "drive_probe" ADD CONSTRAINT "drive_probe_reclamation_id_fkey" FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma has no words for: what is not in the table yet. The upgrade leaves all results there, and the next minutes count them.
CREATE INDEX "device_result_untallied" ON "device_result" ("id") WHERE NOT "tallied";
CREATE INDEX "drive_probe_untallied" ON "drive_probe" ("id") WHERE NOT "tallied";
