-- Deleting a host does not end an erase on its drives: how long one may go on is kept by chassis serial.
-- CreateTable
CREATE TABLE "chassis_erase" (
    "chassis_serial" TEXT NOT NULL,
    "erase_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chassis_erase_pkey" PRIMARY KEY ("chassis_serial")
);
