-- Acts on many hosts: asked in portions, so it is known which are not through. Failure groups: how large one was when it was snoozed.

-- AlterTable
ALTER TABLE "bulk_act" ADD COLUMN "asked_all_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "bulk_act_host" ADD COLUMN "reclamation_id" UUID;

-- AlterTable
ALTER TABLE "failure_note" ADD COLUMN "snoozed_hosts" INTEGER;

-- What Prisma has no words for.
CREATE INDEX "bulk_act_at_work" ON "bulk_act" ("started_at") WHERE "started_at" IS NOT NULL AND "asked_all_at" IS NULL;
CREATE INDEX "bulk_act_host_waiting" ON "bulk_act_host" ("bulk_id", "host_id") WHERE "status" = 'can';
