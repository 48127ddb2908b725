-- A saved view of the hosts list also keeps what its hosts are grouped by.
ALTER TABLE "saved_view" ADD COLUMN "group_by" TEXT;
