-- Images with Ironic's agent in place of ours, and what is remembered of one that runs (docs/adr/0087-the-ironic-agent-as-a-guest.md).

-- AlterTable
ALTER TABLE "agent_image" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'reclaim';

-- CreateTable
CREATE TABLE "agent_guest" (
    "host_id" UUID NOT NULL,
    "boot_epoch" INTEGER NOT NULL,
    "callback_url" TEXT NOT NULL,
    "verify_ca" TEXT NOT NULL,
    "agent_version" TEXT NOT NULL,
    "session_box" BYTEA,
    "work" JSONB,
    "finished" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "holder" UUID,
    "held_until" TIMESTAMPTZ(3),

    CONSTRAINT "agent_guest_pkey" PRIMARY KEY ("host_id","boot_epoch")
);

-- AddForeignKey
ALTER TABLE "agent_guest" ADD CONSTRAINT "agent_guest_host_id_boot_epoch_fkey" FOREIGN KEY ("host_id", "boot_epoch") REFERENCES "boot_window"("host_id", "boot_epoch") ON DELETE CASCADE ON UPDATE CASCADE;
