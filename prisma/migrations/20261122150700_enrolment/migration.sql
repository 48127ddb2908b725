-- Hosts that were enrolled together (docs/enrolment.md).

-- CreateTable
CREATE TABLE "enrolment" (
    "id" UUID NOT NULL,
    "site_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "by_id" UUID,
    "by_name" TEXT NOT NULL,
    "goal" TEXT NOT NULL,
    "first_contact" TEXT NOT NULL,
    "file_name" TEXT,

    CONSTRAINT "enrolment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrolment_line" (
    "enrolment_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "name" TEXT,
    "host_id" UUID,
    "faults" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "enrolment_line_pkey" PRIMARY KEY ("enrolment_id","line")
);

-- CreateIndex
CREATE INDEX "enrolment_at_idx" ON "enrolment"("at");

-- CreateIndex
CREATE INDEX "enrolment_line_host_id_idx" ON "enrolment_line"("host_id");

-- AddForeignKey
ALTER TABLE "enrolment" ADD CONSTRAINT "enrolment_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrolment_line" ADD CONSTRAINT "enrolment_line_enrolment_id_fkey" FOREIGN KEY ("enrolment_id") REFERENCES "enrolment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a BMC must say: compared with what it says, so that a serial number that was mistyped can be corrected.
ALTER TABLE "host" ADD COLUMN "expected_serial" TEXT,
  ADD COLUMN "expected_system_uuid" UUID,
  ADD COLUMN "hardware_type_open" BOOLEAN NOT NULL DEFAULT false;
