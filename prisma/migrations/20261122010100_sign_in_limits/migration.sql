-- Attempts of one name or address in a quarter of an hour are one row, however many there are. `sign_in_attempt` is the previous release's, and goes with the next one.
CREATE TABLE "sign_in_count" (
    "subject" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "sign_in_count_pkey" PRIMARY KEY ("subject")
);
CREATE INDEX "sign_in_count_since_idx" ON "sign_in_count"("since");

-- Where a person has signed in from: who attacks the name from elsewhere does not lock it there.
CREATE TABLE "sign_in_address" (
    "person_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_address_pkey" PRIMARY KEY ("person_id", "address")
);
CREATE INDEX "sign_in_address_address_idx" ON "sign_in_address"("address");
ALTER TABLE "sign_in_address" ADD CONSTRAINT "sign_in_address_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;
