-- What a failed state and a failed attempt are for, as data (docs/adr/0063-causes.md). A release that does not know the columns writes none and reads the text.

-- AlterTable
ALTER TABLE "state_history" ADD COLUMN "causes" JSONB;

-- AlterTable
ALTER TABLE "step_attempt" ADD COLUMN "causes" JSONB;
