-- A session that was signed out does not work any more, also for who kept its cookie.
-- CreateTable
CREATE TABLE "ended_session" (
    "session_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ended_session_pkey" PRIMARY KEY ("session_id")
);
