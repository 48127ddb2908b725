-- People that are disabled, what a token may do, and which sessions there are (docs/adr/0057-people-tokens-sessions.md). The release before this one ignores the
-- new columns and writes no sessions: disabling also raises the session epoch and removes tokens, which it heeds.

-- AlterTable
ALTER TABLE "person" ADD COLUMN "disabled_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "api_token" ADD COLUMN "scope" TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('full', 'read'));

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "epoch" INTEGER NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_person_id_idx" ON "session"("person_id");
CREATE INDEX "session_used_at_idx" ON "session"("used_at");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
