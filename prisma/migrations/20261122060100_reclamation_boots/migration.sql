-- Boots of reclamations whose own records are past their retention: evidence, kept for good (docs/adr/0034-boots-are-evidence.md).

-- CreateTable
CREATE TABLE "reclamation_boot" (
    "reclamation_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "reset_done_at" TIMESTAMPTZ(3),
    "contested_at" TIMESTAMPTZ(3),
    "registered_at" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),
    "identity" JSONB,
    "agent_version" TEXT,
    "hardware_managers" JSONB,
    "image_version" TEXT,
    "image_sha256" TEXT,

    CONSTRAINT "reclamation_boot_pkey" PRIMARY KEY ("reclamation_id", "boot_epoch")
);

-- AddForeignKey
ALTER TABLE "reclamation_boot" ADD CONSTRAINT "reclamation_boot_reclamation_id_fkey"
  FOREIGN KEY ("reclamation_id") REFERENCES "reclamation"("id") ON DELETE CASCADE ON UPDATE CASCADE;
