-- Images of the cleaning agent: which a site boots, which it tries, and which a boot was given.

-- CreateTable
CREATE TABLE "agent_image" (
    "id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sha256" TEXT,
    "status" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "hosts" INTEGER,
    "percent" DOUBLE PRECISION,
    "given" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" UUID,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_by" UUID,

    CONSTRAINT "agent_image_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "boot_window" ADD COLUMN "image_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "agent_image_site_id_version_key" ON "agent_image"("site_id", "version");

-- AddForeignKey
ALTER TABLE "agent_image" ADD CONSTRAINT "agent_image_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for: one current image and one candidate of a site, a stage with its number, and the boots of an image.
CREATE UNIQUE INDEX "agent_image_current" ON "agent_image" ("site_id") WHERE "status" = 'current';
CREATE UNIQUE INDEX "agent_image_candidate" ON "agent_image" ("site_id") WHERE "status" = 'candidate';
ALTER TABLE "agent_image" ADD CONSTRAINT "agent_image_status" CHECK ("status" IN ('candidate', 'current', 'replaced', 'withdrawn'));
ALTER TABLE "agent_image" ADD CONSTRAINT "agent_image_stage" CHECK (("stage" = 'few' AND "hosts" IS NOT NULL AND "percent" IS NULL) OR ("stage" = 'share' AND "percent" IS NOT NULL AND "hosts" IS NULL) OR ("stage" = 'all' AND "hosts" IS NULL AND "percent" IS NULL));
CREATE INDEX "boot_window_image" ON "boot_window" ("image_id") WHERE "image_id" IS NOT NULL;
